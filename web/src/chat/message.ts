/** A conversation as it is shown: messages of typed parts, the same whether they are streamed or come from a session. */

import type { Citation, Rejected, Usage } from '../api/types'

export type ToolState = 'pending' | 'running' | 'completed' | 'failed' | 'stopped'
export type TextPart = { kind: 'text' | 'reasoning'; id: string; text: string; open: boolean }
export type ToolPart = {
  kind: 'tool'
  id: string
  name: string
  args: Record<string, unknown>
  /** The arguments as far as they are written. */
  raw: string
  state: ToolState
  result: string | null
  seconds: number | null
}
export type ProgressPart = { kind: 'progress'; id: string; label: string; done: number; total: number | null }
export type ApprovalPart = {
  kind: 'approval'
  id: string
  tool: string
  args: Record<string, unknown>
  question: string
  /** null while it waits for the person. */
  allowed: boolean | null
}
export type Part = TextPart | ToolPart | ProgressPart | ApprovalPart

export type Coverage = { read: [number, number][]; missing: [number, number][] }
export type LedgerEntry = {
  round: number
  host: string
  remote: boolean
  bytes: number
  requests: number
  passages: { document: string; start: number; end: number }[]
  input_tokens: number
  output_tokens: number
  cost: number | null
}
/** How an answer came about; what is not known yet is null. */
export type Account = {
  model: string | null
  abstained: boolean
  notice: string | null
  rejected: Rejected[]
  coverage: Coverage | null
  usage: Usage | null
  /** The limit that ended it. */
  limit: string | null
  seconds: number | null
  ledger: LedgerEntry[] | null
}
export type MessageState = 'running' | 'done' | 'stopped' | 'failed'
export type Trouble = { message: string; hint: string }
export type Message = {
  id: string
  role: 'user' | 'assistant'
  created: string | null
  parts: Part[]
  citations: Citation[]
  state: MessageState
  error: Trouble | null
  account: Account
}

export const UNKNOWN: Account = {
  model: null,
  abstained: false,
  notice: null,
  rejected: [],
  coverage: null,
  usage: null,
  limit: null,
  seconds: null,
  ledger: null,
}

export function userMessage(id: string, text: string, created: string | null = null): Message {
  return {
    id,
    role: 'user',
    created,
    parts: [{ kind: 'text', id: 'text', text, open: false }],
    citations: [],
    state: 'done',
    error: null,
    account: UNKNOWN,
  }
}

/** Return an answer of which nothing was heard yet. */
export function answerBegun(id: string): Message {
  return {
    id,
    role: 'assistant',
    created: null,
    parts: [],
    citations: [],
    state: 'running',
    error: null,
    account: UNKNOWN,
  }
}

/** Return the words of a message: its text parts, joined. */
export function textOf(message: Message): string {
  return message.parts.map(part => (part.kind === 'text' ? part.text : '')).join('')
}
