/** What the frame does when the view changes: the title of the window, the focus, and how far down one was. */

import { type RefObject, useEffect, useRef } from 'react'

const depths = new Map<string, number>() // how far down each address was left

/** Follow the address: `name` is what the view is called, `main` holds it. */
export function useFrame(address: string, name: string, main: RefObject<HTMLElement | null>): void {
  const back = useRef(false)
  const first = useRef(true)
  useEffect(() => {
    document.title = name ? `${name} · glossator` : 'glossator'
  }, [name])
  useEffect(() => {
    const onBack = () => {
      back.current = true
    }
    addEventListener('popstate', onBack, true)
    return () => removeEventListener('popstate', onBack, true)
  }, [])
  useEffect(() => {
    const view = main.current
    if (!view) return
    if (!first.current) {
      view.scrollTop = back.current ? (depths.get(address) ?? 0) : 0
      if (document.activeElement === document.body) view.focus({ preventScroll: true })
    }
    first.current = false
    back.current = false
    const onScroll = () => depths.set(address, view.scrollTop)
    view.addEventListener('scroll', onScroll, { passive: true })
    return () => view.removeEventListener('scroll', onScroll)
  }, [address, main])
}
