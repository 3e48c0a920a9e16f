/** The requests of a conversation: asking, listening to an answer (also from the middle), stopping, allowing. */

import { ask, get, send, url } from './client'

/** What ends a stream that was heard to its end. */
export const DONE = '[DONE]'
export type Heard = { number: number; data: { type: string } & Record<string, unknown> }
export type Stream = { session: string | null; chunks: AsyncGenerator<Heard> }

/** Ask, and hear the answer; it goes on when nobody listens. */
export async function begin(body: Record<string, unknown>, signal: AbortSignal): Promise<Stream> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  return streamOf(await ask('/api/chat', { method: 'POST', body: JSON.stringify(body), headers, signal }))
}

/** Hear the last answer of a session after the event of that number (-1: from the first), or null when there is none. */
export async function hear(session: string, after: number, signal: AbortSignal): Promise<Stream | null> {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (after >= 0) headers['last-event-id'] = String(after)
  const response = await ask(`/api/chat/${encodeURIComponent(session)}/stream`, { headers, signal })
  return response.status === 204 ? null : streamOf(response)
}

export const stop = (session: string) =>
  send<{ stopped: boolean }>('POST', `/api/chat/${encodeURIComponent(session)}/stop`)

export const approve = (session: string, id: string, allow: boolean) =>
  send('POST', `/api/chat/${encodeURIComponent(session)}/approve`, { id, allow })

export const session = <T>(id: string, uncapped: boolean) =>
  get<T>(`/api/sessions/${encodeURIComponent(id)}`, { uncapped })

/** Return the address of a session as a file. */
export const exportOf = (id: string, format: 'markdown' | 'json') =>
  url(`/api/sessions/${encodeURIComponent(id)}/export`, { format })

export const removeSession = (id: string) => send('DELETE', `/api/sessions/${encodeURIComponent(id)}`)

function streamOf(response: Response): Stream {
  return { session: response.headers.get('x-glossator-session'), chunks: numbered(response) }
}

async function* numbered(response: Response): AsyncGenerator<Heard> {
  if (!response.body) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/)
      const number = Number(lines.find(line => line.startsWith('id:'))?.slice(3) ?? Number.NaN)
      const data = lines
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(5).trimStart())
        .join('\n')
      if (data) yield { number, data: data === DONE ? { type: DONE } : (JSON.parse(data) as Heard['data']) }
    }
  }
}
