import { ArrowUp, Square, TextQuote, X } from 'lucide-react'
import { type Ref, useEffect, useRef } from 'react'
import { useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { IconButton } from '../ui/button'
import { notifyError } from '../ui/toast'
import { ModelChoice, ResearchChoice, ScopeChoice, SpoilerChoice } from './choices'
import type { Conversation, Snapshot } from './conversation'

/** Where a question is written, with what it is asked of. */
export function Composer({
  conversation,
  state,
  handle,
  onAsk,
  input,
}: {
  conversation: Conversation
  state: Snapshot
  handle: ReaderHandle | null
  onAsk(text: string): void
  input: Ref<HTMLTextAreaElement>
}) {
  const t = useText()
  const { choices, draft } = state
  const running = state.status === 'running' || state.status === 'reconnecting'
  const choosing = { choices, choose: conversation.choose.bind(conversation), handle }
  const selected = choices.scope.kind === 'selection' ? choices.scope : null
  return (
    <form
      aria-label={t('chat.input')}
      onSubmit={event => {
        event.preventDefault()
        onAsk(draft)
      }}
      className="rounded-2xl border border-edge bg-surface focus-within:border-focus"
    >
      {selected && (
        <p className="flex items-center gap-2 pt-1 pl-3 text-sm text-muted">
          <TextQuote size={15} aria-hidden className="shrink-0" />
          <span className="min-w-0 flex-1 truncate" data-testid="chat-selection">
            {t('chat.selection', { text: selected.text.slice(0, 200) })}
          </span>
          <IconButton
            label={t('chat.selection.drop')}
            onClick={() => choosing.choose({ scope: { kind: 'book', document: selected.document } })}
          >
            <X size={15} aria-hidden />
          </IconButton>
        </p>
      )}
      <div className="flex items-end gap-1 p-1">
        <Lines
          draft={draft}
          onDraft={text => conversation.set({ draft: text })}
          onSend={() => !running && onAsk(draft)}
          input={input}
        />
        {running ? (
          <IconButton
            label={t('chat.stop')}
            data-testid="chat-stop"
            onClick={() => conversation.stop().catch(notifyError)}
            className="rounded-full! bg-accent! text-on-accent!"
          >
            <Square size={14} fill="currentColor" aria-hidden />
          </IconButton>
        ) : (
          <IconButton
            label={t('chat.send')}
            type="submit"
            data-testid="chat-send"
            disabled={!draft.trim() || state.status !== 'ready'}
            className="rounded-full! bg-accent! text-on-accent!"
          >
            <ArrowUp size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="flex flex-wrap items-center px-1 pb-1">
        <ScopeChoice {...choosing} />
        <SpoilerChoice {...choosing} />
        <ModelChoice {...choosing} />
        <ResearchChoice {...choosing} />
      </div>
    </form>
  )
}

/** The lines of the question; they grow with what is written. */
function Lines({
  draft,
  onDraft,
  onSend,
  input,
}: {
  draft: string
  onDraft(text: string): void
  onSend(): void
  input: Ref<HTMLTextAreaElement>
}) {
  const t = useText()
  const mirror = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (mirror.current) mirror.current.dataset.text = draft
  }, [draft])
  return (
    <div
      ref={mirror}
      className="grid max-h-48 min-w-0 flex-1 overflow-auto [grid-template-areas:'x'] after:invisible after:px-3 after:py-2 after:whitespace-pre-wrap after:break-words after:content-[attr(data-text)_'_'] after:[grid-area:x]"
    >
      <textarea
        ref={input}
        rows={1}
        value={draft}
        aria-label={t('chat.input')}
        title={t('chat.keys')}
        placeholder={t('chat.placeholder')}
        data-testid="chat-input"
        onChange={event => onDraft(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          onSend()
        }}
        className="min-h-10 resize-none overflow-hidden bg-transparent px-3 py-2 break-words outline-none placeholder:text-muted [grid-area:x]"
      />
    </div>
  )
}
