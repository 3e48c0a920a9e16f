/** What the server says in standing sentences, in the language of the interface and without options of the command line. */

import type { Key, Translate } from '../i18n'

/** A sentence or a part of one; groups of the pattern are the slots of the text, in the order of their names. */
const SAYINGS: readonly (readonly [RegExp, Key])[] = [
  [/: read up to page (?<page>\d+)/g, 'notice.readToPage'],
  [/: read up to (?<percent>\d+)%/g, 'notice.readToPercent'],
  [/: nothing of it is read yet/g, 'notice.notBegun'],
  [/; and (?<n>\d+) more documents only as far as they were read/g, 'notice.others'],
  [/\. What comes later is hidden; --uncapped shows it\./g, 'notice.hidden'],
  [/Vectors are still being computed: searched by words only\./g, 'notice.noVectors'],
  [/Vectors are still being computed\./g, 'notice.vectorsPending'],
  [
    /Vectors of (?<n>\d+) of (?<total>\d+) documents are still being computed: those by words only\./g,
    'notice.vectors',
  ],
  [/^it is not among the documents and collections that were searched$/g, 'notice.elsewhere'],
  [/^it was read too badly to be searched: /g, 'notice.quarantined'],
  [/^nothing of it may be shown: it is not read yet$/g, 'notice.closed'],
  [/^it is at rank (?<rank>\d+); -k \d+ shows it$/g, 'notice.rank'],
  [/^(?<n>\d+) passages of other documents fit better; --doc \S+ searches it alone$/g, 'notice.behind'],
  [/^no passage of it that may be shown fits the query$/g, 'notice.unfit'],
  [/; --uncapped shows (?:it|them)/g, 'notice.nothing'],
]

/** Return a notice for the person who reads it here; what is not known stays as it is. */
export function noticeText(notice: string, t: Translate): string {
  return SAYINGS.reduce(
    (text, [pattern, key]) =>
      text.replace(pattern, (...found) => {
        const last = found.at(-1) as unknown
        return t(key, typeof last === 'object' && last ? (last as Record<string, string>) : {})
      }),
    notice,
  )
}
