/** The three states that every view has besides its content: waiting, nothing there, gone wrong. */

import type { ReactNode } from 'react'
import { useText } from '../i18n'
import { Button } from './button'

export function Loading({ label }: { label?: string }) {
  const t = useText()
  return (
    <div role="status" className="grid h-full min-h-32 place-items-center text-muted">
      <span>{label ?? t('common.loading')}</span>
    </div>
  )
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md place-items-center gap-3 px-6 py-16 text-center">
      <p className="text-lg font-medium">{title}</p>
      <div className="grid gap-3 text-muted">{children}</div>
    </div>
  )
}

/** What went wrong and what to do next, in the server's own words. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?(): void }) {
  const t = useText()
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : ''
  return (
    <div role="alert" className="mx-auto grid max-w-md gap-2 px-6 py-10 text-center">
      <p className="font-medium text-bad">{error instanceof Error ? error.message : t('common.failed')}</p>
      {hint && <p className="text-muted">{hint}</p>}
      {onRetry && (
        <div>
          <Button onClick={onRetry}>{t('common.retry')}</Button>
        </div>
      )}
    </div>
  )
}
