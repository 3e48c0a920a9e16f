/** Which of the notes of a document are shown, and how they are put in order. Pure functions. */

import type { Color, Note } from '../api/types'

export type Wanted = { words: string; colors: readonly Color[]; tag: string }
export const EVERYTHING: Wanted = { words: '', colors: [], tag: '' }

/** Return whether a note has all the words somewhere in its quotation, body or tags, one of the colours, and the tag. */
export function fits(note: Note, { words, colors, tag }: Wanted): boolean {
  if (colors.length && !colors.includes(note.color)) return false
  if (tag && !note.tags.includes(tag)) return false
  const text = folded([note.quote ?? '', note.body, ...note.tags].join('\n'))
  return folded(words)
    .split(/\s+/)
    .every(word => text.includes(word))
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}

/** Return the notes that have a place, in reading order (those about the whole document first), and those that lost it. */
export function inOrder(notes: readonly Note[]): { placed: Note[]; lost: Note[] } {
  const lost = notes.filter(note => note.state === 'lost')
  const placed = notes.filter(note => note.state !== 'lost')
  placed.sort((a, b) => (a.locator?.start ?? -1) - (b.locator?.start ?? -1))
  return { placed, lost }
}

/** Return the tags of notes, each once, by name. */
export function tagsOf(notes: readonly Note[]): string[] {
  return [...new Set(notes.flatMap(note => note.tags))].sort((a, b) => a.localeCompare(b))
}

/** Return the tags that a person wrote, separated by commas of either script; each once, without a hash. */
export function tagsIn(text: string): string[] {
  const found = text.split(/[,，、;；\n]/u).map(tag => tag.trim().replace(/^#+/, '').trim())
  return [...new Set(found.filter(tag => tag))]
}

/** A row of a list of notes over several documents: its document where another one begins, and each note. */
export type Row =
  | { kind: 'document'; key: string; id: string; title: string }
  | { kind: 'note'; key: string; note: Note }

/** Return notes as rows, in their order, under the document that they stand in. */
export function rowsOf(notes: readonly Note[]): Row[] {
  const rows: Row[] = []
  let last = ''
  for (const note of notes) {
    const { id, title } = note.document
    if (id !== last) rows.push({ kind: 'document', key: `${id} before ${note.id}`, id, title })
    rows.push({ kind: 'note', key: note.id, note })
    last = id
  }
  return rows
}
