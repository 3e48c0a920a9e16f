import { type RefObject, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../i18n'
import { type Conversation, lastQuestion } from './conversation'
import { answerBegun, type Message } from './message'
import { MessageView } from './message-view'
import { ended } from './stream'

const FIRST = 8 // messages that are drawn at once; earlier ones come as they are scrolled to

/** The messages, the last ones first: a long conversation opens as quickly as a short one. */
export function Turns({
  conversation,
  messages,
  onAsk,
  input,
}: {
  conversation: Conversation
  messages: readonly Message[]
  onAsk(text: string): void
  input: RefObject<HTMLTextAreaElement | null>
}) {
  const { session, status } = conversation.snapshot()
  const ready = status === 'ready'
  const latest = useRef({ onAsk, messages })
  useEffect(() => {
    latest.current = { onAsk, messages }
  })
  const retry = useCallback(() => latest.current.onAsk(lastQuestion(latest.current.messages)), [])
  const edit = useCallback(() => {
    conversation.set({ draft: lastQuestion(latest.current.messages) })
    input.current?.focus()
  }, [conversation, input])
  const approve = useCallback((id: string, allow: boolean) => conversation.approve(id, allow), [conversation])
  // a question that nothing followed: what answered it was ended before its first words
  const unanswered = useMemo(() => ended(answerBegun('unanswered'), 'stopped'), [])
  const shown = ready && messages.at(-1)?.role === 'user' ? [...messages, unanswered] : messages
  const [more, setMore] = useState(0)
  const from = Math.max(0, shown.length - FIRST - more)
  const earlier = useCallback(() => startTransition(() => setMore(count => count + FIRST)), [])
  const question = shown.findLastIndex(message => message.role === 'user')
  return (
    <>
      {from > 0 && <Earlier key={from} onMore={earlier} />}
      {shown.slice(from).map((message, n) => (
        <MessageView
          key={message.id}
          message={message}
          session={session}
          onRetry={ready && from + n === shown.length - 1 ? retry : null}
          onEdit={ready && from + n === question ? edit : null}
          onApprove={approve}
        />
      ))}
    </>
  )
}

/** Asks for earlier messages when it comes near the window. */
function Earlier({ onMore }: { onMore(): void }) {
  const t = useText()
  const self = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!self.current) return
    const root = self.current.closest('section')
    const near = new IntersectionObserver(seen => seen.some(one => one.isIntersecting) && onMore(), {
      root,
      rootMargin: '600px 0px 0px',
    })
    near.observe(self.current)
    return () => near.disconnect()
  }, [onMore])
  return (
    <button ref={self} type="button" onClick={onMore} className="min-h-10 text-sm text-muted">
      {t('chat.earlier')}
    </button>
  )
}
