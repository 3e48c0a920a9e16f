import { ChevronLeft, ChevronRight, Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ContentsEntry } from '../api/types'
import type { Place } from '../book/viewer'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { minutesFor, percentOf } from './place'

const STILL = 180 // ms that the slider rests until its place is shown

/** Where one is in the document, and how far it is to the end; the slider moves through it. */
export function FootBar({
  place,
  section,
  characters,
  language,
  leftwards,
  onGo,
  onTurn,
}: {
  place: Place
  section: ContentsEntry | null
  characters: number
  language: string | null
  leftwards: boolean
  onGo(position: number): void
  onTurn(forward: boolean): void
}) {
  const t = useText()
  const [dragged, setDragged] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the view moved: the slider shows where it is
  useEffect(() => setDragged(null), [place])
  useEffect(() => {
    if (dragged === null) return
    const timer = setTimeout(() => onGo(dragged), STILL)
    return () => clearTimeout(timer)
  }, [dragged, onGo])
  const at = dragged ?? place.start
  const said = [section?.title, ...toldOf(t, place, section, characters, language)].filter(Boolean).join(' · ')
  const [first, second] = leftwards ? [true, false] : [false, true]
  return (
    <footer className="pointer-events-auto flex items-center gap-1 bg-ground px-2 pb-[env(safe-area-inset-bottom)]">
      <IconButton label={t(first ? 'reader.next' : 'reader.previous')} onClick={() => onTurn(first)}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <div className="grid min-w-0 flex-1 justify-items-center">
        <input
          type="range"
          role="slider"
          dir={leftwards ? 'rtl' : undefined}
          aria-label={t('reader.position')}
          aria-valuetext={t('reader.percent', { percent: percentOf(at / Math.max(characters, 1)) })}
          min={0}
          max={Math.max(characters - 1, 1)}
          value={at}
          onChange={event => setDragged(Number(event.target.value))}
          className="h-5 w-full max-w-3xl cursor-pointer accent-(--accent) opacity-70 hover:opacity-100 focus-visible:opacity-100"
        />
        <p className="max-w-full truncate pb-1 text-xs text-muted tabular-nums">
          {dragged === null ? said : t('reader.percent', { percent: percentOf(dragged / Math.max(characters, 1)) })}
        </p>
      </div>
      <IconButton label={t(second ? 'reader.next' : 'reader.previous')} onClick={() => onTurn(second)}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
    </footer>
  )
}

function toldOf(
  t: ReturnType<typeof useText>,
  place: Place,
  section: ContentsEntry | null,
  characters: number,
  language: string | null,
): string[] {
  const told = [t('reader.percent', { percent: percentOf(place.atEnd ? 1 : place.fraction) })]
  if (place.page !== null) told.unshift(t('reader.page', { page: place.page }))
  if (section?.end && section.end < characters)
    told.push(t('reader.minutesChapter', { n: minutesFor(section.end - place.start, language) }))
  else if (!place.atEnd) {
    const minutes = minutesFor(characters - place.start, language)
    const hours = Math.round(minutes / 60)
    told.push(hours > 2 ? t('reader.hoursBook', { n: hours }) : t('reader.minutesBook', { n: minutes }))
  }
  return told
}

/** The way back for who followed a citation, a link, the contents. */
export function WayBack({ onBack, onStay }: { onBack(): void; onStay(): void }) {
  const t = useText()
  return (
    <div className="pointer-events-auto flex w-fit items-center rounded-full border border-line bg-surface shadow-(--shadow)">
      <Button kind="quiet" className="rounded-full min-h-10" onClick={onBack} data-testid="reader-return">
        <Undo2 size={16} aria-hidden />
        {t('reader.return')}
      </Button>
      <IconButton label={t('reader.stay')} className="rounded-full" onClick={onStay}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  )
}
