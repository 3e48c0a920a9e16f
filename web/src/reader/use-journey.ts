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
export type Book = { id: string; title: string }
export type Travel = ReturnType<typeof useJourney>

/** Follow the view of a document. `read` is the place that was read last, `left` one to come back to. */
export function useJourney(document: Book, read: number, left: number | null) {
  const [journey, setJourney] = useState(() => jumped(READING, left))
  const [place, setPlace] = useState<Place | null>(null)
  const now = useRef({ journey, place, saved: read, turned: false })
  now.current = { ...now.current, journey, place }

  const leave = useCallback(() => setJourney(was => jumped(was, now.current.place?.start ?? null)), [])
  const turn = useCallback(() => {
    now.current.turned = true
    setJourney(turned)
  }, [])
  const stay = useCallback(() => setJourney(READING), [])
  const start = place?.start
  const atEnd = place?.atEnd ?? false

  useEffect(() => {
    if (start === undefined) return
    const reading = readingPlace(journey, start)
    showInAddress(start, journey.left, isBegun(document.id) || now.current.turned || start === read)
    if (reading === now.current.saved && !atEnd) return
    const timer = setTimeout(() => {
      now.current.saved = reading
      const seen = { at: reading, turned: now.current.turned, atEnd: atEnd && journey.left === null }
      remember(document, seen).catch(() => {
        now.current.saved = -1 // tried again with the next place, and at leaving
      })
    }, REST)
    return () => clearTimeout(timer)
  }, [document, journey, start, atEnd, read])

  useEffect(() => {
    const last = () => {
      const { journey, place, saved } = now.current
      const reading = place && readingPlace(journey, place.start)
      if (reading === null || reading === saved) return
      now.current.saved = reading
      const begins = now.current.turned && !isBegun(document.id)
      sendAtLeaving('/api/progress', { doc: document.id, [begins ? 'at' : 'view']: reading })
    }
    addEventListener('pagehide', last)
    return () => {
      removeEventListener('pagehide', last)
      last()
    }
  }, [document])

  return { place, setPlace, left: journey.left, leave, turn, stay }
}

/**
 * A document that was not begun is begun where pages are turned, wherever that is; the server takes a first look into
 * its midst for a look only.
 */
async function remember(document: Book, { at, turned, atEnd }: { at: number; turned: boolean; atEnd: boolean }) {
  const before = queryClient.getQueryData<Progress>(['progress', document.id])
  const begins = turned && !isBegun(document.id)
  const told = await send<Progress>('POST', '/api/progress', { doc: document.id, [begins ? 'at' : 'view']: at })
  queryClient.setQueryData(['progress', document.id], told)
  if (before?.section !== told.section && told.read_to !== before?.read_to) refresh(document.id)
  if (atEnd && (turned || at === 0) && !told.finished && told.read_to >= at) await finish(document, at)
}

async function finish(document: Book, view: number): Promise<void> {
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

function isBegun(id: string): boolean {
  return (queryClient.getQueryData<Progress>(['progress', id])?.updated ?? null) !== null
}

/**
 * Keep the address true where the place is not `remembered`: while the reader is away, or only looks into a document.
 * A reload then shows the same place, and the way back.
 */
function showInAddress(at: number, left: number | null, remembered: boolean): void {
  const query = new URLSearchParams(location.search)
  const wanted = left === null && remembered ? null : String(at)
  if (query.get('at') === wanted && (left === null || query.get('from') === String(left))) return
  if (query.get('at') !== wanted) for (const name of ['at', 'end', 'from', 'note', 'q']) query.delete(name)
  if (wanted !== null) query.set('at', wanted)
  if (left !== null) query.set('from', String(left))
  const text = query.toString()
  history.replaceState(history.state, '', location.pathname + (text ? `?${text}` : ''))
}
