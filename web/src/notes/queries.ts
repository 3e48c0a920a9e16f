/** What the views of notes ask of the server. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get } from '../api/client'
import type { Color, Hit, Locator, Note, NoteState, Relation, SearchAnswer } from '../api/types'

export type Linked = {
  id: string
  relation: Relation
  direction: 'in' | 'out'
  document: { id: string; title: string }
  quote: string
}
export type Near = { document: string; text: string; score: number; locator: Locator }
export type Asked = {
  query: string
  doc: string
  colors: readonly Color[]
  tag: string
  state: NoteState | ''
  uncapped: boolean
}
export type Found = { notes: Note[]; total: number; notice?: string }

const PAGE = 100

/** The notes of the library, a page at a time: the newest first, or those that fit a query best. */
export const allNotes = (asked: Asked) =>
  infiniteQueryOptions({
    queryKey: ['notes', null, 'all', asked],
    queryFn: ({ signal, pageParam }) => {
      const { query, doc, colors, tag, state, uncapped } = asked
      const options = { query, doc, color: colors, tag, state, uncapped, limit: PAGE, offset: pageParam }
      const given = Object.entries(options).filter(([, value]) => value !== '')
      return get<Found>('/api/notes', Object.fromEntries(given), signal)
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const had = pages.reduce((sum, page) => sum + page.notes.length, 0)
      return last.notes.length > 0 && had < last.total ? had : undefined
    },
  })

/** The links of a note, each with the words at its other end. */
export const linksOf = (note: string) =>
  queryOptions({
    queryKey: ['note', note, 'links'],
    queryFn: ({ signal }) =>
      get<{ links: Linked[] }>(`/api/notes/${encodeURIComponent(note)}`, { uncapped: true }, signal).then(n => n.links),
  })

/** What may be the words of a lost note now: where they stand, or what is nearest to them; else passages about the same. */
export const nearTo = (quote: string, doc: string) =>
  queryOptions({
    queryKey: ['near', doc, quote],
    queryFn: async ({ signal }): Promise<{ near: Near[]; about: Hit[] }> => {
      const asked = { quote, doc, uncapped: true }
      const found = await get<{ locator: Locator | null; near?: Near[] }>('/api/locate', asked, signal)
      if (found.locator) {
        const text = found.locator.quote?.exact ?? quote
        return { near: [{ document: doc, text, score: 1, locator: found.locator }], about: [] }
      }
      if (found.near?.length) return { near: found.near, about: [] }
      const query = { query: quote.slice(0, 1_000), doc, k: 3, uncapped: true }
      return { near: [], about: (await get<SearchAnswer>('/api/search', query, signal)).hits }
    },
  })
