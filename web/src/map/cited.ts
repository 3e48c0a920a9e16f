/** The text of a summary with the numbers of its points: pure functions. */

export type Bit = { text: string } | { points: number[] }
export type Line = { title: boolean; bits: Bit[] }

const NUMBERS = /\s?\[(\d+(?:\s?,\s?\d+)*)\]/g

/** Return the lines of a summary taken apart. A line without a number above lines with one is a title. */
export function lines(summary: string): Line[] {
  const found = summary
    .split('\n')
    .filter(line => line.trim())
    .map(bitsOf)
  return found.map((bits, n) => ({ title: plain(bits) && n + 1 < found.length && !plain(found[n + 1] ?? []), bits }))
}

function plain(bits: readonly Bit[]): boolean {
  return bits.every(bit => 'text' in bit)
}

function bitsOf(line: string): Bit[] {
  const bits: Bit[] = []
  let from = 0
  for (const match of line.matchAll(NUMBERS)) {
    if (match.index > from) bits.push({ text: line.slice(from, match.index) })
    bits.push({ points: (match[1] ?? '').split(',').map(Number) })
    from = match.index + match[0].length
  }
  if (from < line.length) bits.push({ text: line.slice(from) })
  return bits
}
