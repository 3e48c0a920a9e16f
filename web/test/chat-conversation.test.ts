/** A conversation against a server that is played: what it asks for, and what it shows when the line is cut. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Conversation } from '../src/chat/conversation'
import { textOf } from '../src/chat/message'
import type { Chunk } from '../src/chat/stream'

type Request = { path: string; method: string; headers: Headers; body: Record<string, unknown> | null }
type Played = Response | (() => Response) | Error

const CHUNKS: Chunk[] = [
  { type: 'start', messageId: 'r1', messageMetadata: { session: 's1', model: 'x:y' } },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Wax is made ' },
  { type: 'text-delta', id: 't', delta: 'by bees.' },
  { type: 'text-end', id: 't' },
  { type: 'finish' },
  {
    type: 'data-answer',
    data: {
      answer: 'Wax is made by bees.',
      abstained: false,
      citations: [],
      rejected: [],
      steps: [],
      model: 'x:y',
      usage: null,
      stopped: null,
    },
  },
]
const DONE = 'data: [DONE]\n\n'
const events = (from: number, to: number) =>
  CHUNKS.slice(from, to)
    .map((chunk, n) => `id: ${from + n}\ndata: ${JSON.stringify(chunk)}\n\n`)
    .join('')
const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

function stream(text: string, broken = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      control.enqueue(new TextEncoder().encode(text))
      if (!broken) control.close()
    },
    pull(control) {
      if (broken) control.error(new TypeError('network error'))
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-glossator-session': 's1' } })
}

let requests: Request[] = []
let script: [match: string, Played][] = []

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  requests = []
  script = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null
    requests.push({ path, method, headers: new Headers(init.headers), body })
    const at = script.findIndex(([match]) => `${method} ${path}`.startsWith(match))
    const played = script[at]?.[1]
    if (at >= 0) script.splice(at, 1)
    if (played instanceof Error) throw played
    return typeof played === 'function'
      ? played()
      : (played ?? json({ title: 'Not found', detail: 'nothing played' }, 404))
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const question = { text: 'Who makes wax?', position: null, progress: undefined }
const state = (conversation: Conversation) => conversation.snapshot()
const shown = (conversation: Conversation) => state(conversation).messages.map(textOf)

describe('asking', () => {
  it('sends the question alone, learns of its session, and shows the answer', async () => {
    script = [['POST /api/chat', stream(events(0, 8) + DONE)]]
    const begun: string[] = []
    const conversation = new Conversation(null, session => begun.push(session))
    await conversation.ask(question)
    expect(requests[0]?.body).toEqual({ message: 'Who makes wax?' })
    expect(begun).toEqual(['s1'])
    expect(state(conversation)).toMatchObject({ session: 's1', status: 'ready' })
    expect(shown(conversation)).toEqual(['Who makes wax?', 'Wax is made by bees.'])
    script = [['POST /api/chat', stream(events(0, 8) + DONE)]]
    await conversation.ask(question)
    expect(requests[1]?.body).toEqual({ message: 'Who makes wax?', session: 's1' })
  })

  it('goes on after a lost line from the chunk that was heard last', async () => {
    script = [
      ['POST /api/chat', stream(events(0, 4), true)],
      ['GET /api/chat/s1/stream', new TypeError('still away')],
      ['GET /api/chat/s1/stream', stream(events(4, 8) + DONE)],
    ]
    const conversation = new Conversation(null, () => undefined)
    await conversation.ask(question)
    expect(requests.slice(1).map(request => request.headers.get('last-event-id'))).toEqual(['3', '3'])
    expect(shown(conversation)[1]).toBe('Wax is made by bees.')
    expect(state(conversation).status).toBe('ready')
  })

  it('shows what became of an answer that cannot be heard any more', async () => {
    const messages = [
      { id: 'q', role: 'user', created: '', text: 'Who makes wax?', parts: [], metadata: {} },
      {
        id: 'a',
        role: 'assistant',
        created: '',
        text: '',
        parts: [{ kind: 'text', text: 'Bees.' }],
        metadata: { question: 'q' },
      },
    ]
    script = [
      ['POST /api/chat', stream(events(0, 4), true)],
      ['GET /api/chat/s1/stream', () => new Response(null, { status: 204 })],
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages })],
    ]
    const conversation = new Conversation(null, () => undefined)
    await conversation.ask(question)
    expect(shown(conversation).at(-1)).toBe('Bees.')
  })

  it('says that the server is away, keeps what there is, and connects again', async () => {
    const away = Array.from({ length: 5 }, (): [string, Played] => ['GET /api/chat/s1/stream', new TypeError('away')])
    script = [['POST /api/chat', stream(events(0, 4), true)], ...away]
    const conversation = new Conversation(null, () => undefined)
    const asked = conversation.ask(question)
    await vi.advanceTimersByTimeAsync(20_000)
    await asked
    expect(state(conversation).status).toBe('offline')
    expect(shown(conversation)[1]).toBe('Wax is made ')
    script = [
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages: [] })],
      ['GET /api/chat/s1/stream', stream(events(0, 8) + DONE)],
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages: [] })],
    ]
    await conversation.reconnect()
    await vi.waitFor(() => expect(state(conversation).status).toBe('ready'))
    expect(shown(conversation)).toEqual(['Wax is made by bees.'])
  })

  it('puts what cannot be asked so in the place of the answer, with its hint', async () => {
    const problem = { code: 'not_found', detail: 'no document is called d', hint: 'did you mean e?' }
    script = [['POST /api/chat', json(problem, 404)]]
    const conversation = new Conversation(null, () => undefined)
    await conversation.ask(question)
    const answer = state(conversation).messages.at(-1)
    expect(answer).toMatchObject({ state: 'failed', error: { message: problem.detail, hint: problem.hint } })
    expect(state(conversation).status).toBe('ready')
  })

  it('asks nothing while an answer is in the making', async () => {
    script = [['POST /api/chat', stream(events(0, 8) + DONE)]]
    const conversation = new Conversation(null, () => undefined)
    const first = conversation.ask(question)
    await conversation.ask(question)
    await first
    expect(requests).toHaveLength(1)
  })
})

describe('coming back', () => {
  const asked = {
    id: 'q',
    role: 'user',
    created: '',
    text: 'Who makes wax?',
    parts: [{ kind: 'text', text: 'Who makes wax?' }],
    metadata: {},
  }

  it('takes up an answer that is in the making, once', async () => {
    script = [
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages: [] })],
      ['GET /api/chat/s1/stream', stream(events(0, 8) + DONE)],
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages: [asked] })],
    ]
    const conversation = new Conversation('s1', () => undefined)
    await conversation.load()
    await vi.waitFor(() => expect(state(conversation).status).toBe('ready'))
    expect(shown(conversation)).toEqual(['Who makes wax?', 'Wax is made by bees.'])
    script = [['GET /api/chat/s1/stream', stream(events(0, 8) + DONE)]]
    expect(await conversation.resume()).toBe(false)
    expect(shown(conversation)).toHaveLength(2)
  })

  it('shows what was said when nothing is in the making', async () => {
    script = [
      ['GET /api/sessions/s1', json({ id: 's1', title: '', messages: [asked], notice: 'messages are left out' })],
      ['GET /api/chat/s1/stream', () => new Response(null, { status: 204 })],
    ]
    const conversation = new Conversation('s1', () => undefined)
    await conversation.load()
    expect(state(conversation)).toMatchObject({ status: 'ready', leftOut: 'messages are left out' })
    expect(shown(conversation)).toEqual(['Who makes wax?'])
  })

  it('says why a session cannot be shown', async () => {
    const conversation = new Conversation('gone', () => undefined)
    await conversation.load()
    expect(state(conversation).error).toMatchObject({ status: 404, message: 'nothing played' })
  })
})
