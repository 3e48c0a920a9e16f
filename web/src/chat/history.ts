/** A stored session as the same messages that its stream made. */

import type { Citation, Rejected, Usage } from '../api/types'
import {
  type Account,
  type LedgerEntry,
  type Message,
  type MessageState,
  type Part,
  type ToolState,
  UNKNOWN,
  userMessage,
} from './message'
import { asText } from './stream'

type StoredPart = { kind: string } & Record<string, unknown>
export type StoredMessage = {
  id: string
  role: string
  created: string
  text: string
  parts: StoredPart[]
  metadata: { question?: string; model?: string }
  bound?: { documents: string[] | null }
}
export type StoredSession = { id: string; title: string | null; messages: StoredMessage[]; notice?: string | null }

/** Return the messages of a session, each answer after its question. */
export function historyOf(session: StoredSession): Message[] {
  const answers = new Map<string, StoredMessage[]>()
  for (const message of session.messages) {
    const { question } = message.metadata
    if (question !== undefined) answers.set(question, [...(answers.get(question) ?? []), message])
  }
  const shown: Message[] = []
  for (const message of session.messages) {
    if (message.role === 'user') {
      shown.push(userMessage(message.id, message.text, message.created))
      const byModel = message.metadata.model !== undefined
      for (const answer of answers.get(message.id) ?? []) shown.push(answerOf(answer, byModel))
    } else if (message.role === 'assistant' && message.metadata.question === undefined)
      shown.push(answerOf(message, false))
  }
  return shown
}

/** Return the one document that a session was about last, or null. */
export function documentOfLast(session: StoredSession): string | null {
  const documents = session.messages.findLast(message => message.role === 'user')?.bound?.documents
  return documents?.length === 1 ? (documents[0] ?? null) : null
}

function answerOf(stored: StoredMessage, byModel: boolean): Message {
  const record = stored.parts.find(part => part.kind === 'record')?.data as Record<string, unknown> | undefined
  return {
    id: stored.id,
    role: 'assistant',
    created: stored.created,
    parts: stored.parts.map(partOf).filter(part => part !== null),
    citations: stored.parts.filter(part => part.kind === 'citation') as unknown as Citation[],
    state: stateOf(record, byModel),
    error: null,
    account: record ? accountOf(record) : UNKNOWN,
  }
}

/** A model's answer without a record: what wrote it was killed before its end. */
function stateOf(record: Record<string, unknown> | undefined, byModel: boolean): MessageState {
  if (record?.ended === 'failed') return 'failed'
  return record?.ended === 'interrupted' || (byModel && !record) ? 'stopped' : 'done'
}

function partOf(part: StoredPart, n: number): Part | null {
  switch (part.kind) {
    case 'text':
    case 'reasoning':
      return { kind: part.kind, id: `${part.kind}-${n}`, text: String(part.text), open: false }
    case 'tool':
      return {
        kind: 'tool',
        id: String(part.id),
        name: String(part.name),
        args: (part.args ?? {}) as Record<string, unknown>,
        raw: '',
        state: part.state as ToolState,
        result: asText(part.result),
        seconds: typeof part.seconds === 'number' ? part.seconds : null,
      }
    case 'progress':
      return {
        kind: 'progress',
        id: `progress-${n}`,
        label: String(part.label),
        done: Number(part.done),
        total: typeof part.total === 'number' ? part.total : null,
      }
    default:
      return null
  }
}

function accountOf(record: Record<string, unknown>): Account {
  return {
    model: typeof record.model === 'string' ? record.model : null,
    abstained: record.abstained === true,
    notice: typeof record.notice === 'string' ? record.notice : null,
    rejected: (record.rejected ?? []) as Rejected[],
    coverage: null,
    usage: (record.usage ?? null) as Usage | null,
    limit: typeof record.stopped === 'string' ? record.stopped : null,
    seconds: typeof record.seconds === 'number' ? record.seconds : null,
    ledger: (record.ledger ?? null) as LedgerEntry[] | null,
  }
}
