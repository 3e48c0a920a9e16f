/** Where an answer leads: to the words of a document, beside the conversation or on the reader's page, or out of here. */

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { Locator } from '../api/types'
import { useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import type { Target } from './markers'

export type Ways = { go(target: Target, rects?: Locator['rects']): void; external(href: string): void }
const Context = createContext<Ways>({ go: () => undefined, external: () => undefined })

export const useWays = () => useContext(Context)

export function WaysOut({ handle, children }: { handle: ReaderHandle | null; children: ReactNode }) {
  const t = useText()
  const [, navigate] = useLocation()
  const [leaving, leave] = useState<string | null>(null)
  const ways = useMemo<Ways>(
    () => ({
      go({ document, start, end }, rects) {
        if (handle?.document === document) handle.goTo({ start, end }, { mark: true, rects: rects ?? null })
        else navigate(`/read/${encodeURIComponent(document)}?at=${start}&end=${end}`)
      },
      external: leave,
    }),
    [handle, navigate],
  )
  const open = () => {
    if (leaving) window.open(leaving, '_blank', 'noopener,noreferrer')
    leave(null)
  }
  return (
    <Context.Provider value={ways}>
      {children}
      <Dialog open={leaving !== null} onClose={() => leave(null)} title={t('chat.external')}>
        <p className="text-muted">{t('chat.external.what')}</p>
        <p className="mt-2 break-all rounded-md bg-sunken p-3 font-mono text-sm">{leaving}</p>
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={() => leave(null)}>{t('common.cancel')}</Button>
          <Button kind="primary" onClick={open}>
            {t('chat.external.open')}
          </Button>
        </div>
      </Dialog>
    </Context.Provider>
  )
}
