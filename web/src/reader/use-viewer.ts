/** The viewer of a page: opened in an element, told of what a person likes, closed when the page goes. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { type Appearance, type Events, openViewer, type Source, type Viewer } from '../book/viewer'
import { usePreferences } from '../preferences'

type Opened = { viewer: Viewer | null; error: unknown }

/** Open `source` at a position. Returns where to draw it, the viewer when it is there, and how to try again. */
export function useViewer(source: Source, at: number, events: Events) {
  const host = useRef<HTMLDivElement>(null)
  const [{ viewer, error }, setOpened] = useState<Opened>({ viewer: null, error: null })
  const [attempt, setAttempt] = useState(0)
  const look = useAppearance()
  const latest = useRef({ events, look, at })
  latest.current = { ...latest.current, events, look }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens it anew
  useEffect(() => {
    const element = host.current
    if (!element) return
    let here = true
    let opened: Viewer | null = null
    const { at, look } = latest.current
    openViewer(element, source, relay(latest), { at, appearance: look }).then(
      made => {
        opened = made
        if (here) setOpened({ viewer: made, error: null })
        else made.destroy()
      },
      (failure: unknown) => here && setOpened({ viewer: null, error: failure ?? new Error() }),
    )
    return () => {
      here = false
      opened?.destroy()
      setOpened({ viewer: null, error: null })
    }
  }, [source, attempt])

  useEffect(() => viewer?.setAppearance(look), [viewer, look])
  const fail = useCallback((failure: unknown) => setOpened(was => ({ ...was, error: failure ?? new Error() })), [])
  const retry = useCallback((from: number) => {
    latest.current.at = from
    setAttempt(n => n + 1)
  }, [])
  return { host, viewer, error, fail, retry }
}

function useAppearance(): Appearance {
  const { reading, theme } = usePreferences()
  const [shown, setShown] = useState<Appearance['theme']>(themeNow)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page's theme follows the chosen one
  useEffect(() => {
    setShown(themeNow())
    const watch = new MutationObserver(() => setShown(themeNow()))
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watch.disconnect()
  }, [theme])
  const kept = useRef<Appearance>({ ...reading, theme: shown })
  const next = { ...reading, theme: shown }
  if (JSON.stringify(next) !== JSON.stringify(kept.current)) kept.current = next
  return kept.current
}

function themeNow(): Appearance['theme'] {
  const theme = document.documentElement.dataset.theme
  return theme === 'dark' || theme === 'sepia' ? theme : 'light'
}

/** Events that go to whoever listens at the time. */
function relay(latest: { current: { events: Events } }): Events {
  return {
    relocate: (place, turned) => latest.current.events.relocate(place, turned),
    select: selected => latest.current.events.select(selected),
    highlight: (id, box) => latest.current.events.highlight(id, box),
    footnote: (note, box) => latest.current.events.footnote(note, box),
    leave: () => latest.current.events.leave(),
    external: href => latest.current.events.external(href),
    tap: zone => latest.current.events.tap(zone),
    key: event => latest.current.events.key(event),
    failed: error => latest.current.events.failed(error),
  }
}
