/** Which entries of the palette fit what is typed: pure functions. */

/** `also` is found like the name, but does not count as much (an author, another language). */
export type Named = { name: string; also?: string }

/** Return how well an entry fits, 0 for not at all. Every word must be somewhere in it. */
export function closeness(entry: Named, words: string): number {
  const name = folded(entry.name)
  const also = folded(entry.also ?? '')
  const wanted = folded(words).split(/\s+/).filter(Boolean)
  const weights = wanted.map(word => Math.max(weight(name, word), weight(also, word) * 0.4))
  if (weights.includes(0)) return 0
  const sum = weights.reduce((total, one) => total + one, 1)
  return name.startsWith(folded(words).trim()) ? sum + 2 : sum
}

/** Return the entries that fit, best first, at most `most`; with no words the first ones as they stand. */
export function fitting<T extends Named>(entries: readonly T[], words: string, most: number): T[] {
  if (!words.trim()) return entries.slice(0, most)
  return entries
    .map((entry, n) => ({ entry, n, close: closeness(entry, words) }))
    .filter(one => one.close > 0)
    .sort((a, b) => b.close - a.close || a.n - b.n)
    .slice(0, most)
    .map(one => one.entry)
}

function weight(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at < 0) return 0
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 2 : 1
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
}
