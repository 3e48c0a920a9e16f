/** What is found in documents and made of them: searching, quotations, claims, maps, summaries, names. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from './client'
import type { Shown } from './queries'
import type { DocumentName, Hit, Locator } from './types'

export type Mode = 'hybrid' | 'lexical' | 'vector'
export type Scope = { doc?: string | null; collection?: string | null; tag?: string | null } & Shown

/** How a passage came to its place. */
export type Trace = {
  arms: {
    lexical: { rank: number; score: number } | null
    vector: { model: string; rank: number; score: number }[]
  }
  fusion: { method: string; score: number }
  rerank: Record<string, unknown> | null
  filtered?: { document: string[] | null; collection: string[] | null }
}
export type WhyNot = { document: string; rank: number | null; reason: string; trace: Trace | null }
export type Found = {
  hits: (Omit<Hit, 'trace'> & { trace?: Trace })[]
  took_ms: number
  notice: string | null
  why_not?: WhyNot
}
export type Looking = Scope & { query: string; mode: Mode; k: number; explain: boolean; why_not?: string | null }

export const search = (asked: Looking) =>
  queryOptions({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => get<Found>('/api/search', asked, signal),
    enabled: asked.query.trim() !== '',
    placeholderData: keepPreviousData,
  })

export type Near = { document: string; text: string; score: number; locator: Locator }
export type Located = {
  status: 'verified' | 'repaired' | 'not_found'
  repairs: string[]
  occurrences: number
  document: string | null
  locator: Locator | null
  near: Near[]
  notice?: string
}

export const locate = (quote: string, doc: string | null, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['locate', quote, doc, shown],
    queryFn: ({ signal }) => get<Located>('/api/locate', { quote, doc, ...shown }, signal),
    enabled: quote.trim() !== '',
  })

export type Stance = 'supports' | 'contradicts' | 'mentions'
export type Stand = { stance: Stance; document: DocumentName; text: string; locator: Locator }
export type Compared = { passages: Stand[]; notice?: string }

export const compare = (claim: string, scope: Omit<Scope, 'tag'>) =>
  queryOptions({
    queryKey: ['compare', claim, scope],
    queryFn: ({ signal }) => get<Compared>('/api/compare', { claim, ...scope }, signal),
    enabled: claim.trim() !== '',
  })

export type MapNode = { title: string; locator: Locator; children: MapNode[] }
export type DocumentMap = MapNode & { notice?: string }

export const map = (doc: string, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['map', doc, shown],
    queryFn: ({ signal }) => get<DocumentMap>('/api/map', { doc, ...shown }, signal),
    staleTime: 60_000,
  })

export type Point = { text: string; locator: Locator }
export type Coverage = { read: [number, number][]; missing: [number, number][] }
export type Summary = { summary: string; points: Point[]; coverage: Coverage; notice?: string }

/** The summary of a section with its subsections, or (null) of the document; under a bound the story so far. */
export const summary = (doc: string, section: number | null, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['summary', doc, section, shown],
    queryFn: ({ signal }) => get<Summary>('/api/summary', { doc, section, ...shown }, signal),
    staleTime: 60_000,
  })

export type Named = { name: string; kind: string; count: number; first: Locator; about?: string; also?: string[] }
export type People = { names: Named[]; notice?: string }

export const people = (doc: string, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['people', doc, shown],
    queryFn: ({ signal }) => get<People>('/api/people', { doc, ...shown }, signal),
    staleTime: 60_000,
  })

/** The address of a passage in the reader, which marks it. */
export function passageHref(locator: Locator): string {
  return `/read/${encodeURIComponent(locator.document)}?at=${locator.start}&end=${locator.end}`
}
