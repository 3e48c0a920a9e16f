/** What the frame does when the view changes: the title of the window, the focus, and how far down one was. */

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { document as documentQuery } from './api/queries'

const depths = new Map<string, number>() // how far down each entry of the history was left

/** The name of the present entry of the history: a new one when it was just made, a known one when one came back. */
function entryOf(): string {
  const state = history.state as { entry?: string } | null
  if (state?.entry) return state.entry
  const entry = `${Date.now()}.${Math.random()}`
  history.replaceState({ ...state, entry }, '')
  return entry
}

/** Follow the address: `view` is what the view is called, `main` holds it. A document is called by its title. */
export function useFrame(address: string, view: string, main: RefObject<HTMLElement | null>): void {
  const id = /^\/(?:read|map|document)\/([^/]+)/.exec(address)?.[1] ?? ''
  const known = useQuery({ ...documentQuery(decodeURIComponent(id)), enabled: false }) // what the view itself asked for
  const name = id ? (known.data?.metadata.title ?? '') : view
  const first = useRef(true)
  useEffect(() => {
    document.title = name ? `${name} – glossator` : 'glossator'
  }, [name])
  useEffect(() => {
    const box = main.current
    if (!box) return
    const entry = `${entryOf()} ${address}` // one entry may take several addresses in turn
    if (!first.current) {
      box.scrollTop = depths.get(entry) ?? 0
      if (document.activeElement === document.body) box.focus({ preventScroll: true })
    }
    first.current = false
    const onScroll = () => depths.set(entry, box.scrollTop)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [address, main])
}
