/** The ways to another place of a document, each of which leaves a way back. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import type { Place, Span, Viewer } from '../book/viewer'
import type { Going } from './handle'
import type { Travel } from './use-journey'
import { isPhone, type Layers } from './use-layers'
import { placeIn, type Wanted } from './wanted'

/** Return the ways, the words that are marked, and whether the viewer is on its way just now. */
export function useGoing(viewer: Viewer | null, fail: (error: unknown) => void, travel: Travel, layers: Layers) {
  const [marked, setMarked] = useState('')
  const going = useRef(0)
  const { leave, left, stay } = travel
  const { setCard, setTab } = layers
  const show = useCallback(
    async (span: Span, how: Going = {}) => {
      if (!viewer) return
      going.current++
      try {
        await viewer.goTo(span, how)
        setMarked(viewer.marked())
      } catch (error) {
        fail(error)
      } finally {
        going.current--
      }
    },
    [viewer, fail],
  )
  const goTo = useCallback(
    (span: Span, how?: Going) => {
      leave()
      setCard(null)
      if (isPhone()) setTab(null)
      void show(span, how)
    },
    [leave, show, setCard, setTab],
  )
  /** Move to a position, staying at what lies beside the text. */
  const slide = useCallback(
    (position: number) => {
      leave()
      void show({ start: position, end: position + 1 })
    },
    [leave, show],
  )
  const back = useCallback(() => {
    if (left !== null) void show({ start: left, end: left + 1 }).then(stay)
  }, [left, show, stay])
  return { show, goTo, slide, back, marked, setMarked, going }
}

/** Go where the address leads: when the page opens, the words to mark; later, a link to another place of the document. */
export function useAddress(
  ways: Pick<ReturnType<typeof useGoing>, 'show' | 'goTo'>,
  viewer: Viewer | null,
  wanted: Wanted,
  place: Place | null,
): void {
  const { show, goTo } = ways
  useEffect(() => {
    if (viewer && wanted.span && wanted.marked) void show(wanted.span, { mark: true })
  }, [viewer, wanted, show])
  const search = useSearch()
  const known = useRef(search)
  useEffect(() => {
    if (known.current === search) return
    known.current = search
    const { span, marked } = placeIn(new URLSearchParams(search))
    if (span && (marked || span.start !== place?.start)) goTo(span, { mark: marked })
  }, [search, place, goTo])
}
