/** A few lines of a passage around the words that were looked for. */

export type Piece = { text: string; marked: boolean }
const LENGTH = 220
const BEFORE = 60
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Return the pieces of an excerpt, those marked that are words of the query or begin with one. */
export function excerpt(text: string, query: string): Piece[] {
  const flat = text.replace(/\s+/g, ' ')
  const words = wordsOf(query)
  if (!words.length) return [{ text: clip(flat, 0), marked: false }]
  const pattern = new RegExp(
    words.map(one => (CJK.test(one) ? '' : '(?<![\\p{L}\\p{N}])') + escaped(one)).join('|'),
    'giu',
  )
  const first = flat.search(pattern)
  const shown = clip(flat, Math.max(0, first - BEFORE))
  const pieces: Piece[] = []
  let from = 0
  for (const match of shown.matchAll(pattern)) {
    if (match.index > from) pieces.push({ text: shown.slice(from, match.index), marked: false })
    pieces.push({ text: match[0], marked: true })
    from = match.index + match[0].length
  }
  if (from < shown.length) pieces.push({ text: shown.slice(from), marked: false })
  return pieces
}

/** Return the words of a query, longest first; of a Chinese run also each pair of characters. */
function wordsOf(query: string): string[] {
  const words = new Set<string>()
  for (const [word] of query.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    words.add(word)
    if (CJK.test(word)) for (let n = 0; n + 2 <= word.length; n++) words.add(word.slice(n, n + 2))
  }
  return [...words].sort((a, b) => b.length - a.length)
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Return `LENGTH` letters from about `from` on, begun and ended at a space where there is one near. */
function clip(text: string, from: number): string {
  let start = from
  if (start > 0) {
    const space = text.indexOf(' ', start)
    if (space >= 0 && space - start < 20) start = space + 1
  }
  const end = Math.min(text.length, start + LENGTH)
  return (start > 0 ? '… ' : '') + text.slice(start, end).trimEnd() + (end < text.length ? ' …' : '')
}
