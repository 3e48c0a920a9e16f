/** Finding words in a text: exact, with the choice of case and of whole words. Positions are code points. */

export type Finding = { words: string; matchCase: boolean; wholeWords: boolean }
export type Found = { start: number; end: number; before: string; match: string; after: string }
const CONTEXT = 48 // characters on each side
export const MOST = 2_000 // matches

/** Return the matches in the order of the text, at most `MOST`. Any white space matches any other. */
export function find(text: string, finding: Finding): Found[] {
  const pattern = patternOf(finding)
  if (!pattern) return []
  const found: Found[] = []
  const positions = counter(text)
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length
    found.push({
      start: positions(match.index),
      end: positions(end),
      before: oneLine(text.slice(whole(text, Math.max(0, match.index - CONTEXT)), match.index)),
      match: oneLine(match[0]),
      after: oneLine(text.slice(end, whole(text, end + CONTEXT))),
    })
    if (found.length === MOST) break
  }
  return found
}

/** Return the index of the first match at or after a position, or of the last one. */
export function nearest(found: readonly Found[], position: number): number {
  const next = found.findIndex(one => one.start >= position)
  return next < 0 ? found.length - 1 : next
}

function patternOf({ words, matchCase, wholeWords }: Finding): RegExp | null {
  const parts = words.trim().split(/\s+/u).filter(Boolean)
  if (!parts.length) return null
  const inner = parts.map(part => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+')
  const [before, after] = wholeWords ? ['(?<![\\p{L}\\p{N}_])', '(?![\\p{L}\\p{N}_])'] : ['', '']
  return new RegExp(before + inner + after, matchCase ? 'gu' : 'giu')
}

/** Return a function from UTF-16 offsets, asked for in ascending order, to code points. */
function counter(text: string): (offset: number) => number {
  let at = 0
  let points = 0
  return offset => {
    for (; at < offset; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) points++
    return points
  }
}

/** An offset that does not cut a character in two. */
function whole(text: string, offset: number): number {
  return (text.charCodeAt(offset) & 0xfc00) === 0xdc00 ? offset + 1 : offset
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ')
}
