/** The only place that speaks HTTP: typed requests, and problem+json turned into an error that carries its hint. */

export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string

  constructor(status: number, code: string, message: string, hint: string) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.hint = hint
  }
}

export type Value = string | number | boolean | null | undefined
export type Params = Record<string, Value | readonly string[]>

/** Return a path with its query; what is null, undefined or false is left out. */
export function url(path: string, params: Params = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined || value === false) continue
    if (typeof value === 'object') for (const one of value) query.append(name, one)
    else query.set(name, String(value))
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

/** Throw what a response says went wrong; return it when nothing did. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  let told: { code?: string; detail?: string; title?: string; hint?: string } = {}
  if (response.headers.get('content-type')?.includes('json')) told = await response.json()
  const message = told.detail ?? told.title ?? `the server answered ${response.status}`
  throw new Problem(response.status, told.code ?? 'http', message, told.hint ?? '')
}

/** Make a request; what goes wrong is thrown as a `Problem`. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    return await checked(await fetch(path, { credentials: 'same-origin', ...init }))
  } catch (error) {
    if (error instanceof Problem || (error instanceof DOMException && error.name === 'AbortError')) throw error
    throw new Problem(0, 'unreachable', 'the server does not answer', 'start it again: glossator serve --open')
  }
}

/** GET a JSON answer. */
export async function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  const response = await ask(url(path, params), signal ? { signal } : {})
  return (await response.json()) as T
}

/** Send a JSON body and return the JSON answer (undefined when there is none). */
export async function send<T>(
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const init: RequestInit = { method }
  if (signal) init.signal = signal
  if (body !== undefined) {
    init.body = JSON.stringify(body)
    init.headers = { 'content-type': 'application/json' }
  }
  const text = await (await ask(path, init)).text()
  return (text ? JSON.parse(text) : undefined) as T
}

/** Send a JSON body that arrives also when the page is being left; nobody hears the answer. */
export function sendAtLeaving(path: string, body: unknown): void {
  const init = { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' } }
  fetch(path, { ...init, credentials: 'same-origin', body: JSON.stringify(body) }).catch(() => undefined)
}

/** Follow server-sent events until they end or the signal aborts; yields the JSON of each `data:`. */
export async function* events<T>(path: string, signal: AbortSignal): AsyncGenerator<T> {
  const response = await ask(path, { signal, headers: { accept: 'text/event-stream' } })
  if (!response.body) return
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    rest += text
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block
        .split(/\r?\n/)
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(5).trimStart())
        .join('\n')
      if (data && data !== '[DONE]') yield JSON.parse(data) as T
    }
  }
}
