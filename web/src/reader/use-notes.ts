/** The notes of a document as highlights of its text, and what is done with them while reading. */

import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { get, send } from '../api/client'
import { queryClient } from '../api/queries'
import type { Color, Note } from '../api/types'
import type { Highlight, Span } from '../book/viewer'
import { translate } from '../i18n'
import { notify, notifyError } from '../ui/toast'

export type NoteChange = { body?: string; color?: Color }

export const ofDocument = (doc: string) =>
  queryOptions({
    queryKey: ['notes', doc, 'reader'],
    queryFn: ({ signal }) =>
      get<{ notes: Note[] }>('/api/notes', { doc, uncapped: true, limit: 10_000 }, signal).then(told => told.notes),
  })

/** Return the notes of a document and the highlights that they are. The text being read, they obey no bound. */
export function useNotes(document: string, enabled: boolean) {
  const { data: notes } = useQuery({ ...ofDocument(document), enabled })
  const highlights = useMemo(() => (notes ?? []).flatMap(note => highlightOf(note) ?? []), [notes])
  return { notes: notes ?? [], highlights }
}

function highlightOf({ id, locator, color, body, state }: Note): Highlight | null {
  if (!locator || state === 'lost') return null
  return { id, span: { start: locator.start, end: locator.end }, color, rects: locator.rects, label: body }
}

/** Make a note at a span and return it; null when that did not work, which was said. */
export async function addNote(document: string, span: Span, color: Color): Promise<Note | null> {
  const body = { doc: document, span: [span.start, span.end], color, uncapped: true }
  return tried(document, () => send<Note>('POST', '/api/notes', body))
}

export async function changeNote(note: Note, change: NoteChange): Promise<void> {
  const path = `/api/notes/${encodeURIComponent(note.id)}`
  await tried(note.document.id, () => send<Note>('PATCH', path, { ...change, uncapped: true }))
}

/** Remove a note; it can be made again for a while. */
export async function removeNote(note: Note): Promise<void> {
  const path = `/api/notes/${encodeURIComponent(note.id)}`
  await tried(note.document.id, async () => {
    await send('DELETE', `${path}?uncapped=true`)
    notify(translate('mark.removed'), { label: translate('mark.undo'), run: () => void restore(note) })
  })
}

async function restore({ document, locator, body, color, tags }: Note): Promise<void> {
  if (!locator) return
  const made = { doc: document.id, span: [locator.start, locator.end], body, color, tags, uncapped: true }
  await tried(document.id, () => send('POST', '/api/notes', made))
}

async function tried<T>(document: string, run: () => Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    notifyError(error)
    return null
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['notes', document] })
    void queryClient.invalidateQueries({ queryKey: ['notes', null] })
  }
}
