/** A document from above: its map, its summaries, the people and terms in it. */

import { useQuery } from '@tanstack/react-query'
import { BookOpen, ChevronLeft } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { document as documentQuery } from '../api/queries'
import { type Key, useText } from '../i18n'
import { Failed, Loading } from '../ui/states'
import { MapView } from './view'

const Summaries = lazy(() => import('./summaries').then(found => ({ default: found.Summaries })))
const People = lazy(() => import('./people').then(found => ({ default: found.People })))

const VIEWS: readonly (readonly [string, Key])[] = [
  ['map', 'map.map'],
  ['summaries', 'map.summaries'],
  ['people', 'map.people'],
]

export default function MapPage({ id }: { id: string }) {
  const t = useText()
  const params = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const view = params.get('view') ?? 'map'
  const uncapped = params.get('uncapped') === 'true'
  const { data, error, refetch } = useQuery(documentQuery(id))
  const here = `/map/${encodeURIComponent(id)}`
  const address = (to: string, all: boolean) => `${here}?view=${to}${all ? '&uncapped=true' : ''}`
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const bounded = data.contents.some(entry => entry.title === null)
  const read = `/read/${encodeURIComponent(id)}`
  return (
    <div className="flex h-full flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-x-4 px-2 pt-2 sm:px-6">
        <Link
          href={`/document/${encodeURIComponent(id)}`}
          aria-label={t('map.back')}
          className="grid size-10 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
        >
          <ChevronLeft size={20} aria-hidden />
        </Link>
        <h1 className="min-w-0 flex-1 truncate font-semibold">{data.metadata.title}</h1>
        <Link href={read} className="inline-flex min-h-10 items-center gap-2 rounded-md px-2 text-sm text-accent">
          <BookOpen size={18} aria-hidden />
          {t('map.read')}
        </Link>
        <div className="flex w-full flex-wrap items-center justify-between sm:pl-10">
          <nav aria-label={t('map.views')} className="flex max-w-full overflow-x-auto">
            {VIEWS.map(([name, title]) => (
              <Link
                key={name}
                href={address(name, uncapped)}
                aria-current={view === name ? 'page' : undefined}
                className="shrink-0 rounded-md px-3 py-2.5 text-sm text-muted hover:text-ink aria-[current]:font-medium aria-[current]:text-accent aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-8"
              >
                {t(title)}
              </Link>
            ))}
          </nav>
          {(bounded || uncapped) && (
            <label className="inline-flex min-h-10 shrink-0 cursor-pointer items-center gap-2 px-3 text-sm text-muted">
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                checked={uncapped}
                onChange={event => navigate(address(view, event.target.checked), { replace: true })}
              />
              {t('map.uncapped')}
            </label>
          )}
        </div>
      </header>
      {uncapped && <p className="px-4 py-1 text-sm text-warn sm:px-16">{t('map.uncappedOn')}</p>}
      <div className="min-h-0 flex-1 overflow-auto">
        <Suspense fallback={<Loading />}>
          {view === 'summaries' ? (
            <Summaries document={id} uncapped={uncapped} />
          ) : view === 'people' ? (
            <People document={id} uncapped={uncapped} />
          ) : (
            <MapView
              document={id}
              uncapped={uncapped}
              position={null}
              narrow={matchMedia('(max-width: 40rem)').matches}
              onGo={({ start, end }) => navigate(`${read}?at=${start}&end=${end}`)}
            />
          )}
        </Suspense>
      </div>
    </div>
  )
}
