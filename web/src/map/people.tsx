import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { type Named, type People as Names, passageHref, people } from '../api/finding'
import { type Key, useText } from '../i18n'
import { Field } from '../ui/field'
import { noticeText } from '../ui/notice'
import { Empty, Failed, Loading } from '../ui/states'
import { foundBy, useMaking, type Wanted } from './making'
import { WithModel } from './with-model'

const KINDS: readonly (readonly [string, Key])[] = [
  ['person', 'people.person'],
  ['place', 'people.place'],
  ['name', 'people.name'],
  ['concept', 'people.concept'],
]

/** Who and what a document speaks of; each leads to where it is first met. */
export function People({ document, uncapped }: { document: string; uncapped: boolean }) {
  const t = useText()
  const [like, setLike] = useState('')
  const wanted: Wanted = { kind: 'people', doc: document, ...(uncapped ? { uncapped } : {}) }
  const found = useQuery(people(document, uncapped ? { uncapped } : {}))
  const made = foundBy<Names>(useMaking(wanted))
  const { error, refetch } = found
  const data = made ?? found.data
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const words = like.trim().toLowerCase()
  const names = data.names.filter(one => [one.name, ...(one.also ?? [])].some(n => n.toLowerCase().includes(words)))
  return (
    <div className="mx-auto grid max-w-3xl gap-6 px-4 pb-24 pt-4 sm:px-8">
      <div className="grid gap-1 text-sm text-muted">
        {!made && <p>{t('people.extractive')}</p>}
        {data.notice && <p>{noticeText(data.notice, t)}</p>}
        <WithModel wanted={wanted} />
      </div>
      {data.names.length > 12 && (
        <Field
          hidden
          label={t('people.filter')}
          placeholder={t('people.filter')}
          className="min-h-10"
          value={like}
          onChange={event => setLike(event.target.value)}
        />
      )}
      {!names.length && <Empty title={t(words ? 'people.noneLike' : 'people.none')} />}
      {KINDS.map(([kind, name]) => {
        const ofKind = names.filter(one => one.kind === kind)
        return ofKind.length > 0 && <OfKind key={kind} title={t(name)} names={ofKind} />
      })}
    </div>
  )
}

function OfKind({ title, names }: { title: string; names: readonly Named[] }) {
  const t = useText()
  return (
    <section>
      <h2 className="pb-1 text-lg font-semibold">{title}</h2>
      <ul className="-mx-3 grid sm:grid-cols-2">
        {names.map(one => (
          <li key={`${one.name} ${one.first.start}`}>
            <Link
              href={passageHref(one.first)}
              data-testid="person"
              data-document={one.first.document}
              data-start={one.first.start}
              data-end={one.first.end}
              title={t('people.first')}
              className="flex min-h-11 items-baseline justify-between gap-3 rounded-md px-3 py-2 hover:bg-sunken"
            >
              <span className="min-w-0">
                <span className="block">{one.name}</span>
                {one.about && <span className="block text-sm text-muted">{one.about}</span>}
              </span>
              <span className="shrink-0 text-sm tabular-nums text-muted">{t('people.count', { n: one.count })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
