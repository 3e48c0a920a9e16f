/** What keys and buttons ask for, carried out. */

import { useEffect, useRef } from 'react'
import type { Source, Viewer } from '../book/viewer'
import { usePreferences } from '../preferences'
import type { ReaderHandle } from './handle'
import { type Command, commandOf, isTaken } from './keys'
import type { Layers } from './use-layers'

export function useCommands(
  viewer: Viewer | null,
  source: Source,
  layers: Layers,
  goTo: ReaderHandle['goTo'],
  fail: (error: unknown) => void,
) {
  const { card, menu, close, setTab, setMenu, setBars } = layers
  const { flow } = usePreferences().reading
  const lines = source.kind === 'reflowable' && flow === 'paginated' ? null : viewer?.line
  const deeds: Record<Command, () => unknown> = {
    next: () => viewer?.next(),
    previous: () => viewer?.previous(),
    'line-down': () => (lines ? lines(true) : viewer?.next()),
    'line-up': () => (lines ? lines(false) : viewer?.previous()),
    start: () => goTo({ start: 0, end: 1 }),
    end: () => goTo({ start: Math.max(source.characters - 1, 0), end: source.characters }),
    find: () => setTab('find'),
    contents: () => setTab('contents'),
    close: () => (card || menu ? close(viewer) : setTab(null)),
    menu: () => menu && setMenu('focused'),
    'zoom-in': () => viewer?.zoom?.set('in'),
    'zoom-out': () => viewer?.zoom?.set('out'),
    'zoom-reset': () => viewer?.zoom?.set('page-width'),
  }
  const run = (command: Command) => void Promise.resolve(deeds[command]()).catch(fail)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Tab') setBars(true)
    const command = isTaken(event) ? null : commandOf(event, viewer?.leftwards ?? false)
    const line = command === 'line-down' || command === 'line-up'
    if (!command || (command === 'menu' && !menu) || (line && source.kind === 'paged' && !lines)) return
    event.preventDefault()
    run(command)
  }
  useKeys(press)
  return { run, press }
}

/** Listen for keys on the page itself; those inside the text come through the viewer. */
function useKeys(press: (event: KeyboardEvent) => void): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listener = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [])
}
