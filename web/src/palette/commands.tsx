/** Listens for the keys that work everywhere; what they open is loaded when it is asked for. */

import { lazy, Suspense, useEffect, useState } from 'react'

const Palette = lazy(() => import('./palette'))
const Shortcuts = lazy(() => import('./shortcuts'))

export type Opened = 'palette' | 'shortcuts' | null
const ASKED = 'glossator-commands'

/** Open the palette or the list of shortcuts, from wherever. */
export function openCommands(what: Exclude<Opened, null>): void {
  dispatchEvent(new CustomEvent(ASKED, { detail: what }))
}

/** Return what a key opens, or null. `?` belongs to a field while one types. */
export function openedBy(event: KeyboardEvent): Opened {
  if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k')
    return 'palette'
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
  return event.key === '?' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey ? 'shortcuts' : null
}

export function Commands() {
  const [opened, setOpened] = useState<Opened>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const what = openedBy(event)
      if (!what || event.defaultPrevented) return
      event.preventDefault()
      setOpened(now => (now === what ? null : what))
    }
    const onAsked = (event: Event) => setOpened((event as CustomEvent<Opened>).detail)
    addEventListener('keydown', onKey)
    addEventListener(ASKED, onAsked)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener(ASKED, onAsked)
    }
  }, [])
  const close = () => setOpened(null)
  return (
    <Suspense fallback={null}>
      {opened === 'palette' && <Palette onClose={close} onShortcuts={() => setOpened('shortcuts')} />}
      {opened === 'shortcuts' && <Shortcuts onClose={close} />}
    </Suspense>
  )
}
