/** What happens on the page of a document: the viewer, where it is, what is selected, what lies over and beside it. */

import { useMemo, useRef } from 'react'
import type { DocumentShown, Progress } from '../api/types'
import type { Events, Place, Source } from '../book/viewer'
import { openCommands, openedBy } from '../palette/commands'
import type { ReaderHandle } from './handle'
import { useCommands } from './use-commands'
import { useAddress, useGoing } from './use-going'
import { type Travel, useJourney } from './use-journey'
import { isPhone, type Layers, useLayers } from './use-layers'
import { useViewer } from './use-viewer'
import type { Wanted } from './wanted'

export type Opening = { document: DocumentShown; source: Source; progress: Progress; wanted: Wanted }
export type Reader = ReturnType<typeof useReader>
/** What the events of a viewer are answered with; known after it is made, hence looked up when one comes. */
type Answers = {
  ways: ReturnType<typeof useGoing>
  commands: ReturnType<typeof useCommands>
  opened: ReturnType<typeof useViewer>
}

export function useReader({ document, source, progress, wanted }: Opening) {
  const title = document.metadata.title
  const book = useMemo(() => ({ id: document.id, title }), [document.id, title])
  const at = wanted.span?.start ?? progress.position
  const travel = useJourney(book, progress.position, leftBy(wanted, progress))
  const layers = useLayers(wanted.words ? 'find' : wanted.panel)
  const answers = useRef<Answers | null>(null)
  const opened = useViewer(source, at, eventsOf(answers, travel, layers))
  const { viewer, fail } = opened
  const ways = useGoing(viewer, fail, travel, layers)
  const commands = useCommands(viewer, source, layers, ways.goTo, fail)
  answers.current = { ways, commands, opened }
  const { place, left, stay } = travel
  useAddress(ways, viewer, wanted, place)
  const { goTo, slide, back, marked } = ways
  const { selected } = layers
  const handle: ReaderHandle = useMemo(
    () => ({ document: book.id, title: book.title, place, selected, goTo }),
    [book, place, selected, goTo],
  )
  const close = () => layers.close(viewer)
  return {
    ...opened,
    ...layers,
    at,
    book,
    place,
    left,
    stay,
    back,
    goTo,
    slide,
    run: commands.run,
    marked,
    close,
    handle,
  }
}

function eventsOf(answers: { current: Answers | null }, travel: Travel, layers: Layers): Events {
  const { place } = travel
  const { setCard, setBars } = layers
  return {
    relocate: (next, turned) => {
      if (!answers.current?.ways.going.current && place && (turned ?? isTurn(place, next))) {
        travel.turn()
        if (isPhone()) setBars(false)
      }
      travel.setPlace(next)
    },
    select: layers.select,
    highlight: (id, box) => setCard({ kind: 'note', id, box }),
    footnote: (note, box) => setCard({ kind: 'footnote', note, box }),
    leave: () => {
      answers.current?.ways.setMarked('')
      travel.leave()
    },
    external: href => setCard({ kind: 'external', href }),
    tap: zone => {
      const viewer = answers.current?.opened.viewer ?? null
      if (layers.card || layers.menu) layers.close(viewer)
      else if (zone !== 'middle')
        answers.current?.commands.run((zone === 'end') === !viewer?.leftwards ? 'next' : 'previous')
      else if (isPhone()) setBars(shown => !shown)
    },
    key: event => {
      const commands = openedBy(event) // the frame does not hear the keys of a part
      if (!commands) return answers.current?.commands.press(event)
      event.preventDefault()
      openCommands(commands)
    },
    failed: error => answers.current?.opened.fail(error),
  }
}

/** The place to come back to for who opened the page at words of a citation or at a note, away from what was read. */
function leftBy(wanted: Wanted, { position, updated }: Progress): number | null {
  if (wanted.from !== null) return wanted.from
  const looks = wanted.marked || wanted.note !== null
  return looks && updated !== null && wanted.span?.start !== position ? position : null
}

function isTurn(before: Place, after: Place): boolean {
  return Math.abs(after.start - before.start) >= Math.max(1, (before.end - before.start) / 2)
}
