import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { State } from '../src/library/adding'

/** A server that runs one job after another and tells of it as ours does: the name of an event stands beside its data. */
function server(outcome: (name: string) => object) {
  const asked: string[] = []
  const names = new Map<string, string>()
  const json = (body: unknown, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  const answer = async (input: string | URL | Request, init?: RequestInit) => {
    const path = String(input)
    asked.push(`${init?.method ?? 'GET'} ${path}`)
    if (init?.body instanceof FormData) {
      const file = init.body.get('file') as File
      const id = `j${names.size + 1}`
      names.set(id, file.name)
      return json({ documents: [], job: { id, state: 'queued' } }, 202)
    }
    const id = /jobs\/(j\d+)/.exec(path)?.[1] ?? ''
    if (!path.endsWith('/events')) return json({ id, state: 'cancelled' })
    const told = [
      ['running', { id, state: 'running' }],
      ['progress', { stage: 'parsing', file: names.get(id), done: 0, total: 1 }],
      ['done', { id, state: 'done', error: null, result: { documents: [outcome(names.get(id) ?? '')] } }],
    ]
    return new Response(told.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(''))
  }
  vi.stubGlobal('fetch', vi.fn(answer))
  return asked
}

const added = (name: string) => ({ id: name, title: `Title of ${name}`, status: 'added', error: null })
let adding: typeof import('../src/library/adding')
const state = (): State => adding.adding()
const files = (...names: string[]) => names.map(name => new File(['words'], name))
const ended = () => vi.waitFor(() => expect(state().items.some(adding.underWork)).toBe(false))

beforeEach(async () => {
  vi.resetModules()
  adding = await import('../src/library/adding')
})
afterEach(() => vi.unstubAllGlobals())

it('sends files and follows each to its end', async () => {
  server(added)
  adding.addFiles(files('a.md', 'b.md', 'c.md'))
  expect(state().items.map(item => item.state)).toEqual(['sending', 'sending', 'sending'])
  await ended()
  expect(state().items.map(item => [item.state, item.documents[0]?.title])).toEqual([
    ['done', 'Title of a.md'],
    ['done', 'Title of b.md'],
    ['done', 'Title of c.md'],
  ])
})

it('puts files into the collection that was named with them', async () => {
  const asked = server(added)
  adding.addFiles(files('a.md'), 'Bees')
  adding.addFiles(files('b.md'))
  await ended()
  const sent = asked.filter(one => one.startsWith('POST'))
  expect(sent).toEqual(['POST /api/documents?wait=0&collection=Bees', 'POST /api/documents?wait=0'])
})

it('follows one stream of events at a time', async () => {
  const asked = server(added)
  adding.addFiles(files('a.md', 'b.md'))
  await ended()
  expect(asked.filter(one => one.endsWith('/events'))).toEqual(['GET /api/jobs/j1/events', 'GET /api/jobs/j2/events'])
})

it('tells why a file failed, with what to do, and without the name under which it was kept', async () => {
  const error = { code: 'parse', message: `/lib/originals/${'0'.repeat(64)}.pdf: damaged`, hint: 'copy it again' }
  server(name => ({ id: null, title: null, status: name === 'bad.pdf' ? 'failed' : 'added', error }))
  adding.addFiles(files('bad.pdf', 'good.md'))
  await ended()
  const [bad, good] = state().items
  expect(bad).toMatchObject({ state: 'failed', trouble: { message: 'damaged', hint: 'copy it again' } })
  expect(good).toMatchObject({ state: 'done', trouble: null })
})

it('says so when the server cannot be reached', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')))
  adding.addFiles(files('a.md'))
  await ended()
  expect(state().items[0]).toMatchObject({ state: 'failed', trouble: { message: 'no connection' } })
})

it('takes back what was not sent yet', async () => {
  const asked = server(added)
  adding.addFiles(files('a.md', 'b.md', 'c.md'))
  const third = state().items[2]
  if (third) await adding.cancel(third)
  await ended()
  expect(state().items.map(item => item.state)).toEqual(['done', 'done', 'cancelled'])
  expect(asked.filter(one => one.startsWith('POST'))).toHaveLength(2)
})

it('forgets what has ended when it is told to', async () => {
  server(added)
  adding.addFiles(files('a.md'))
  await ended()
  adding.clearEnded()
  expect(state().items).toEqual([])
})
