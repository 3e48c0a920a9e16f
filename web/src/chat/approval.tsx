import { ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { notifyError } from '../ui/toast'
import type { ApprovalPart } from './message'
import { inWords, toolInWords } from './tool-card'

/** A question of the assistant to the person: what would be changed, and whether it may be. */
export function ApprovalCard({
  part,
  onAnswer,
}: {
  part: ApprovalPart
  onAnswer(id: string, allow: boolean): Promise<void>
}) {
  const t = useText()
  const [sent, send] = useState(false)
  const answer = (allow: boolean) => {
    send(true)
    onAnswer(part.id, allow).catch(error => {
      send(false)
      notifyError(error)
    })
  }
  return (
    <section
      aria-label={t('chat.approval')}
      data-testid="chat-approval"
      className="my-2 grid gap-2 rounded-lg border border-edge bg-surface p-4"
    >
      <p className="flex items-center gap-2 font-medium">
        <ShieldQuestion size={18} aria-hidden className="text-warn" />
        {t('chat.approval')} {toolInWords(part.tool, t)}
      </p>
      {part.question && <p className="whitespace-pre-wrap break-words">{part.question}</p>}
      {Object.keys(part.args).length > 0 && (
        <dl className="grid max-h-60 gap-1 overflow-auto rounded-md bg-sunken p-3 text-sm">
          {Object.entries(part.args).map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-muted">{name}</dt>
              <dd className="whitespace-pre-wrap break-words">{inWords(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {part.allowed === null ? (
        <div className="flex gap-2">
          <Button kind="primary" disabled={sent} onClick={() => answer(true)} className="pointer-coarse:min-h-11">
            {t('chat.approval.allow')}
          </Button>
          <Button disabled={sent} onClick={() => answer(false)} className="pointer-coarse:min-h-11">
            {t('chat.approval.deny')}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">{t(part.allowed ? 'chat.approval.allowed' : 'chat.approval.denied')}</p>
      )}
    </section>
  )
}
