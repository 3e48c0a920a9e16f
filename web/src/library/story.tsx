/** What a document says, in its own sentences, and whom it is about; under a bound the story so far. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Point, passageHref, people, summary } from '../api/finding'
import { useText } from '../i18n'
import { CoverageBar } from '../map/coverage'
import { SummaryPoints } from '../map/points'
import { Button } from '../ui/button'
import { noticeText } from '../ui/notice'
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
          <SummaryPoints points={points} />
        </section>
      ))}
      <CoverageBar coverage={data.coverage} at={data.points.map(point => point.locator.start)} />
      <p className="text-sm text-muted">{t('doc.ownWords')}</p>
      {data.notice && <p className="text-sm text-muted">{noticeText(data.notice, t)}</p>}
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
