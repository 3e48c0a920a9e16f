import { type MouseEvent, useState } from 'react'
import { Link } from 'wouter'
import { type Point, passageHref } from '../api/finding'
import { useText } from '../i18n'

/** Key sentences of a document, each a link to its place (or what `onGo` makes of it); `first` of them until all are asked for. */
export function SummaryPoints({
  points,
  first = Number.POSITIVE_INFINITY,
  onGo,
}: {
  points: readonly Point[]
  first?: number
  onGo?(point: Point): void
}) {
  const t = useText()
  const [all, setAll] = useState(false)
  const more = !all && points.length > first
  const go = (point: Point) => (event: MouseEvent) => {
    if (!onGo || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onGo(point)
  }
  if (!points.length) return <p className="text-muted">{t('summary.nothing')}</p>
  return (
    <>
      <ol aria-label={t('summary.points')} className="-mx-3 grid">
        {(more ? points.slice(0, first) : points).map(point => (
          <li key={point.locator.start}>
            <Link
              href={passageHref(point.locator)}
              data-testid="summary-point"
              data-document={point.locator.document}
              data-start={point.locator.start}
              data-end={point.locator.end}
              className="block rounded-md px-3 py-2 font-serif leading-relaxed hover:bg-sunken"
              onClick={go(point)}
            >
              {point.text.replace(/\s+/g, ' ')}
            </Link>
          </li>
        ))}
      </ol>
      {more && (
        <button type="button" className="min-h-10 text-sm text-accent hover:underline" onClick={() => setAll(true)}>
          {t('summary.more', { n: points.length })}
        </button>
      )}
    </>
  )
}
