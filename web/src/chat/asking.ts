/** What a question is asked of, and how far it may see: the choices of the composer as the options of the server. */

import type { ContentsEntry, Progress } from '../api/types'
import type { Span } from '../book/viewer'

export type Scope =
  | { kind: 'selection'; document: string; span: Span; text: string }
  | { kind: 'chapter'; document: string; span: Span; title: string }
  | { kind: 'book'; document: string }
  | { kind: 'collection'; name: string }
  | { kind: 'library' }
/** `spoilers` null: as each document has it. `model` null: the one that is set. */
export type Choices = { scope: Scope; spoilers: 'hide' | 'show' | null; model: string | null; research: boolean }
export const CHOICES: Choices = { scope: { kind: 'library' }, spoilers: null, model: null, research: false }

export function selectionIn(
  document: string,
  { span, text }: { span: Span; text: string },
): Scope & { kind: 'selection' } {
  return { kind: 'selection', document, span, text }
}

export function sameScope(a: Scope, b: Scope): boolean {
  if (a.kind !== b.kind || documentOf(a) !== documentOf(b)) return false
  if ('span' in a && 'span' in b) return a.span.start === b.span.start && a.span.end === b.span.end
  return a.kind !== 'collection' || (b.kind === 'collection' && a.name === b.name)
}

export function documentOf(scope: Scope): string | null {
  return 'document' in scope ? scope.document : null
}

/** Return whether a document hides what comes after the reading place when nothing else is asked for. */
export function hidesByItself(progress: Progress | undefined): boolean {
  return progress !== undefined && progress.spoilers === 'hide' && !progress.finished
}

/** Return whether a question asked so leaves out what was not read. Of several documents, each has its own default. */
export function isHiding(choices: Choices, progress: Progress | undefined): boolean {
  if (choices.spoilers) return choices.spoilers === 'hide'
  return documentOf(choices.scope) === null || hidesByItself(progress)
}

export type Asked = { text: string; session: string | null; position: number | null; progress: Progress | undefined }

/** Return the body of a question: only what differs from what the server does by itself. */
export function bodyOf({ text, session, position, progress }: Asked, choices: Choices): Record<string, unknown> {
  const { scope } = choices
  const body: Record<string, unknown> = { message: text }
  if (session) body.session = session
  if (scope.kind === 'collection') body.collection = scope.name
  if ('document' in scope) {
    body.doc = scope.document
    if (position !== null) body.position = position
  }
  if ('span' in scope) body.selection = `${scope.span.start}:${scope.span.end}`
  if (choices.spoilers === 'show') body.uncapped = true
  if (choices.spoilers === 'hide' && 'document' in scope && !hidesByItself(progress)) body.up_to = 'progress'
  if (choices.model) body.model = choices.model
  if (choices.research) body.research = true
  return body
}

/** How far was read: the page where that is known, else the share in percent; null where nothing is hidden. */
export type ReadTo = { page: number } | { percent: number }

export function readTo(progress: Progress | undefined, characters: number | undefined): ReadTo | null {
  if (!progress || progress.finished) return null
  // what the server tells of page and share is of the place that is looked at
  if (progress.page !== null && progress.position === progress.read_to) return { page: progress.page }
  return characters ? { percent: Math.floor((100 * progress.read_to) / characters) } : null
}

/** Return the innermost section that a place is in; null where its title is hidden, or there is none. */
export function chapterAt(contents: readonly ContentsEntry[], position: number | null): ContentsEntry | null {
  if (position === null) return null
  let found: ContentsEntry | null = null
  for (const entry of contents) {
    if (entry.start === null || entry.end === null || entry.title === null) continue
    if (entry.start <= position && position < entry.end && (!found || entry.level >= found.level)) found = entry
  }
  return found
}
