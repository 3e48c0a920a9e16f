/** How far one is in a document, and whether what comes later is kept hidden. */

import { useMutation } from '@tanstack/react-query'
import { Check, EyeOff, RotateCcw } from 'lucide-react'
import { send } from '../api/client'
import { progress as progressOf, queryClient } from '../api/queries'
import type { Progress } from '../api/types'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Switch } from '../ui/switch'
import { notifyError } from '../ui/toast'
import { ReadLine } from './cover'
import { refresh } from './deeds'
import { dayOf } from './format'

export function Reading({ progress }: { progress: Progress }) {
  const t = useText()
  const set = useMutation({
    mutationFn: (part: object) => send<Progress>('POST', '/api/progress', { doc: progress.document, ...part }),
    onSuccess: async now => {
      queryClient.setQueryData(progressOf(progress.document).queryKey, now)
      await Promise.all([
        refresh(progress.document),
        ...['summary', 'people', 'notes'].map(key => queryClient.invalidateQueries({ queryKey: [key] })),
      ])
    },
    onError: notifyError,
  })
  const percent = Math.floor(progress.fraction * 100)
  const begun = progress.updated !== null && (progress.fraction > 0 || progress.finished)
  const words = progress.finished ? t('shelf.finished') : begun ? t('shelf.percent', { percent }) : t('shelf.unread')
  const hidden = progress.spoilers === 'hide'
  return (
    <section aria-label={t('shelf.reading')} className="mt-6 grid gap-4 rounded-xl bg-surface p-5 shadow-(--shadow)">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          {words}
          {progress.updated && (
            <span className="text-sm text-muted"> · {t('doc.lastRead', { when: dayOf(progress.updated) })}</span>
          )}
        </p>
        <div className="-mr-2 flex">
          {!progress.finished && (
            <Button kind="quiet" disabled={set.isPending} onClick={() => set.mutate({ finished: true })}>
              <Check size={15} aria-hidden /> {t('doc.finish')}
            </Button>
          )}
          {begun && (
            <Button kind="quiet" disabled={set.isPending} onClick={() => set.mutate({ restart: true })}>
              <RotateCcw size={15} aria-hidden /> {t('doc.restart')}
            </Button>
          )}
        </div>
        {begun && <ReadLine fraction={progress.finished ? 1 : progress.fraction} label={words} className="w-full" />}
      </div>
      <div className="flex items-start gap-4">
        <EyeOff size={18} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <div className="flex-1">
          <p id="spoilers" className="font-medium">
            {t('doc.spoilers')}
          </p>
          <p id="spoilers-means" className="text-sm text-muted">
            {t(hidden ? 'doc.spoilersHide' : 'doc.spoilersShow', { percent })}
          </p>
        </div>
        <Switch
          labelledBy="spoilers"
          describedBy="spoilers-means"
          checked={hidden}
          disabled={set.isPending}
          onChange={next => set.mutate({ spoilers: next ? 'hide' : 'show' })}
        />
      </div>
    </section>
  )
}
