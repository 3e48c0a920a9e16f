import { Copy, MessageCircleQuestion, Scale, Search, StickyNote } from 'lucide-react'
import type { Color } from '../api/types'
import type { Selected } from '../book/viewer'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { Colors } from './colors'
import { Floating } from './floating'

export type Doings = {
  highlight(color: Color): void
  note(): void
  ask(): void
  copy(): void
  search(): void
  compare(): void
}

/** What can be done with the words that are selected. */
export function SelectionMenu({
  selected,
  doings,
  focus,
  onClose,
}: {
  selected: Selected
  doings: Doings
  focus: boolean
  onClose(): void
}) {
  const t = useText()
  const coarse = matchMedia('(pointer: coarse)').matches // the system's own menu stands over the selection
  const others = [
    ['selection.note', doings.note, StickyNote],
    ['selection.ask', doings.ask, MessageCircleQuestion],
    ['selection.copy', doings.copy, Copy],
    ['selection.search', doings.search, Search],
    ['search.elsewhere', doings.compare, Scale],
  ] as const
  return (
    <Floating
      box={selected.box}
      below={coarse}
      role="toolbar"
      label={t('selection.menu')}
      testId="selection-menu"
      focus={focus}
      onClose={onClose}
      className="flex flex-wrap items-center p-1"
    >
      <Colors onChoose={doings.highlight} />
      <span className="mx-1 h-6 w-px bg-line" aria-hidden />
      {others.map(([name, run, Icon]) => (
        <IconButton key={name} label={t(name)} onClick={run}>
          <Icon size={18} aria-hidden />
        </IconButton>
      ))}
    </Floating>
  )
}
