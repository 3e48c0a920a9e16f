/** What an address asks for besides the document: a place, words that are to be marked, a note, words to find. */

import { get } from '../api/client'
import type { Note } from '../api/types'
import type { Span } from '../book/viewer'

export type Wanted = {
  span: Span | null
  marked: boolean
  /** The place to come back to, where the address says one. */
  from: number | null
  note: string | null
  words: string
  /** What is to stand beside the text. */
  panel: 'notes' | null
}

/** Return what a query asks for; the place of a note is where the server says it is. */
export async function wantedIn(query: URLSearchParams): Promise<Wanted> {
  const note = query.get('note')
  const words = query.get('q') ?? ''
  const from = numberIn(query.get('from'))
  const panel = query.get('panel') === 'notes' ? 'notes' : null
  if (!note) return { ...placeIn(query), from, note, words, panel }
  const { locator } = await get<Note>(`/api/notes/${encodeURIComponent(note)}`, { uncapped: true })
  return { span: locator && { start: locator.start, end: locator.end }, marked: false, from, note, words, panel }
}

/** Return the place in a query: `at`, and `end` where the words up to there are to be marked. */
export function placeIn(query: URLSearchParams): { span: Span | null; marked: boolean } {
  const at = numberIn(query.get('at'))
  const end = numberIn(query.get('end'))
  if (at === null) return { span: null, marked: false }
  const marked = end !== null && end > at
  return { span: { start: at, end: marked ? end : at + 1 }, marked }
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
