/** What is in the library, and how it is read. */

import { useQuery } from '@tanstack/react-query'
import { get } from '../api/client'
import type { Stats } from '../api/types'
import { type Translate, useText } from '../i18n'
import { languageOf, usePreferences } from '../preferences'
import { Failed, Loading } from '../ui/states'
import { type Day, shade, weeks } from './days'
import { languageName } from './format'
import { BackHome } from './sorting'

export default function View() {
  const t = useText()
  const { data, error, refetch } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => get<Stats>('/api/stats', {}, signal),
  })
  return (
    <div className="mx-auto max-w-4xl px-4 pb-24 pt-4 sm:px-8">
      <BackHome />
      <h1 className="pb-6 pt-2 font-serif text-2xl">{t('stats.title')}</h1>
      {error ? <Failed error={error} onRetry={() => void refetch()} /> : data ? <Figures of={data} /> : <Loading />}
    </div>
  )
}

function Figures({ of }: { of: Stats }) {
  const t = useText()
  const { reading } = of
  return (
    <div className="grid gap-10">
      <section className="grid gap-4" aria-labelledby="stats-reading">
        <h2 id="stats-reading" className="font-medium">
          {t('stats.reading')}
        </h2>
        <Numbers
          rows={[
            [t('stats.streak'), reading.streak],
            [t('stats.week'), reading.this_week],
            [t('stats.month'), reading.this_month],
            [t('stats.year'), reading.this_year],
            [t('shelf.reading.now'), reading.in_progress],
            [t('shelf.finished'), reading.finished],
            [t('shelf.unread'), reading.not_begun],
          ]}
        />
        <Calendar days={reading.days} />
        <p className="text-sm text-muted">{t('stats.means')}</p>
      </section>
      <section className="grid gap-4" aria-labelledby="stats-library">
        <h2 id="stats-library" className="font-medium">
          {t('nav.library')}
        </h2>
        <Numbers
          rows={[
            [t('shelf.documents'), of.documents],
            [t('stats.characters'), of.characters],
            [t('stats.pages'), of.pages],
            [t('nav.notes'), of.notes],
            [t('deed.collections'), of.collections],
            [t('deed.tags'), of.tags],
            [t('stats.sessions'), of.sessions ?? 0],
          ]}
        />
      </section>
      <div className="grid gap-8 sm:grid-cols-2">
        <Shares title={t('stats.formats')} counts={of.formats} name={format => format} />
        <Shares title={t('stats.languages')} counts={of.languages} name={code => nameOf(code, t)} />
      </div>
    </div>
  )
}

function nameOf(code: string, t: Translate): string {
  return code === 'unknown' ? t('stats.unknown') : languageName(code)
}

function Numbers({ rows }: { rows: [string, number][] }) {
  const language = languageOf(usePreferences())
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
      {rows.map(([name, count]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-serif text-2xl tabular-nums">{count.toLocaleString(language)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Shares({ title, counts, name }: { title: string; counts: Record<string, number>; name(key: string): string }) {
  const most = Math.max(1, ...Object.values(counts))
  return (
    <section className="grid content-start gap-3">
      <h2 className="font-medium">{title}</h2>
      <ul className="grid gap-2 text-sm">
        {Object.entries(counts).map(([key, count]) => (
          <li key={key} className="grid grid-cols-[7rem_1fr_3rem] items-center gap-3">
            <span className="truncate">{name(key)}</span>
            <span className="h-2 rounded-full bg-sunken" aria-hidden>
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(100 * count) / most}%` }} />
            </span>
            <span className="text-right tabular-nums text-muted">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHADES = ['bg-sunken', 'bg-accent/25', 'bg-accent/50', 'bg-accent/75', 'bg-accent'] as const

/** The last half year, a column for each week. */
function Calendar({ days }: { days: Day[] }) {
  const t = useText()
  const language = languageOf(usePreferences())
  const columns = weeks(days, new Date(), 26)
  const most = Math.max(1, ...days.map(day => day.characters))
  const read = columns.flat().filter(day => day.characters > 0).length
  return (
    <div role="img" aria-label={t('stats.calendar', { n: read })} className="flex gap-1 overflow-x-auto pb-1">
      {columns.map(week => (
        <div key={week[0]?.date} className="grid shrink-0 grid-rows-7 gap-1">
          {week.map(day => (
            <span
              key={day.date}
              title={`${day.date}: ${day.characters.toLocaleString(language)}`}
              className={`size-3.5 rounded-[3px] ${SHADES[shade(day.characters, most)]}`}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
