/** What the frame does when the view changes: the title of the window, the focus, and how far down one was. */

import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { document as documentQuery } from './api/queries'

const depths = new Map<string, number>() // how far down each address was left

/** Follow the address: `view` is what the view is called, `main` holds it. A document is called by its title. */
export function useFrame(address: string, view: string, main: RefObject<HTMLElement | null>): void {
  const id = /^\/(?:read|map|document)\/([^/]+)/.exec(address)?.[1] ?? ''
  const known = useQuery({ ...documentQuery(decodeURIComponent(id)), enabled: false }) // what the view itself asked for
  const name = id ? (known.data?.metadata.title ?? '') : view
  const back = useRef(false)
  const first = useRef(true)
  useEffect(() => {
    document.title = name ? `${name} – glossator` : 'glossator'
  }, [name])
  useEffect(() => {
    const onBack = () => {
      back.current = true
    }
    addEventListener('popstate', onBack, true)
    return () => removeEventListener('popstate', onBack, true)
  }, [])
  useEffect(() => {
    const box = main.current
    if (!box) return
    if (!first.current) {
      box.scrollTop = back.current ? (depths.get(address) ?? 0) : 0
      if (document.activeElement === document.body) box.focus({ preventScroll: true })
    }
    first.current = false
    back.current = false
    const onScroll = () => depths.set(address, box.scrollTop)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => box.removeEventListener('scroll', onScroll)
  }, [address, main])
}
