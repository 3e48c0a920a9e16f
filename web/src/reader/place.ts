/** What can be said of a place in a document: its section, how far it is, how long the rest takes. */

import type { ContentsEntry } from '../api/types'
import type { Span } from '../book/viewer'

const LATIN = 1_300 // characters a minute
const CHINESE = 420

/** Return the innermost entry of the contents that a position stands in; null before the first, or where none is known. */
export function sectionAt(contents: readonly ContentsEntry[], position: number): ContentsEntry | null {
  let found: ContentsEntry | null = null
  for (const entry of contents) {
    if (entry.start === null || entry.start > position || (entry.end !== null && position >= entry.end)) continue
    if (!found || entry.level >= found.level) found = entry
  }
  return found
}

/** Return the minutes that reading `characters` takes, rounded up. */
export function minutesFor(characters: number, language: string | null): number {
  const pace = /^(zh|ja)\b/.test(language ?? '') ? CHINESE : LATIN
  return Math.ceil(Math.max(characters, 0) / pace)
}

export function percentOf(fraction: number): number {
  return Math.min(100, Math.max(0, Math.floor(fraction * 100)))
}

/** Return a quotation with its source, as the program itself writes it: `glossator verify` reads it again. */
export function citation(
  document: { id: string; title: string },
  { start, end }: Span,
  words: string,
  where: string | null,
): string {
  const [open, close] = /\p{Script=Han}/u.test(words) ? ['「', '」'] : ['“', '”']
  const link = `glossator://document/${document.id}?start=${start}&end=${end}`
  return `${open}${words.trim()}${close} (${[document.title, where, link].filter(Boolean).join(', ')})`
}
