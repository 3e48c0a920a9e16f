/** Which documents a shelf shows, and in which order: pure functions over the list. */

import type { DocumentEntry } from '../api/types'

export type Reading = 'unread' | 'reading' | 'finished'
export type Sort = 'read' | 'added' | 'title' | 'author'
export type Filter = {
  words: string
  reading: Reading | ''
  collection: string
  tag: string
  format: string
  sort: Sort
}
export const EVERYTHING: Filter = { words: '', reading: '', collection: '', tag: '', format: '', sort: 'read' }
export type Shelved = { entry: DocumentEntry; folded: string }

/** Return text as it is compared: without case, accents and width of letters. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Return each document with the words it is found by, folded once. */
export function shelve(documents: readonly DocumentEntry[]): Shelved[] {
  return documents.map(entry => ({ entry, folded: fold([entry.title, ...entry.authors].join('\n')) }))
}

/** Return how far a person is in a document. */
export function readingOf(entry: DocumentEntry): Reading {
  if (entry.finished) return 'finished'
  return entry.progress ? 'reading' : 'unread'
}

/** Return the documents that a filter leaves, in its order; every word must occur in the title or an author's name. */
export function filtered(shelved: readonly Shelved[], filter: Filter, language: string): DocumentEntry[] {
  const words = fold(filter.words).split(/\s+/).filter(Boolean)
  const found = shelved.filter(({ entry, folded }) => {
    if (filter.reading && readingOf(entry) !== filter.reading) return false
    if (filter.collection && !entry.collections.includes(filter.collection)) return false
    if (filter.tag && !entry.tags.includes(filter.tag)) return false
    if (filter.format && entry.format !== filter.format) return false
    return words.every(word => folded.includes(word))
  })
  return sorted(
    found.map(one => one.entry),
    filter.sort,
    language,
  )
}

function sorted(entries: DocumentEntry[], sort: Sort, language: string): DocumentEntry[] {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const byTitle = (a: DocumentEntry, b: DocumentEntry) => compare(a.title, b.title)
  const latest = (a: string | null, b: string | null) => (b ?? '').localeCompare(a ?? '')
  const orders: Record<Sort, (a: DocumentEntry, b: DocumentEntry) => number> = {
    read: (a, b) => latest(a.read, b.read) || latest(a.added, b.added) || byTitle(a, b),
    added: (a, b) => latest(a.added, b.added) || byTitle(a, b),
    title: byTitle,
    author: (a, b) => compare(a.authors[0] ?? '\uffff', b.authors[0] ?? '\uffff') || byTitle(a, b),
  }
  return entries.sort(orders[sort])
}

/** Return what was begun and is not finished, the latest first. */
export function underWay(documents: readonly DocumentEntry[], most: number): DocumentEntry[] {
  return documents
    .filter(entry => entry.read !== null && readingOf(entry) === 'reading')
    .sort((a, b) => (b.read ?? '').localeCompare(a.read ?? ''))
    .slice(0, most)
}

/** Return how often each value occurs, the most frequent first. */
export function counted(values: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
}

const HUES = [18, 42, 75, 145, 175, 205, 235, 262, 290, 325, 350] as const

/** Return the hue of the cover that is set for a title: always the same for the same title. */
export function hueOf(title: string): number {
  let hash = 0
  for (const letter of title) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return HUES[hash % HUES.length] ?? HUES[0]
}
