/** What the address of the search page says, and back: whoever has the address sees the same. */

import type { Mode } from '../api/finding'

export type Tab = 'search' | 'claim' | 'quote'
export type Asked = {
  tab: Tab
  /** The words, the claim or the quotation. */
  text: string
  doc: string
  collection: string
  tag: string
  mode: Mode
  k: number
  explain: boolean
  whyNot: string
  uncapped: boolean
}

const KEYS: Record<Tab, string> = { search: 'q', claim: 'claim', quote: 'quote' }
const MODES: readonly string[] = ['hybrid', 'lexical', 'vector']
export const COUNTS = [10, 20, 50, 100]

/** Return what a query string asks for; what cannot be is as if it were not there. */
export function read(query: string): Asked {
  const params = new URLSearchParams(query)
  const tab = params.has('claim') ? 'claim' : params.has('quote') ? 'quote' : 'search'
  const mode = params.get('mode') ?? ''
  const k = Number(params.get('k'))
  return {
    tab,
    text: params.get(KEYS[tab]) ?? '',
    doc: params.get('doc') ?? '',
    collection: params.get('collection') ?? '',
    tag: params.get('tag') ?? '',
    mode: MODES.includes(mode) ? (mode as Mode) : 'hybrid',
    k: COUNTS.includes(k) ? k : 10,
    explain: params.get('explain') === 'true',
    whyNot: params.get('why_not') ?? '',
    uncapped: params.get('uncapped') === 'true',
  }
}

/** Return the address of the page that asks for this; what is usual is left out. */
export function address(asked: Asked): string {
  const params = new URLSearchParams()
  if (asked.text || asked.tab !== 'search') params.set(KEYS[asked.tab], asked.text)
  for (const name of ['doc', 'collection', 'tag'] as const) if (asked[name]) params.set(name, asked[name])
  if (asked.mode !== 'hybrid') params.set('mode', asked.mode)
  if (asked.k !== 10) params.set('k', String(asked.k))
  if (asked.explain) params.set('explain', 'true')
  if (asked.explain && asked.whyNot) params.set('why_not', asked.whyNot)
  if (asked.uncapped) params.set('uncapped', 'true')
  const query = params.toString()
  return query ? `/search?${query}` : '/search'
}

/** How many of the filters are set. */
export function filtersSet(asked: Asked): number {
  const { doc, collection, tag, mode, k } = asked
  return [doc, collection, tag, mode !== 'hybrid', k !== 10].filter(Boolean).length
}
