/** The shelf: what one is reading, everything there is, and what is found in it. */

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { documents } from '../api/queries'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { languageOf, usePreferences } from '../preferences'
import { Button } from '../ui/button'
import { Empty, Failed, Loading } from '../ui/states'
import { openAdding } from './adding'
import { Books } from './books'
import { Bulk } from './bulk'
import type { Deed, DeedKind } from './deeds'
import { useKeptFilter } from './kept'
import { filtered, shelve, underWay } from './shelving'
import { Toolbar } from './toolbar'
import { UnderWay } from './under-way'

const Found = lazy(() => import('./found'))
const Deeds = lazy(() => import('./deeds'))
const TITLES_FIRST = 12 // while words are searched, so that passages stand in sight below

export default function Shelf() {
  const { data, error, refetch } = useQuery(documents())
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return data.documents.length ? <Filled all={data.documents} /> : <Bare />
}

function Bare() {
  const t = useText()
  return (
    <Empty title={t('shelf.empty')}>
      <p>{t('shelf.emptyHow')}</p>
      <div>
        <Button kind="primary" onClick={openAdding}>
          <Plus size={16} aria-hidden /> {t('add.button')}
        </Button>
      </div>
    </Empty>
  )
}

function Filled({ all }: { all: DocumentEntry[] }) {
  const t = useText()
  const language = languageOf(usePreferences())
  const [filter, setFilter] = useKeptFilter()
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  const [deed, setDeed] = useState<Deed | null>(null)
  const [every, setEvery] = useState('')
  const shelved = useMemo(() => shelve(all), [all])
  const wanted = useDeferredValue(filter)
  const entries = useMemo(() => filtered(shelved, wanted, language), [shelved, wanted, language])
  const current = useMemo(() => underWay(all, 8), [all])
  const { words, sort, view, ...narrowing } = filter
  const plain = !words.trim() && !Object.values(narrowing).some(Boolean)
  const few = words.trim() && every !== words ? entries.slice(0, TITLES_FIRST) : entries
  const onDeed = useCallback((kind: DeedKind, entry: DocumentEntry) => setDeed({ kind, entries: [entry] }), [])
  const chosen = selected && all.filter(one => selected.has(one.id))
  return (
    <div className="mx-auto max-w-[96rem] px-4 pb-24 sm:px-8">
      <Toolbar
        all={all}
        shown={entries.length}
        filter={filter}
        onFilter={setFilter}
        selecting={selected !== null}
        onSelecting={() => setSelected(selected ? null : new Set())}
      />
      {plain && !selected && current.length > 0 && <UnderWay entries={current} />}
      {few.length > 0 && (
        <section aria-label={t('shelf.documents')}>
          <Books entries={few} view={view} selected={selected} onSelected={setSelected} onDeed={onDeed} />
        </section>
      )}
      {few.length < entries.length && (
        <div className="py-4">
          <Button onClick={() => setEvery(words)}>{t('shelf.allTitles', { n: entries.length })}</Button>
        </div>
      )}
      {!entries.length && !words.trim() && (
        <Empty title={t('shelf.noneFits')}>
          <div>
            <Button onClick={() => setFilter({ words: '', reading: '', collection: '', tag: '', format: '' })}>
              {t('shelf.clear')}
            </Button>
          </div>
        </Empty>
      )}
      {words.trim() && (
        <Suspense>
          <Found words={words.trim()} filter={filter} titles={entries.length} />
        </Suspense>
      )}
      {chosen && <Bulk chosen={chosen} shown={entries} onSelected={setSelected} onDeed={setDeed} />}
      {deed && (
        <Suspense>
          <Deeds deed={deed} onClose={() => setDeed(null)} onRemoved={() => setSelected(selected && new Set())} />
        </Suspense>
      )}
    </div>
  )
}
