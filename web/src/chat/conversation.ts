/**
 * A conversation as it goes: asked, heard, stopped. A running answer is followed to its end also while no view shows
 * it, and taken up again after a lost connection or a reload.
 */

import * as api from '../api/chat'
import { Problem } from '../api/client'
import { queryClient } from '../api/queries'
import { type Asked, bodyOf, CHOICES, type Choices } from './asking'
import { documentOfLast, historyOf, type StoredSession } from './history'
import { keepModel, keptModel } from './kept'
import { answerBegun, type Message, textOf, userMessage } from './message'
import { ended, reduce } from './stream'

export const REPAINT = 100 // milliseconds between two pictures of a running answer
const PATIENCE = [500, 1_000, 2_000, 4_000, 8_000] // milliseconds before each try to take up a lost stream
export type Status = 'loading' | 'ready' | 'running' | 'reconnecting' | 'offline'
export type Snapshot = {
  session: string | null
  status: Status
  messages: readonly Message[]
  /** Why there is nothing to show. */
  error: unknown
  /** What the server says of messages that it left out. */
  leftOut: string | null
  choices: Choices
  /** Whether the choices were made for this conversation, or are those that every one begins with. */
  touched: boolean
  draft: string
}

let made = 0

export class Conversation {
  /** Tells this conversation from every other, also before it has a session. */
  readonly key = ++made
  /** Whether the next view that shows it begins in the field of the question. */
  writing = false
  private state: Snapshot
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | null = null
  private control: AbortController | null = null
  private live: Message | null = null
  private lastRun = ''
  private last = -1
  private loaded = false
  private uncapped = false

  /** `onBegun` hears of each answer that begins here, and in which session. */
  constructor(
    session: string | null,
    private readonly onBegun: (session: string) => void,
  ) {
    const status = session === null ? 'ready' : 'loading'
    this.state = {
      session,
      status,
      messages: [],
      error: null,
      leftOut: null,
      choices: { ...CHOICES, model: keptModel() },
      touched: false,
      draft: '',
    }
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }
  readonly snapshot = (): Snapshot => this.state
  get busy(): boolean {
    return this.state.status === 'running' || this.state.status === 'reconnecting'
  }

  set(part: Partial<Snapshot>): void {
    this.state = { ...this.state, ...part }
    for (const listener of this.listeners) listener()
  }

  choose(part: Partial<Choices>): void {
    this.set({ choices: { ...this.state.choices, ...part }, touched: true })
    if (part.model !== undefined) keepModel(part.model)
  }

  /** Bring what was said, and take up an answer that is in the making; once, unless `again`. */
  async load(again = false, uncapped = this.uncapped): Promise<void> {
    const { session } = this.state
    if (session === null || (this.loaded && !again) || this.busy) return
    this.loaded = true
    this.uncapped = uncapped
    if (!this.state.messages.length) this.set({ status: 'loading', error: null })
    try {
      await this.bring(session)
      if (!(await this.resume())) this.set({ status: 'ready' })
    } catch (error) {
      this.loaded = false
      this.set({ status: this.state.messages.length ? 'ready' : 'loading', error })
    }
  }

  private async bring(session: string): Promise<void> {
    const stored = await api.session<StoredSession>(session, this.uncapped)
    this.set({ messages: historyOf(stored), leftOut: stored.notice ?? null, error: null })
    const document = documentOfLast(stored)
    if (document && !this.state.touched) this.choose({ scope: { kind: 'book', document } })
  }

  /** Listen to the answer that is in the making, if there is one that is not shown yet; return whether there is. */
  async resume(): Promise<boolean> {
    const { session } = this.state
    if (session === null || this.busy) return false
    const control = new AbortController()
    const stream = await api.hear(session, -1, control.signal)
    const first = (await stream?.chunks.next())?.value
    if (!stream || !first || first.data.messageId === this.lastRun) {
      control.abort()
      return false
    }
    this.control = control
    this.last = first.number
    this.set({ status: 'running' })
    const live = reduce(answerBegun('live'), first.data)
    void this.takeUp(session, live, stream)
    return true
  }

  /** The question of a run is in the session once there is more of it than its beginning. */
  private async takeUp(session: string, begun: Message, stream: api.Stream): Promise<void> {
    const second = (await stream.chunks.next().catch(() => null))?.value
    await this.bring(session).catch(() => undefined)
    const shown = this.state.messages.slice(0, this.state.messages.findLastIndex(m => m.role === 'user') + 1)
    this.live = second ? reduce(begun, second.data) : begun
    if (second) this.last = second.number
    this.lastRun = this.live.id
    this.set({ messages: [...shown, this.live] })
    await this.follow(stream)
  }

