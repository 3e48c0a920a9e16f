/**
 * The server's stream (the AI SDK's UI message stream, version 7, with our `data-` chunks) into a message, chunk by
 * chunk. Pure: the same chunks give the same message, so a replay is as good as having listened.
 */

import type { Answer, Citation } from '../api/types'
import type { ApprovalPart, Coverage, Message, Part, ProgressPart, TextPart, ToolPart, Trouble } from './message'

export type Chunk = { type: string } & Record<string, unknown>
type Whole = Answer & { notice?: string; coverage?: Coverage; error?: Trouble }

/** Return the message after a chunk; a chunk that this version does not know changes nothing. */
export function reduce(message: Message, chunk: Chunk): Message {
  const id = String(chunk.id ?? chunk.toolCallId ?? '')
  switch (chunk.type) {
    case 'start':
      return begun(message, chunk)
    case 'text-start':
    case 'reasoning-start':
      return put(message, { kind: kindOf(chunk), id, text: '', open: true })
    case 'text-delta':
    case 'reasoning-delta':
      return edit<TextPart>(message, kindOf(chunk), id, part => ({ ...part, text: part.text + String(chunk.delta) }))
    case 'text-end':
    case 'reasoning-end':
      return edit<TextPart>(message, kindOf(chunk), id, part => ({ ...part, open: false }))
    case 'data-citation':
      return cited(message, chunk.data as Citation)
    case 'data-progress':
      return put(message, { ...(chunk.data as Omit<ProgressPart, 'kind' | 'id'>), kind: 'progress', id })
    case 'data-approval':
      return put(message, approvalOf(id, chunk.data as Record<string, unknown>))
    case 'data-answer':
      return answered(message, chunk.data as Whole)
    case 'abort':
      return ended(message, 'stopped')
    case 'error':
      return { ...ended(message, 'failed'), error: { message: String(chunk.errorText), hint: '' } }
    case 'finish':
      return ended(message, 'done')
    default:
      return chunk.type.startsWith('tool-') ? tool(message, id, chunk) : message
  }
}

/** Return the message after the stream broke off for good: what was open is closed, what ran is stopped. */
export function ended(message: Message, state: 'done' | 'stopped' | 'failed'): Message {
  if (message.state !== 'running') return message
  return { ...message, state, parts: message.parts.map(closed) }
}

function kindOf(chunk: Chunk): 'text' | 'reasoning' {
  return chunk.type.startsWith('text') ? 'text' : 'reasoning'
}

function begun(message: Message, chunk: Chunk): Message {
  const told = (chunk.messageMetadata ?? {}) as { model?: string }
  const account = { ...message.account, model: told.model ?? message.account.model }
  return { ...message, id: typeof chunk.messageId === 'string' ? chunk.messageId : message.id, account }
}

/** Put a part in the place of the one of its kind and id, or at the end. */
function put(message: Message, part: Part): Message {
  const at = message.parts.findIndex(known => known.kind === part.kind && known.id === part.id)
  if (at < 0) return { ...message, parts: [...message.parts, part] }
  return { ...message, parts: message.parts.with(at, part) }
}

function edit<P extends Part>(message: Message, kind: P['kind'], id: string, change: (part: P) => P): Message {
  const at = message.parts.findIndex(part => part.kind === kind && part.id === id)
  const part = message.parts[at]
  return part ? { ...message, parts: message.parts.with(at, change(part as P)) } : message
}

function tool(message: Message, id: string, chunk: Chunk): Message {
  const change = (to: (part: ToolPart) => Partial<ToolPart>) =>
    edit<ToolPart>(message, 'tool', id, part => ({ ...part, ...to(part) }))
  switch (chunk.type) {
    case 'tool-input-start':
      return put(message, toolPart(id, String(chunk.toolName)))
    case 'tool-input-delta':
      return change(part => {
        const raw = part.raw + String(chunk.inputTextDelta)
        return { raw, args: partialArguments(raw) ?? part.args }
      })
    case 'tool-input-available': {
      const args = (chunk.input ?? {}) as Record<string, unknown>
      const known = message.parts.some(part => part.kind === 'tool' && part.id === id)
      if (!known) return put(message, { ...toolPart(id, String(chunk.toolName)), args, state: 'running' })
      return change(() => ({ args, state: 'running' }))
    }
    case 'tool-output-available':
      return change(() => ({ result: asText(chunk.output), state: 'completed' }))
    case 'tool-output-error':
      return change(() => ({ result: String(chunk.errorText), state: 'failed' }))
    default:
      return message
  }
}

