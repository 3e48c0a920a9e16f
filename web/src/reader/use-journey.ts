/** Where the reader is, has been, and wants to come back to: remembered on the server and in the address. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { send, sendAtLeaving } from '../api/client'
import { queryClient } from '../api/queries'
import type { Progress } from '../api/types'
import type { Place } from '../book/viewer'
import { translate } from '../i18n'
import { notify } from '../ui/toast'
import { jumped, READING, readingPlace, turned } from './journey'

const REST = 900 // ms at a place until it is remembered
export type Travel = ReturnType<typeof useJourney>

/** Follow the view of a document. `began` is the place that was read last, `away` whether the page opened elsewhere. */
export function useJourney(document: { id: string; title: string }, began: number, away: boolean) {
  const [journey, setJourney] = useState(() => (away ? jumped(READING, began) : READING))
  const [place, setPlace] = useState<Place | null>(null)
  const now = useRef({ journey, place, saved: began })
  now.current = { ...now.current, journey, place }

  const leave = useCallback(() => setJourney(was => jumped(was, now.current.place?.start ?? null)), [])
  const turn = useCallback(() => setJourney(turned), [])
  const stay = useCallback(() => setJourney(READING), [])
  const start = place?.start
  const atEnd = place?.atEnd ?? false

  useEffect(() => {
    if (start === undefined) return
    const reading = readingPlace(journey, start)
    showInAddress(journey.left === null ? null : start)
    if (reading === now.current.saved && !atEnd) return
    const timer = setTimeout(() => {
      now.current.saved = reading
      remember(document, reading, atEnd && journey.left === null).catch(() => {
        now.current.saved = -1 // tried again with the next place, and at leaving
      })
    }, REST)
    return () => clearTimeout(timer)
  }, [document, journey, start, atEnd])

  useEffect(() => {
    const last = () => {
      const { journey, place, saved } = now.current
      const reading = place && readingPlace(journey, place.start)
      if (reading === null || reading === saved) return
      now.current.saved = reading
      sendAtLeaving('/api/progress', { doc: document.id, view: reading })
    }
    addEventListener('pagehide', last)
    return () => {
      removeEventListener('pagehide', last)
      last()
    }
  }, [document])

  return { place, setPlace, left: journey.left, leave, turn, stay }
}

async function remember(document: { id: string; title: string }, view: number, atEnd: boolean): Promise<void> {
  const before = queryClient.getQueryData<Progress>(['progress', document.id])
  const told = await send<Progress>('POST', '/api/progress', { doc: document.id, view })
  queryClient.setQueryData(['progress', document.id], told)
  if (before?.section !== told.section && told.read_to !== before?.read_to) refresh(document.id)
  if (atEnd && !told.finished && told.read_to >= view) await finish(document, view)
}

async function finish(document: { id: string; title: string }, view: number): Promise<void> {
  const set = async (body: object) => {
    queryClient.setQueryData(['progress', document.id], await send<Progress>('POST', '/api/progress', body))
    refresh(document.id)
  }
  await set({ doc: document.id, finished: true })
  notify(translate('reader.finished', { title: document.title }), {
    label: translate('reader.unfinish'),
    run: () => void set({ doc: document.id, at: view }),
  })
}

/** Ask again for what a bound cuts: more was read. */
export function refresh(id: string): void {
  for (const key of ['document', 'notes', 'text']) void queryClient.invalidateQueries({ queryKey: [key, id] })
  void queryClient.invalidateQueries({ queryKey: ['documents'] })
}

/** Keep the address true while the reader is away, so that a reload shows the same place. */
function showInAddress(at: number | null): void {
  const query = new URLSearchParams(location.search)
  const shown = query.get('at')
  if (at === null ? shown === null : shown === String(at)) return
  for (const name of ['at', 'end', 'note', 'q']) query.delete(name)
  if (at !== null) query.set('at', String(at))
  const text = query.toString()
  history.replaceState(history.state, '', location.pathname + (text ? `?${text}` : ''))
}
