/** What a document says, in its own sentences, and whom it is about; under a bound the story so far. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Point, passageHref, people, type Summary, summary } from '../api/finding'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Failed, Loading } from '../ui/states'

const NAMES_FIRST = 24

export function Story({ id }: { id: string }) {
  const t = useText()
  const { data, error, refetch } = useQuery(summary(id, null))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading label={t('doc.summing')} />
  if (!data.points.length) return <p className="text-muted">{t('doc.noStory')}</p>
  return (
    <div className="grid gap-5">
      {chapters(data.points).map(({ number, title, points }) => (
        <section key={number} className="grid gap-1">
          {title && <h3 className="font-medium">{title}</h3>}
          <ul className="grid gap-1">
            {points.map(point => (
              <li key={point.locator.start}>
                <Link
                  href={passageHref(point.locator)}
                  data-testid="summary-point"
                  className="-mx-2 block rounded-md px-2 py-1 font-serif leading-relaxed hover:bg-sunken"
                >
                  {point.text}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Coverage of={data} />
      {data.notice && <p className="text-sm text-muted">{data.notice}</p>}
    </div>
  )
}

function chapters(points: readonly Point[]): { number: number; title: string; points: Point[] }[] {
  const found = new Map<number, { number: number; title: string; points: Point[] }>()
  for (const point of points) {
    const number = point.locator.section?.number ?? 0
    const chapter = found.get(number) ?? { number, title: point.locator.section?.path.at(-1) ?? '', points: [] }
    chapter.points.push(point)
    found.set(number, chapter)
  }
  return [...found.values()]
}

function Coverage({ of }: { of: Summary }) {
  const t = useText()
  const sum = (spans: readonly (readonly [number, number])[]) => spans.reduce((total, [a, b]) => total + b - a, 0)
  const [read, missing] = [sum(of.coverage.read), sum(of.coverage.missing)]
  const percent = read + missing ? Math.floor((100 * read) / (read + missing)) : 100
  return <p className="text-sm text-muted">{t(missing ? 'doc.coveragePart' : 'doc.coverageWhole', { percent })}</p>
}

export function People({ id }: { id: string }) {
  const t = useText()
  const [all, setAll] = useState(false)
  const { data, error, refetch } = useQuery(people(id))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (!data.names.length) return <p className="text-muted">{t('doc.noPeople')}</p>
  const shown = all ? data.names : data.names.slice(0, NAMES_FIRST)
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">{t('doc.peopleMeans')}</p>
      <ul className="grid grid-cols-2 gap-x-6 sm:grid-cols-3">
        {shown.map(({ name, count, first }) => (
          <li key={name}>
            <Link
              href={passageHref(first)}
              className="-mx-2 flex min-h-9 items-center justify-between gap-2 rounded-md px-2 hover:bg-sunken max-sm:min-h-10"
            >
              <span className="truncate font-serif">{name}</span>
              <span className="text-sm tabular-nums text-muted">{count}</span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < data.names.length && (
        <div>
          <Button onClick={() => setAll(true)}>{t('doc.allNames', { n: data.names.length })}</Button>
        </div>
      )}
    </div>
  )
}
