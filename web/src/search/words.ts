/**
 * Which words of a passage a query asked for, as the index sees words: folded, English stemmed lightly, pairs of
 * characters where a script puts no spaces. It follows `glossator.index.tokens` and `glossator.search.query`.
 */

/** `[start, end)` in UTF-16 units of the text. */
export type Range = readonly [start: number, end: number]
export type Query = { phrases: string[]; words: string[] }
/** Simplified characters by their traditional ones. */
export type Variants = ReadonlyMap<string, string>
type Folded = { text: string; at: number[] }

const STOP = new Set(
  (
    'a about all also am an and any are as at be been being but by can could did do does doing for from had has have ' +
    'having he her hers him his how i if in into is it its me my no nor not of on or our ours she should so some such ' +
    'than that the their theirs them then there these they this those to us was we were what when where which who ' +
    'whom whose why will with would you your yours'
  ).split(' '),
)
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff' +
  '\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])`
const RUN = new RegExp(
  `(?<unspaced>[${UNSPACED}]+)|(?<number>\\p{N}+(?:[.,]\\p{N}+)+)|(?<word>${LETTER}+(?:'${LETTER}+)*(?:\\+\\+|#)?)`,
  'gu',
)
const PAIRS = ['""', '“”', '„“', '«»', '「」', '『』', '＂＂']
const QUOTED = new RegExp(
  `(?:(?<!\\S)(?<minus>-))?(?:${PAIRS.map(([a, b]) => `${a}([^${a}${b}\\n]+)${b}`).join('|')})`,
  'gu',
)
const EXCLUDED = /(?<!\S)-\p{L}[^\s"“”„«»「」『』]*/gu

/** Return a query taken apart: phrases, and the words to look for one by one. What it excludes is left out. */
export function parse(query: string): Query {
  const phrases: string[] = []
  const rest = query
    .replace(QUOTED, (...found) => {
      const groups = found.at(-1) as { minus?: string }
      const phrase = found.slice(1, -3).find((one): one is string => one !== undefined && one !== '-')
      if (phrase && !groups.minus) phrases.push(phrase.trim())
      return ' '
    })
    .replace(EXCLUDED, ' ')
  const plain = rest.trim() || phrases.length ? rest : query
  return { phrases, words: [...fold(plain).text.matchAll(RUN)].map(([run]) => run) }
}

/** Return what of a text a query asked for, in order and without overlaps. */
export function marks(text: string, query: string, variants?: Variants): Range[] {
  const { phrases, words } = parse(query)
  const folded = fold(text, variants)
  const found = phrases.flatMap(phrase => spans(folded.text, phrasePattern(fold(phrase, variants).text)))
  const wanted = words.filter(word => !STOP.has(word))
  found.push(...spansOfWords(folded.text, wanted.length || phrases.length ? wanted : words, variants))
  return merged(found).map(([start, end]) => [folded.at[start] ?? 0, folded.at[end] ?? text.length])
}

function spansOfWords(text: string, words: readonly string[], variants?: Variants): Range[] {
  const stems = new Set<string>()
  const grams = new Set<string>()
  for (const word of words)
    if (isUnspaced(word)) for (const gram of gramsOf(fold(word, variants).text)) grams.add(gram)
    else stems.add(term(word))
  const found: Range[] = []
  for (const run of text.matchAll(RUN)) {
    if (run.groups?.unspaced) found.push(...spansOfGrams(run[0], run.index, grams))
    else if (fits(run[0], stems)) found.push([run.index, run.index + run[0].length])
  }
  return found
}

function spansOfGrams(run: string, from: number, grams: ReadonlySet<string>): Range[] {
  const found: Range[] = []
  for (const gram of grams)
    for (let n = run.indexOf(gram); n >= 0; n = run.indexOf(gram, n + 1)) found.push([from + n, from + n + gram.length])
  return found
}

/** A word with an apostrophe is found by the part behind it, too, unless that is a mere ending. */
function fits(word: string, stems: ReadonlySet<string>): boolean {
  const tail = word.slice(word.lastIndexOf("'") + 1)
  return stems.has(term(word)) || (tail.length > 2 && stems.has(term(tail)))
}

function term(word: string): string {
  return stem(word.replace(/['’]/g, '').replace(/(\d),(?=\d{3})/g, '$1'))
}

/** A run of one character is itself; a longer one its pairs. */
function gramsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(0, -1).map((one, n) => one + (characters[n + 1] ?? ''))
}

function isUnspaced(word: string): boolean {
  return new RegExp(`^[${UNSPACED}]`, 'u').test(word)
}

/** The words of a phrase in this order, whatever stands between them that is no letter. */
function phrasePattern(phrase: string): RegExp | null {
  const words = phrase.match(new RegExp(`[${UNSPACED}]|${LETTER}+`, 'gu'))
  if (!words) return null
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const before = isUnspaced(first) ? '' : '(?<![\\p{L}\\p{N}])'
  const after = isUnspaced(last) ? '' : '(?![\\p{L}\\p{N}])'
  return new RegExp(`${before}${words.join('[^\\p{L}\\p{N}]*')}${after}`, 'gu')
}

function spans(text: string, pattern: RegExp | null): Range[] {
  if (!pattern) return []
  return [...text.matchAll(pattern)].map(found => [found.index, found.index + found[0].length] as const)
}

function merged(ranges: Range[]): Range[] {
  const out: Range[] = []
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = out.at(-1)
    if (last && start <= last[1]) out[out.length - 1] = [last[0], Math.max(last[1], end)]
    else out.push([start, end])
  }
  return out
}

/** Return a text folded, and for each of its UTF-16 units (and its end) where in the text it comes from. */
function fold(text: string, variants?: Variants): Folded {
  let out = ''
  const at: number[] = []
  let place = 0
  for (const [one] of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    const plain = /[’‘ʼ´`′＇]/.test(one) ? "'" : one.normalize('NFKC').toLowerCase()
    const put = /[\u00ad\u200b-\u200d\u2060\ufeff]/.test(one) ? '' : (variants?.get(plain) ?? plain)
    for (let n = 0; n < put.length; n++) at.push(place)
    out += put
    place += one.length
  }
  at.push(place)
  return { text: out, at }
}

/** Suffix, what takes its place, how many letters must stand before it. The first that fits is taken. */
const SUFFIXES: readonly (readonly [suffix: string, instead: string, least: number])[] = [
  ['ational', 'ate', 3],
  ['izations', 'ise', 3],
  ['isations', 'ise', 3],
  ['ization', 'ise', 3],
  ['isation', 'ise', 3],
  ['fulness', 'ful', 3],
  ['iveness', 'ive', 3],
  ['ousness', 'ous', 3],
  ['ations', 'ate', 3],
  ['ation', 'ate', 3],
  ['ements', '', 4],
  ['ement', '', 4],
  ['ities', 'ity', 3],
  ['ings', '', 3],
  ['ying', 'y', 3],
  ['ing', '', 3],
  ['ied', 'y', 2],
  ['ies', 'y', 2],
  ['edly', '', 3],
  ['sses', 'ss', 2],
  ['xes', 'x', 1],
  ['ches', 'ch', 2],
  ['shes', 'sh', 2],
  ['zzes', 'zz', 1],
  ['ss', 'ss', 0],
  ['us', 'us', 0],
  ['ed', '', 3],
  ['es', 'e', 3],
  ['ly', '', 4],
  ['s', '', 2],
]

/** Return an English word without its commonest endings, as the index cuts them. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  let cut = word
  const found = SUFFIXES.find(([suffix, , least]) => word.endsWith(suffix) && word.length - suffix.length >= least)
  if (found) cut = undoubled(word.slice(0, word.length - found[0].length), found[0]) + found[1]
  if (cut.endsWith('e') && cut.length > 4) cut = cut.slice(0, -1)
  return cut.endsWith('iz') && cut.length > 5 ? `${cut.slice(0, -1)}s` : cut
}

function undoubled(rest: string, suffix: string): string {
  const doubled = /^(ed|ing|ings)$/.test(suffix) && rest.length > 3 && /([bdgmnprt])\1$/.test(rest)
  return doubled ? rest.slice(0, -1) : rest
}
