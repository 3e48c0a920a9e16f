/** One message: a question, or an answer with all that led to it and stands behind it. */

import { Copy, Pencil, RotateCcw } from 'lucide-react'
import { memo } from 'react'
import { type Translate, useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { notify, notifyError } from '../ui/toast'
import { ApprovalCard } from './approval'
import { Citations } from './citation'
import { Fold } from './fold'
import { AnswerText } from './markdown'
import { type Message, type Part, textOf } from './message'
import { withoutOptions } from './notice'
import { CoverageBar, Details, Notice, Sources, Withheld } from './receipt'
import { ToolCard } from './tool-card'

type Deeds = {
  session: string | null
  /** Only the last exchange can be asked again. */
  onRetry: (() => void) | null
  onEdit: (() => void) | null
  onApprove(id: string, allow: boolean): Promise<void>
}

export const MessageView = memo(function MessageView({ message, ...deeds }: { message: Message } & Deeds) {
  return message.role === 'user' ? (
    <Question message={message} onEdit={deeds.onEdit} />
  ) : (
    <AnswerView message={message} {...deeds} />
  )
})

function Question({ message, onEdit }: { message: Message; onEdit: Deeds['onEdit'] }) {
  const t = useText()
  return (
    <article aria-label={t('chat.you')} data-testid="chat-message" data-role="user" className="chat-turn group">
      <div className="ml-auto flex w-fit max-w-[85%] items-start gap-1">
        {onEdit && (
          <IconButton
            label={t('chat.edit')}
            onClick={onEdit}
            className="opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
          >
            <Pencil size={16} aria-hidden />
          </IconButton>
        )}
        <p className="min-w-0 whitespace-pre-wrap break-words rounded-2xl bg-accent-soft px-4 py-2">
          {textOf(message)}
        </p>
      </div>
    </article>
  )
}

function AnswerView({ message, session, onRetry, onApprove }: { message: Message } & Deeds) {
  const t = useText()
  const running = message.state === 'running'
  const busy = message.parts.some(part => part.kind === 'approval' && part.allowed === null)
  const waiting = running && !busy && !message.parts.some(part => part.kind === 'text' && part.open)
  return (
    <article
      aria-label={t('chat.answer')}
      aria-busy={running}
      data-testid="chat-message"
      data-role="assistant"
      data-state={message.state}
      className="chat-turn grid grid-cols-1 gap-1"
    >
      <Citations value={message.citations}>
        {runsOf(message.parts).map((run, n, runs) => (
          <PartView
            key={`${run[0]?.kind} ${run[0]?.id}`}
            parts={run}
            latest={running && n === runs.length - 1}
            onApprove={onApprove}
          />
        ))}
      </Citations>
      {waiting && (
        <p className="animate-[pulse_2s_ease-in-out_infinite] text-sm text-muted" data-testid="chat-waiting">
          {t('chat.thinking')}
        </p>
      )}
      {!running && <Ending message={message} onRetry={onRetry} />}
      {!running && (
        <footer className="grid grid-cols-1 gap-1">
          <CoverageBar coverage={message.account.coverage} />
          <Sources message={message} />
          <Withheld account={message.account} />
          <Details message={message} session={session} />
          <Deed message={message} onRetry={onRetry} t={t} />
        </footer>
      )}
    </article>
  )
}

/** Texts that follow one another are one text: code adds sentences to what a model wrote. */
function runsOf(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    if (part.kind === 'text' && last?.[0]?.kind === 'text') last.push(part)
    else runs.push([part])
  }
  return runs
}

/** `latest`: nothing has come after it yet. */
function PartView({ parts, latest, onApprove }: { parts: Part[]; latest: boolean; onApprove: Deeds['onApprove'] }) {
  const t = useText()
  const [part] = parts
  switch (part?.kind) {
    case 'text':
      return <AnswerText text={withoutOptions(parts.map(one => (one.kind === 'text' ? one.text : '')).join(''))} />
    case 'reasoning':
      return (
        <Fold head={t(latest ? 'chat.reasoningNow' : 'chat.reasoning')} open={latest} data-testid="chat-reasoning">
          <p className="mb-2 whitespace-pre-wrap break-words border-l-2 border-line pl-3 text-sm text-muted">
            {part.text}
          </p>
        </Fold>
      )
    case 'tool':
      return <ToolCard part={part} />
    case 'approval':
      return <ApprovalCard part={part} onAnswer={onApprove} />
    case 'progress':
      return (
        <p className="text-sm text-muted" data-testid="chat-progress">
          {part.total && part.total > 1 ? t('chat.progress', { ...part, total: part.total }) : part.label}
        </p>
      )
    default:
      return null
  }
}

/** How it ended, where it did not end well, and what is hidden. */
function Ending({ message, onRetry }: { message: Message; onRetry: Deeds['onRetry'] }) {
  const t = useText()
  const { state, error, account } = message
  const limit = account.limit ? (`chat.limit.${account.limit}` as Parameters<Translate>[0]) : null
  return (
    <>
      {state === 'failed' && (
        <div role="alert" className="grid gap-1 rounded-lg border border-bad p-3 text-sm" data-testid="chat-error">
          <p className="font-medium text-bad">{error?.message ?? t('chat.failedWhat')}</p>
          {error?.hint && <p className="break-words text-muted">{error.hint}</p>}
        </div>
      )}
      {state === 'stopped' && (
        <p className="text-sm text-warn" data-testid="chat-stopped">
          {t('chat.stopped')}
          {!textOf(message).trim() && ` · ${t('chat.noAnswer')}`}
        </p>
      )}
      {limit && (
        <p className="text-sm text-warn" data-testid="chat-limit">
          {t(limit)}
        </p>
      )}
      {onRetry && state !== 'done' && (
        <div className="py-1">
          <Button onClick={onRetry} className="pointer-coarse:min-h-11">
            <RotateCcw size={15} aria-hidden />
            {t('chat.retry')}
          </Button>
        </div>
      )}
      <Notice account={account} />
    </>
  )
}

function Deed({ message, onRetry, t }: { message: Message; onRetry: Deeds['onRetry']; t: Translate }) {
  const text = textOf(message).trim()
  if (!text) return null
  const copy = () => navigator.clipboard.writeText(text).then(() => notify(t('chat.copied')), notifyError)
  return (
    <div className="-ml-2.5 flex">
      <IconButton label={t('chat.copy')} onClick={copy}>
        <Copy size={16} aria-hidden />
      </IconButton>
      {onRetry && message.state === 'done' && (
        <IconButton label={t('chat.retry')} onClick={onRetry}>
          <RotateCcw size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