function toolPart(id: string, name: string): ToolPart {
  return { kind: 'tool', id, name, args: {}, raw: '', state: 'pending', result: null, seconds: null }
}

export function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function cited(message: Message, citation: Citation): Message {
  if (message.citations.some(known => known.n === citation.n)) return message
  return { ...message, citations: [...message.citations, citation].sort((a, b) => a.n - b.n) }
}

function approvalOf(id: string, data: Record<string, unknown>): ApprovalPart {
  const allowed = data.allowed ?? data.allow
  return {
    kind: 'approval',
    id: String(data.id ?? id),
    tool: String(data.tool ?? ''),
    args: (data.args ?? {}) as Record<string, unknown>,
    question: String(data.question ?? ''),
    allowed: typeof allowed === 'boolean' ? allowed : null,
  }
}

function closed(part: Part): Part {
  if (part.kind === 'tool')
    return part.state === 'pending' || part.state === 'running' ? { ...part, state: 'stopped' } : part
  if (part.kind === 'approval') return part.allowed === null ? { ...part, allowed: false } : part
  return part.kind === 'progress' ? part : { ...part, open: false }
}

/** The answer as a whole ends the message: it knows what the chunks before it do not say. */
function answered(message: Message, whole: Whole): Message {
  const citations = whole.citations.reduce(cited, message)
  return {
    ...citations,
    parts: timed(message.parts, whole.steps),
    state: whole.error ? 'failed' : message.state === 'running' ? 'done' : message.state,
    error: whole.error ? { message: whole.error.message, hint: whole.error.hint } : message.error,
    account: {
      ...message.account,
      model: whole.model,
      abstained: whole.abstained,
      notice: whole.notice ?? null,
      rejected: whole.rejected,
      coverage: whole.coverage ?? null,
      usage: whole.usage,
      limit: whole.stopped,
    },
  }
}

/** Give each call the seconds and the state of its step: the stream tells a stopped call as a failed one. */
function timed(parts: Part[], steps: Answer['steps']): Part[] {
  const left = [...steps]
  return parts.map(part => {
    if (part.kind !== 'tool') return part
    const args = JSON.stringify(part.args)
    const at = left.findIndex(step => step.tool === part.name && JSON.stringify(step.args) === args)
    const [step] = at < 0 ? [] : left.splice(at, 1)
    return step ? { ...part, seconds: step.seconds, state: step.state as ToolPart['state'] } : part
  })
}

/** Return the arguments that a text which is still being written holds, or null when it does not say yet. */
export function partialArguments(raw: string): Record<string, unknown> | null {
  const { tail, inString } = openEnds(raw)
  const ends = inString ? `"${tail}` : tail
  const candidates = [
    raw + ends,
    raw.replace(/,?\s*"[^"]*"?\s*:?\s*$/, '') + tail,
    raw.replace(/[,:]\s*[^,:]*$/, '') + tail,
  ]
  for (const text of candidates) {
    try {
      const read: unknown = JSON.parse(text)
      if (read && typeof read === 'object' && !Array.isArray(read)) return read as Record<string, unknown>
    } catch {
      // the next candidate cuts off more
    }
  }
  return null
}

function openEnds(raw: string): { tail: string; inString: boolean } {
  const bare = raw.replace(/"(?:\\.|[^"\\])*"/gs, '')
  const quote = bare.indexOf('"')
  const closes: string[] = []
  for (const c of quote < 0 ? bare : bare.slice(0, quote)) {
    if (c === '{') closes.unshift('}')
    else if (c === '[') closes.unshift(']')
    else if (c === '}' || c === ']') closes.shift()
  }
  return { tail: closes.join(''), inString: quote >= 0 }
}
