/** A button that tries something with a real small call, and says what came of it. */

import { useMutation } from '@tanstack/react-query'
import { CheckCircle2, XCircle } from 'lucide-react'
import { Problem } from '../api/client'
import { type Check, check } from '../api/settings'
import { useText } from '../i18n'
import { Button } from '../ui/button'

export function Checking({ what, name, disabled = false }: { what: Check; name: string; disabled?: boolean }) {
  const t = useText()
  const run = useMutation({ mutationFn: () => check(what) })
  return (
    <div className="grid justify-items-start gap-2 sm:justify-items-end">
      <Button disabled={disabled || run.isPending} aria-label={t('check.name', { name })} onClick={() => run.mutate()}>
        {t(run.isPending ? 'check.running' : 'check.run')}
      </Button>
      <div role="status" className="text-sm">
        {run.data?.ok && (
          <p className="flex items-center gap-1.5 text-good">
            <CheckCircle2 size={15} aria-hidden />
            {t('check.ok', { ms: Math.round(run.data.milliseconds) })}
          </p>
        )}
        {run.data?.ok && run.data.detail && <p className="text-muted">{run.data.detail}</p>}
        {run.data && !run.data.ok && (
          <Trouble message={run.data.error?.message ?? run.data.detail ?? ''} hint={run.data.error?.hint ?? ''} />
        )}
        {run.error && <Trouble message={run.error.message} hint={run.error instanceof Problem ? run.error.hint : ''} />}
      </div>
    </div>
  )
}

function Trouble({ message, hint }: { message: string; hint: string }) {
  return (
    <>
      <p className="flex items-start gap-1.5 text-bad">
        <XCircle size={15} aria-hidden className="mt-0.5 shrink-0" />
        {message}
      </p>
      {hint && <p className="text-muted">{hint}</p>}
    </>
  )
}
