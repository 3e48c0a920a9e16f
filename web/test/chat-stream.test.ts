/** Transcripts recorded from the server: what was heard, and the session that it left. */

import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { describe, expect, it } from 'vitest'
import { historyOf, type StoredSession } from '../src/chat/history'
import { answerBegun, type Message, textOf } from '../src/chat/message'
import { type Chunk, partialArguments, reduce } from '../src/chat/stream'
import badtool from './chat/badtool.json'
import chinese from './chat/chinese.json'
import failed from './chat/failed.json'
import misattributed from './chat/misattributed.json'
import none from './chat/none.json'
import stopped from './chat/stopped.json'
import tools from './chat/tools.json'

type Recorded = { chunks: Chunk[]; session: StoredSession }
const RECORDED = { badtool, chinese, failed, misattributed, none, stopped, tools } as unknown as Record<
  string,
  Recorded
>

const WHOLE = ['badtool', 'chinese', 'misattributed', 'none', 'tools']

function heard(name: string, chunks = RECORDED[name]?.chunks ?? []): Message {
  return chunks.reduce(reduce, answerBegun('a'))
}

function stored(name: string): Message {
  const session = RECORDED[name]?.session
  const answer = session ? historyOf(session).at(-1) : undefined
  if (!answer) throw new Error(`${name} has no answer`)
  return answer
}

/** What a person sees of a message, without what only one of the two ways knows. */
function seen(message: Message) {
  const calls = message.parts.filter(part => part.kind === 'tool')
  return {
    text: textOf(message).trim(),
    calls: calls.map(({ id, name, args, state, result }) => ({ id, name, args, state, result })),
    reasoning: message.parts.flatMap(part => (part.kind === 'reasoning' ? [part.text] : [])),
    citations: message.citations.map(({ n, status, quote, locator }) => [n, status, quote, locator.start, locator.end]),
    rejected: message.account.rejected,
    state: message.state,
    model: message.account.model,
    limit: message.account.limit,
  }
}

describe('a streamed answer', () => {
  it.each(WHOLE)('is the same when its session is opened again: %s', name => {
    expect(seen(heard(name))).toEqual(seen(stored(name)))
  })

  it.each(WHOLE)('has the parts that the AI SDK reads: %s', async name => {
    const stream = new ReadableStream<UIMessageChunk>({
      start(control) {
        for (const chunk of RECORDED[name]?.chunks ?? []) control.enqueue(chunk as unknown as UIMessageChunk)
        control.close()
      },
    })
    let last: UIMessage | null = null
    for await (const message of readUIMessageStream({ stream })) last = message
    const theirs = (last?.parts ?? []).flatMap(part => {
      if (part.type === 'text' || part.type === 'reasoning') return [[part.type, part.text]]
      return part.type.startsWith('tool-') && 'toolCallId' in part ? [[part.type.slice(5), part.input]] : []
    })
    const ours = heard(name).parts.map(part =>
      part.kind === 'tool' ? [part.name, part.args] : [part.kind, 'text' in part ? part.text : ''],
    )
    expect(ours).toEqual(theirs)
  })

  it.each(['failed', 'stopped'])('that broke off ends alike when its session is opened again: %s', name => {
    const [now, later] = [seen(heard(name)), seen(stored(name))]
    expect(later.state).toBe(name)
    expect(later.text.startsWith(now.text)).toBe(true)
    // the thoughts of a round that was not finished are not kept; of one that failed it is said that there is no answer
    expect({ ...now, text: '', reasoning: [] }).toEqual({ ...later, text: '', reasoning: [] })
  })

  it('shows a call from its name on, with what is written of its arguments', () => {
    const chunks: Chunk[] = [
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'search' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"query": "green w' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: 'ax", "limit"' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'search', input: { query: 'green wax', limit: 3 } },
      { type: 'tool-output-available', toolCallId: 'c', output: 'one passage' },
    ]
    const states = chunks.map((_, n) => {
      const [part] = heard('', chunks.slice(0, n + 1)).parts
      return part?.kind === 'tool' ? [part.state, part.args.query] : null
    })
    expect(states).toEqual([
      ['pending', undefined],
      ['pending', 'green w'],
      ['pending', 'green wax'],
      ['running', 'green wax'],
      ['completed', 'green wax'],
    ])
  })

  it('lets no call run on when it was stopped', () => {
    const chunks: Chunk[] = [
      { type: 'start' },
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'search' },
      { type: 'abort' },
    ]
    const message = chunks.reduce(reduce, answerBegun('a'))
    expect(message.state).toBe('stopped')
    expect(message.parts[0]).toMatchObject({ state: 'stopped' })
  })

  it('says why it failed, with the hint, and keeps what there was', () => {
    const message = heard('failed')
    expect(message.state).toBe('failed')
    expect(message.error?.message).toContain('DEEPSEEK_API_KEY was refused')
    expect(message.error?.hint).toContain('set DEEPSEEK_API_KEY')
    expect(message.parts.map(part => part.kind)).toContain('tool')
  })

  it('is heard to the same end from a replay that begins again', () => {
    const half = heard('tools', RECORDED.tools?.chunks.slice(0, 20))
    expect(RECORDED.tools?.chunks.reduce(reduce, answerBegun('a'))).toEqual(heard('tools'))
    expect(half.state).toBe('running')
  })

  it('gives each call the seconds of its step', () => {
    const calls = heard('tools').parts.filter(part => part.kind === 'tool')
    expect(calls).toHaveLength(2)
    for (const call of calls) expect(call.seconds).toBeGreaterThan(0)
  })

  it('waits for a person, until there is an answer', () => {
    const question = { id: 'p1', tool: 'write_file', args: { path: 'a.md' }, question: 'write a.md?' }
    const asked = reduce(answerBegun('a'), { type: 'data-approval', id: 'p1', data: question })
    expect(asked.parts).toMatchObject([{ kind: 'approval', id: 'p1', allowed: null }])
    const allowed = reduce(asked, { type: 'data-approval', id: 'p1', data: { ...question, allowed: true } })
    expect(allowed.parts).toMatchObject([{ kind: 'approval', id: 'p1', allowed: true }])
  })
})

describe('arguments that are being written', () => {
  it.each([
    ['{', {}],
    ['{"a', {}],
    ['{"a": "x\\"y', { a: 'x"y' }],
    ['{"a": 1, "b": [1, 2', { a: 1, b: [1, 2] }],
    ['{"a": {"b": "c', { a: { b: 'c' } }],
    ['{"a": 1, "b"', { a: 1 }],
    ['', null],
    ['[1', null],
  ])('%s', (raw, read) => {
    expect(partialArguments(raw)).toEqual(read)
  })
})

describe('a session', () => {
  const text = (kind: string, words: string) => [{ kind, text: words }]

  it('puts each answer after its question, also when two were asked at once', () => {
    const session: StoredSession = {
      id: 's',
      title: null,
      messages: [
        { id: 'q1', role: 'user', created: '', text: 'one?', parts: text('text', 'one?'), metadata: {} },
        { id: 'q2', role: 'user', created: '', text: 'two?', parts: text('text', 'two?'), metadata: { model: 'm' } },
        { id: 'a1', role: 'assistant', created: '', text: '1', parts: text('text', '1'), metadata: { question: 'q1' } },
        { id: 'a2', role: 'assistant', created: '', text: '2', parts: text('text', '2'), metadata: { question: 'q2' } },
      ],
    }
    const messages = historyOf(session)
    expect(messages.map(textOf)).toEqual(['one?', '1', 'two?', '2'])
    expect(messages.map(message => message.state)).toEqual(['done', 'done', 'done', 'stopped'])
  })
})
