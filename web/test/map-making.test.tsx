import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { begin, end, foundBy, type Making, useMaking, type Wanted } from '../src/map/making'

const wanted: Wanted = { kind: 'summary', doc: 'd1' }
let asked: [string, string][]
let answers: (path: string, method: string) => Response
let seen: Making | null

function Watch() {
  seen = useMaking(wanted)
  return null
}

const json = (value: unknown) => Response.json(value)
const told = (...all: unknown[]) =>
  new Response(all.map(one => `data: ${JSON.stringify(one)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  asked = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    asked.push([init.method ?? 'GET', path])
    return answers(path, init.method ?? 'GET')
  })
  act(() => createRoot(document.createElement('div')).render(<Watch />))
})
afterEach(async () => {
  await act(() => end(wanted))
  vi.unstubAllGlobals()
})

test('what a model found is kept, and put away when it is not wanted', async () => {
  answers = path => {
    if (path === '/api/analysis') return json({ id: 'j1', state: 'queued', result: null, error: null })
    if (path.endsWith('/events')) return told({ event: 'progress', file: '', done: 1, total: 2 })
    return json({ id: 'j1', state: 'done', result: { summary: 'So.', model: 'm', stopped: null }, error: null })
  }
  await act(() => begin(wanted))
  expect(foundBy<{ summary: string }>(seen)?.summary).toBe('So.')
  await act(() => end(wanted))
  expect(seen).toBeNull()
  expect(asked.some(([method]) => method === 'DELETE')).toBe(false)
})

test('a work that failed says why and what to do', async () => {
  answers = path =>
    path === '/api/analysis'
      ? Response.json({ code: 'model', detail: 'no model is chosen', hint: 'set one' }, { status: 424 })
      : json({})
  await act(() => begin(wanted))
  expect(seen).toEqual({ state: 'failed', message: 'no model is chosen', hint: 'set one' })
})

test('a work that is stopped is cancelled on the server and leaves nothing', async () => {
  let cancelled = false
  answers = (path, method) => {
    if (path === '/api/analysis') return json({ id: 'j2', state: 'queued', result: null, error: null })
    if (method === 'DELETE') cancelled = true
    if (path.endsWith('/events'))
      return new Response(new ReadableStream({ start: stream => void setTimeout(() => stream.close(), 50) }))
    return json({ id: 'j2', state: cancelled ? 'cancelled' : 'running', result: null, error: null })
  }
  await act(async () => {
    const begun = begin(wanted)
    await new Promise(resolve => setTimeout(resolve, 10))
    await end(wanted)
    await begun
  })
  expect(cancelled).toBe(true)
  expect(seen).toBeNull()
})