  /** Ask; what cannot be asked so is told in the place of the answer. */
  async ask(asked: Omit<Asked, 'session'>): Promise<void> {
    const text = asked.text.trim()
    if (!text || this.busy) return
    this.control = new AbortController()
    this.live = answerBegun(`new-${Date.now()}`)
    this.last = -1
    this.loaded = true
    const question = userMessage(`question-${Date.now()}`, text, new Date().toISOString())
    this.set({ status: 'running', messages: [...this.state.messages, question, this.live], draft: '', error: null })
    try {
      const body = bodyOf({ ...asked, text, session: this.state.session }, this.state.choices)
      const stream = await api.begin(body, this.control.signal)
      if (stream.session) {
        if (stream.session !== this.state.session) this.set({ session: stream.session })
        this.onBegun(stream.session)
      }
      await this.follow(stream)
    } catch (error) {
      this.fail(error)
    }
  }

  async stop(): Promise<void> {
    if (this.state.session) await api.stop(this.state.session)
  }

  async approve(id: string, allow: boolean): Promise<void> {
    if (!this.state.session) return
    await api.approve(this.state.session, id, allow)
    const data = { id, allowed: allow }
    const part = this.live?.parts.find(p => p.kind === 'approval' && p.id === id)
    if (part?.kind === 'approval') this.hear({ type: 'data-approval', id, data: { ...part, ...data } })
  }

  private hear(chunk: api.Heard['data']): void {
    if (!this.live) return
    this.live = reduce(this.live, chunk)
    this.lastRun = this.live.id
    if (chunk.type === 'start-step') void queryClient.invalidateQueries({ queryKey: ['sessions'] })
    this.timer ??= setTimeout(() => this.paint(), REPAINT)
  }

  private paint(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    if (this.live) this.set({ messages: [...this.state.messages.slice(0, -1), this.live] })
  }

  private async follow(stream: api.Stream): Promise<void> {
    let now: api.Stream | null = stream
    for (let tries = 0; now; ) {
      try {
        for await (const { number, data } of now.chunks) {
          if (Number.isInteger(number)) this.last = number
          tries = 0
          this.hear(data)
          if (data.type === api.DONE) return this.finish()
        }
      } catch {
        // the connection is lost: what follows is asked for below
      }
      now = await this.again(tries++)
    }
    if (this.state.status === 'offline') return
    this.live = null // it cannot be heard any more: what became of it is in the session
    if (this.state.session) await this.bring(this.state.session).catch(() => undefined)
    this.finish()
  }

  /** Return the stream from where it broke off; null when it is over, or the server is not there any more. */
  private async again(tries: number): Promise<api.Stream | null> {
    const { session } = this.state
    if (!session || !this.control) return null
    for (const wait of PATIENCE.slice(tries)) {
      this.set({ status: 'reconnecting' })
      await new Promise(resolve => setTimeout(resolve, wait))
      try {
        const stream = await api.hear(session, this.last, this.control.signal)
        this.set({ status: 'running' })
        return stream
      } catch (error) {
        if (error instanceof Problem && error.status !== 0 && error.status < 500) return null
      }
    }
    this.paint()
    this.set({ status: 'offline' })
    return null
  }

  /** Try once more after the server was away: the session knows what became of the answer. */
  async reconnect(): Promise<void> {
    if (this.state.status !== 'offline') return
    this.live = null
    this.lastRun = ''
    this.set({ status: 'ready' })
    await this.load(true)
    if (this.state.error) this.set({ status: 'offline', error: null })
  }

  private finish(): void {
    if (this.live) this.live = ended(this.live, 'stopped')
    this.paint()
    this.live = null
    this.set({ status: 'ready' })
    void queryClient.invalidateQueries({ queryKey: ['sessions'] })
    void queryClient.invalidateQueries({ queryKey: ['notes'] })
  }

  private fail(error: unknown): void {
    const hint = error instanceof Problem ? error.hint : ''
    const message = error instanceof Error ? error.message : String(error)
    if (this.live) this.live = { ...ended(this.live, 'failed'), error: { message, hint } }
    this.finish()
  }
}

/** Return the words of the last question. */
export function lastQuestion(messages: readonly Message[]): string {
  const question = messages.findLast(message => message.role === 'user')
  return question ? textOf(question) : ''
}
