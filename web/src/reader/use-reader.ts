/** What happens on the page of a document: the viewer, where it is, what is selected, what lies over and beside it. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import type { DocumentShown, Progress } from '../api/types'
import type { Events, Place, Selected, Source, Span } from '../book/viewer'
import { openCommands, openedBy } from '../palette/commands'
import { usePreferences } from '../preferences'
import type { Card } from './cards'
import type { Going, ReaderHandle } from './handle'
import { type Command, commandOf, isTaken } from './keys'
import type { Tab } from './side'
import { useJourney } from './use-journey'
import { useViewer } from './use-viewer'
import { placeIn, type Wanted } from './wanted'

export type Opening = { document: DocumentShown; source: Source; progress: Progress; wanted: Wanted }
export type Reader = ReturnType<typeof useReader>

export function useReader({ document, source, progress, wanted }: Opening) {
  const title = document.metadata.title
  const book = useMemo(() => ({ id: document.id, title }), [document.id, title])
  const at = wanted.span?.start ?? progress.position
  const travel = useJourney(book, progress.position, leftBy(wanted, progress))
  const [selected, setSelected] = useState<Selected | null>(null)
  const [menu, setMenu] = useState<'shown' | 'focused' | null>(null)
  const [card, setCard] = useState<Card | null>(null)
  const [bars, setBars] = useState(true)
  const [tab, setTab] = useState<Tab | null>(wanted.words ? 'find' : wanted.panel)
  const [marked, setMarked] = useState('')
  const going = useRef(0)
  const place = travel.place

  const events: Events = {
    relocate: (next, turned) => {
      if (!going.current && place && (turned ?? isTurn(place, next))) {
        travel.turn()
        if (isPhone()) setBars(false)
      }
      travel.setPlace(next)
    },
    select: next => {
      setSelected(next)
      setMenu(next ? 'shown' : null)
      if (next) setCard(null)
    },
    highlight: (id, box) => setCard({ kind: 'note', id, box }),
    footnote: (note, box) => setCard({ kind: 'footnote', note, box }),
    leave: () => {
      setMarked('')
      travel.leave()
    },
    external: href => setCard({ kind: 'external', href }),
    tap: zone => {
      if (card || menu) return close()
      if (zone !== 'middle') return run((zone === 'end') === !opened.viewer?.leftwards ? 'next' : 'previous')
      if (isPhone()) setBars(shown => !shown)
    },
    key: event => {
      const commands = openedBy(event) // the frame does not hear the keys of a part
      if (!commands) return press(event)
      event.preventDefault()
      openCommands(commands)
    },
    failed: error => opened.fail(error),
  }
  const opened = useViewer(source, at, events)
  const { viewer, fail } = opened

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
  const { leave, left, stay } = travel
  const goTo = useCallback(
    (span: Span, how?: Going) => {
      leave()
      setCard(null)
      if (isPhone()) setTab(null)
      void show(span, how)
    },
    [leave, show],
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

  useEffect(() => {
    if (viewer && wanted.span && wanted.marked) void show(wanted.span, { mark: true })
  }, [viewer, wanted, show])
  useFollowedAddress(place, goTo)

  const close = () => {
    setCard(null)
    setMenu(null)
    viewer?.deselect()
  }
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
    close: () => (card || menu ? close() : setTab(null)),
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

  const handle: ReaderHandle = useMemo(
    () => ({ document: book.id, title: book.title, place, selected, goTo }),
    [book, place, selected, goTo],
  )
  return {
    ...opened,
    at,
    book,
    place,
    left,
    stay,
    back,
    goTo,
    slide,
    run,
    selected,
    menu,
    setMenu,
    close,
    card,
    setCard,
    bars,
    tab,
    setTab,
    marked,
    handle,
  }
}

/** The place to come back to for who opened the page at words of a citation or at a note, away from what was read. */
function leftBy(wanted: Wanted, { position, updated }: Progress): number | null {
  if (wanted.from !== null) return wanted.from
  const looks = wanted.marked || wanted.note !== null
  return looks && updated !== null && wanted.span?.start !== position ? position : null
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

/** Go where the address leads when it changes while the page stays: a link to another place of the same document. */
function useFollowedAddress(place: Place | null, goTo: ReaderHandle['goTo']): void {
  const search = useSearch()
  const known = useRef(search)
  useEffect(() => {
    if (known.current === search) return
    known.current = search
    const { span, marked } = placeIn(new URLSearchParams(search))
    if (span && (marked || span.start !== place?.start)) goTo(span, { mark: marked })
  }, [search, place, goTo])
}

function isTurn(before: Place, after: Place): boolean {
  return Math.abs(after.start - before.start) >= Math.max(1, (before.end - before.start) / 2)
}

export function isPhone(): boolean {
  return matchMedia('(max-width: 639px)').matches
}
