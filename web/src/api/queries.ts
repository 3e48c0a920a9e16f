/** What several views ask of the server, under one key each, so that they share and refresh it together. */

import { QueryClient, queryOptions } from '@tanstack/react-query'
import { get, Problem } from './client'
import type { Collection, DocumentEntry, DocumentShown, Job, Note, Part, Progress, SessionEntry, Tag } from './types'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
    },
  },
})

/** What a view may see of a document: `uncapped` lifts the bound of an unfinished book. */
export type Shown = { uncapped?: boolean }

export const documents = () =>
  queryOptions({
    queryKey: ['documents'],
    queryFn: ({ signal }) =>
      get<{ documents: DocumentEntry[]; total: number }>('/api/documents', { limit: 10_000 }, signal),
  })

export const document = (id: string, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['document', id, shown],
    queryFn: ({ signal }) => get<DocumentShown>(`/api/documents/${encodeURIComponent(id)}`, shown, signal),
  })

/** The parts of the file, all of them: what a person reads in is never cut at where they have been. */
export const parts = (id: string) =>
  queryOptions({
    queryKey: ['parts', id],
    queryFn: ({ signal }) =>
      get<{ parts: Part[] }>(`/api/documents/${encodeURIComponent(id)}/parts`, { uncapped: true }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const progress = (id: string) =>
  queryOptions({
    queryKey: ['progress', id],
    queryFn: ({ signal }) => get<Progress>('/api/progress', { doc: id }, signal),
  })

export const notes = (id: string | null, shown: Shown = {}) =>
  queryOptions({
    queryKey: ['notes', id, shown],
    queryFn: ({ signal }) => get<{ notes: Note[] }>('/api/notes', { doc: id, ...shown }, signal),
  })

export const collections = () =>
  queryOptions({
    queryKey: ['collections'],
    queryFn: ({ signal }) => get<{ collections: Collection[] }>('/api/collections', {}, signal),
  })

export const tags = () =>
  queryOptions({ queryKey: ['tags'], queryFn: ({ signal }) => get<{ tags: Tag[] }>('/api/tags', {}, signal) })

export const jobs = () =>
  queryOptions({
    queryKey: ['jobs'],
    queryFn: ({ signal }) => get<{ jobs: Job[] }>('/api/jobs', { limit: 100 }, signal),
  })

export const sessions = () =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => get<{ sessions: SessionEntry[] }>('/api/sessions', {}, signal),
  })
