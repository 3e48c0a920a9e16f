/**
 * Which character of a line a place in the text layer means. The text layer shows the characters of the file in
 * another font, stretched to the width of the line: inside a line its letters stand beside those that are printed. So
 * geometry finds the line, and the letters around the place find the character.
 */

const SEEN = 24 // letters on each side that are compared
const ENOUGH = 2 // letters that must agree
const PER_LETTER = 0.15 // what it costs to be one letter away from where geometry expects the place

/** Return the letters of a text under one form: no white space, no soft hyphens, compatible forms as one. */
export function letters(text: string): string[] {
  return Array.from(text.normalize('NFKC').replace(/[\s\p{Cc}\p{Cf}\ufffe]/gu, ''))
}

/**
 * Return the offset into the characters of a line that stands between `before` and `after`, the text of the text layer
 * on both sides of a place, near `expected`. Null where the letters do not agree.
 */
export function align(line: readonly string[], expected: number, before: string, after: string): number | null {
  const left = letters(before).slice(-SEEN).reverse()
  const right = letters(after).slice(0, SEEN)
  const wanted = Math.min(ENOUGH, left.length + right.length)
  let best: { at: number; score: number } | null = null
  for (let at = 0; at <= line.length; at++) {
    const agree = agreeing(left, line, at - 1, -1) + agreeing(right, line, at, 1)
    const score = agree - PER_LETTER * Math.abs(at - expected)
    if (agree >= wanted && (best === null || score > best.score)) best = { at, score }
  }
  return wanted === 0 ? null : (best?.at ?? null)
}

/** Return how many letters agree with the characters of a line from `at` on, going by `step`. */
function agreeing(wanted: readonly string[], line: readonly string[], at: number, step: 1 | -1): number {
  let agreed = 0
  for (let i = at; i >= 0 && i < line.length && agreed < wanted.length; i += step) {
    const found = letters(line[i] ?? '')
    if (step < 0) found.reverse()
    for (const letter of found) {
      if (agreed < wanted.length && wanted[agreed] !== letter) return agreed
      agreed++
    }
  }
  return Math.min(agreed, wanted.length)
}
