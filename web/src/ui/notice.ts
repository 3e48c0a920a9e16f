/** What the server says in standing sentences, in the language of the interface and without options of the command line. */

import type { Key, Translate } from '../i18n'

type Saying = readonly [pattern: RegExp, key: Key]
const HIDDEN = /^(?<bounds>.+)\. What comes later is hidden(?:; --uncapped shows it)?\.(?: (?<more>.+))?$/s
/** How far each document was read; groups of a pattern are the slots of its text. */
const BOUNDS: readonly Saying[] = [
  [/^(?<title>.+): read up to page (?<page>\d+)$/s, 'notice.page'],
  [/^(?<title>.+): read up to (?<percent>\d+)%$/s, 'notice.percent'],
  [/^(?<title>.+): nothing of it is read yet$/s, 'notice.notBegun'],
  [/^and (?<n>\d+) more documents? only as far as they were read$/, 'notice.others'],
]
/** Sentences that may stand before what is hidden. */
const BEFORE: readonly Saying[] = [
  [/^Vectors are still being computed: searched by words only\./, 'notice.noVectors'],
  [/^Vectors are still being computed\./, 'notice.vectorsPending'],
  [
    /^Vectors of (?<n>\d+) of (?<total>\d+) documents are still being computed: those by words only\./,
    'notice.vectors',
  ],
]
/** Whole sentences on why a document was not found. */
const REASONS: readonly Saying[] = [
  [/^it is not among the documents and collections that were searched$/, 'notice.elsewhere'],
  [/^it was read too badly to be searched: (?<why>.+)$/s, 'notice.quarantined'],
  [/^nothing of it may be shown: it is not read yet$/, 'notice.closed'],
  [/^it is at rank (?<rank>\d+); -k \d+ shows it$/, 'notice.rank'],
  [/^(?<n>\d+) passages of other documents fit better; --doc \S+ searches it alone$/, 'notice.behind'],
  [/^no passage of it that may be shown fits the query$/, 'notice.unfit'],
]

/** Return a notice for the person who reads it here; what is told otherwise than is known here stays as it came. */
export function noticeText(notice: string, t: Translate): string {
  for (const saying of BEFORE) {
    const found = saying[0].exec(notice)
    if (found) return [said(found[0], saying, t), noticeText(notice.slice(found[0].length).trim(), t)].join(' ').trim()
  }
  const { bounds, more } = HIDDEN.exec(notice)?.groups ?? {}
  if (!bounds) return oneOf(REASONS, notice, t).replace(/; --uncapped shows (?:it|them)(?=\.)/g, '')
  const told = parted(bounds).map(bound => oneOf(BOUNDS, bound, t))
  return [t('notice.hidden', { bounds: told.join('; ') }), more].filter(Boolean).join(' ')
}

/** Titles may hold a semicolon, too: a part that says nothing of reading belongs to the next one. */
function parted(bounds: string): string[] {
  const parts: string[] = []
  let open = ''
  for (const part of bounds.split('; ')) {
    open = open ? `${open}; ${part}` : part
    if (!BOUNDS.some(([pattern]) => pattern.test(open))) continue
    parts.push(open)
    open = ''
  }
  return open ? [...parts, open] : parts
}

function oneOf(sayings: readonly Saying[], text: string, t: Translate): string {
  const saying = sayings.find(([pattern]) => pattern.test(text))
  return saying ? said(text, saying, t) : text
}

function said(text: string, [pattern, key]: Saying, t: Translate): string {
  const slots = pattern.exec(text)?.groups ?? {}
  return t(key, slots.n ? { ...slots, n: Number(slots.n) } : slots)
}
