/** A conversation: what was said, and the place for the next question. */

import { ArrowDown, WifiOff } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { Button, IconButton } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import './chat.css'
import { useModels, useProgress } from './choices'
import { Composer } from './composer'
import type { Conversation } from './conversation'
import { type Message, textOf } from './message'
import { Suggestions } from './suggestions'
import { Turns } from './turns'
import { WaysOut } from './ways'

const NEAR = 80 // pixels from the end within which a reader is at the end

export function Thread({ conversation, handle }: { conversation: Conversation; handle: ReaderHandle | null }) {
  const t = useText()
  const state = useSyncExternalStore(conversation.subscribe, conversation.snapshot)
  const progress = useProgress(state.choices.scope)
  const input = useRef<HTMLTextAreaElement>(null)
  useTaken(conversation)
  // who comes from a selection has a question about it; on a phone the keyboard would hide the passage
  const [asksAboutSelection] = useState(() => handle?.selected != null && matchMedia('(pointer: fine)').matches)
  useEffect(() => {
    if (conversation.writing || asksAboutSelection) input.current?.focus()
    conversation.writing = false
  }, [conversation, asksAboutSelection])
  const position = handle?.document === documentIn(state.choices.scope) ? (handle?.place?.start ?? null) : null
  const onAsk = (text: string) => void conversation.ask({ text, position, progress })
  const { box, atEnd, toEnd } = useEnd(state.messages.length)
  if (state.error && !state.messages.length)
    return <Failed error={state.error} onRetry={() => void conversation.load(true)} />
  return (
    <Tooltip.Provider delayDuration={300}>
      <WaysOut handle={handle}>
        <div className="flex h-full min-h-0 flex-col">
          <div className="relative min-h-0 flex-1">
            <section
              ref={box}
              tabIndex={0}
              aria-label={t('chat.conversation')}
              className="h-full overflow-y-auto overscroll-contain px-4"
            >
              <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 py-6">
                {state.status === 'loading' && <Loading />}
                {state.leftOut && <LeftOut onShow={() => void conversation.load(true, true)} />}
                <Turns conversation={conversation} messages={state.messages} onAsk={onAsk} input={input} />
                {state.status === 'ready' && !state.messages.length && (
                  <Suggestions choices={state.choices} handle={handle} onAsk={onAsk} />
                )}
              </div>
            </section>
            {!atEnd && state.messages.length > 0 && (
              <IconButton
                label={t('common.more')}
                onClick={toEnd}
                className="absolute! inset-x-0 bottom-2 mx-auto rounded-full! border border-line bg-surface! shadow-(--shadow)"
              >
                <ArrowDown size={18} aria-hidden />
              </IconButton>
            )}
          </div>
          <div className="mx-auto w-full max-w-[43.5rem] px-3 pt-1 pb-3">
            <Line conversation={conversation} status={state.status} />
            <Composer conversation={conversation} state={state} handle={handle} onAsk={onAsk} input={input} />
          </div>
          <Announcer messages={state.messages} />
        </div>
      </WaysOut>
    </Tooltip.Provider>
  )
}

function documentIn(scope: { kind: string; document?: string }): string | undefined {
  return scope.document
}

/** Load what was said; take up what another window or another machine has begun when this window is looked at. */
function useTaken(conversation: Conversation): void {
  useEffect(() => {
    void conversation.load()
    const look = () => {
      if (document.visibilityState === 'visible') conversation.resume().catch(() => undefined)
    }
    const online = () => void conversation.reconnect()
    document.addEventListener('visibilitychange', look)
    addEventListener('online', online)
    return () => {
      document.removeEventListener('visibilitychange', look)
      removeEventListener('online', online)
    }
  }, [conversation])
}

/** Stay at the end while an answer grows, unless the reader has gone up. */
function useEnd(count: number) {
  const box = useRef<HTMLElement>(null)
  const [atEnd, setAtEnd] = useState(true)
  const stays = useRef(true)
  const toEnd = useCallback(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [])
  useEffect(() => {
    const element = box.current
    const content = element?.firstElementChild
    if (!element || !content) return
    let top = element.scrollTop
    const look = () => {
      const near = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
      // only who moves up leaves the end: what grows below moves it away by itself
      if (near) stays.current = true
      else if (element.scrollTop < top) stays.current = false
      top = element.scrollTop
      setAtEnd(near || stays.current)
    }
    const growth = new ResizeObserver(() => stays.current && toEnd())
    growth.observe(content)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      growth.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [toEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question goes to the end
  useEffect(toEnd, [count])
  return { box, atEnd, toEnd }
}

function LeftOut({ onShow }: { onShow(): void }) {
  const t = useText()
  return (
    <p className="text-center text-sm text-muted">
      {t('chat.leftOut')}{' '}
      <button type="button" onClick={onShow} className="min-h-10 text-accent underline">
        {t('chat.showThem')}
      </button>
    </p>
  )
}

/** One quiet line above the question: no connection, or no model. */
function Line({ conversation, status }: { conversation: Conversation; status: string }) {
  const t = useText()
  const models = useModels()
  const { choices } = conversation.snapshot()
  if (status === 'reconnecting' || status === 'offline')
    return (
      <p role="status" className="flex items-center gap-2 px-2 pb-2 text-sm text-warn" data-testid="chat-offline">
        <WifiOff size={15} aria-hidden className="shrink-0" />
        <span className="flex-1">{t(status === 'offline' ? 'chat.offline' : 'chat.reconnecting')}</span>
        {status === 'offline' && (
          <Button onClick={() => void conversation.reconnect()}>{t('chat.offlineRetry')}</Button>
        )}
      </p>
    )
  if (!models.known || models.main || choices.model) return null
  return (
    <p className="px-2 pb-2 text-xs text-muted" data-testid="chat-no-model">
      {t('chat.noModel')}{' '}
      <Link href="/settings" className="text-accent underline">
        {t('chat.noModelHow')}
      </Link>
    </p>
  )
}

/** Reads an answer out once it is whole, never while it grows. */
function Announcer({ messages }: { messages: readonly Message[] }) {
  const t = useText()
  const [said, say] = useState('')
  const running = useRef(false)
  useEffect(() => {
    const last = messages.at(-1)
    if (last?.role !== 'assistant') return
    if (last.state === 'running') say('')
    else if (running.current) say(t('chat.finished', { text: last.error?.message ?? textOf(last) }))
    running.current = last.state === 'running'
  }, [messages, t])
  return (
    <p aria-live="polite" className="sr-only" data-testid="chat-announcer">
      {said}
    </p>
  )
}
