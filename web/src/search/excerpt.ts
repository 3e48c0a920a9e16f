/** The part of a passage that a list shows: around the words that were asked for, cut where words end. */

import { marks, type Range, type Variants } from './words'

export type Piece = { text: string; marked: boolean }
export type Excerpt = { pieces: Piece[]; before: boolean; after: boolean }

/** Return about `length` characters of a passage with its marks; `before` and `after` say that something is left out. */
export function excerpt(text: string, query: string, length: number, variants?: Variants): Excerpt {
  const found = marks(text, query, variants)
  const [start, end] = text.length <= length * 1.2 ? [0, text.length] : window(text, found, length)
  return { pieces: cut(text, found, start, end), before: start > 0, after: end < text.length }
}

/** Return the sentence of a passage that holds most of what was asked for: what a claim may be made of. */
export function bestSentence(text: string, query: string, language?: string | null): string {
  const found = marks(text, query)
  let best = ''
  let most = -1
  for (const { segment, index } of new Intl.Segmenter(language ?? undefined, { granularity: 'sentence' }).segment(
    text,
  )) {
    const sentence = segment.trim()
    const held = found.filter(([a, b]) => a >= index && b <= index + segment.length)
    const weight = held.reduce((sum, [a, b]) => sum + b - a, 0)
    if (sentence && weight > most) [best, most] = [sentence, weight]
  }
  return best
}

/** Where the marks stand closest, with a little of what comes before. */
function window(text: string, found: readonly Range[], length: number): Range {
  let best = 0
  let most = -1
  for (const [start] of found) {
    const held = found.filter(([a, b]) => a >= start && b <= start + length)
    const weight = held.reduce((sum, [a, b]) => sum + b - a, 0)
    if (weight > most) [best, most] = [start, weight]
  }
  const from = Math.max(0, Math.min(best - Math.round(length / 4), text.length - length))
  return [from === 0 ? 0 : wordStart(text, from), wordEnd(text, Math.min(text.length, from + length))]
}

function wordStart(text: string, from: number): number {
  const gap = text.slice(from, from + 24).search(/\s/)
  return gap < 0 ? whole(text, from) : from + gap + 1
}

function wordEnd(text: string, to: number): number {
  if (to >= text.length) return text.length
  const gap = text.slice(to - 24, to).search(/\s\S*$/)
  return gap < 0 ? whole(text, to) : to - 24 + gap
}

/** A place between two characters, never inside of one. */
function whole(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at
}

function cut(text: string, found: readonly Range[], start: number, end: number): Piece[] {
  const pieces: Piece[] = []
  let from = start
  for (const [a, b] of found) {
    if (b <= start || a >= end) continue
    if (a > from) pieces.push({ text: text.slice(from, a), marked: false })
    pieces.push({ text: text.slice(Math.max(a, from), Math.min(b, end)), marked: true })
    from = b
  }
  if (from < end) pieces.push({ text: text.slice(from, end), marked: false })
  return pieces
}
