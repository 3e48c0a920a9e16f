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
  if (part.allowed !== null)
    return (
      <p className="flex items-center gap-2 py-1 text-sm text-muted" data-testid="chat-approved">
        <ShieldQuestion size={15} aria-hidden className="shrink-0" />
        {t(part.allowed ? 'chat.approval.allowed' : 'chat.approval.denied')}: {toolInWords(part.tool, t)}
      </p>
    )
  const args = Object.entries(part.args)
  return (
    <section
      aria-label={t('chat.approval')}
      data-testid="chat-approval"
      className="my-2 grid grid-cols-1 gap-3 rounded-lg border border-edge bg-surface p-4"
    >
      <p className="flex items-center gap-2 font-medium">
        <ShieldQuestion size={18} aria-hidden className="shrink-0 text-warn" />
        {t('chat.approval')} {toolInWords(part.tool, t)}
      </p>
      {args.length === 0 && <p className="break-words">{part.question}</p>}
      <dl className="grid max-h-60 gap-1.5 overflow-auto rounded-md bg-sunken p-3 text-sm empty:hidden">
        {args.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-muted">{name}</dt>
            <dd className="whitespace-pre-wrap break-words">{inWords(value)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex gap-2">
        <Button kind="primary" disabled={sent} onClick={() => answer(true)} className="pointer-coarse:min-h-11">
          {t('chat.approval.allow')}
        </Button>
        <Button disabled={sent} onClick={() => answer(false)} className="pointer-coarse:min-h-11">
          {t('chat.approval.deny')}
        </Button>
      </div>
    </section>
  )
}
