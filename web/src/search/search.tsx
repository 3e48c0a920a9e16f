import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'
import { type Found, search } from '../api/finding'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { noticeText } from '../ui/notice'
import { Empty, Failed, Loading } from '../ui/states'
import type { Asked } from './address'
import { Box } from './box'
import { Filters } from './filters'
import { grouped } from './grouping'
import type { Go } from './page'
import { forget, remember, useRecent } from './recent'
import { Results } from './results'
import { WhyNotHere } from './trace'

/** Words to look for, and what was found. */
export function Search({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  const found = useRef<HTMLDivElement>(null)
  const focusHit = (step: number) => stepFocus(found.current, step)
  return (
    <>
      <Box
        label={t('search.label')}
        placeholder={t('search.placeholder')}
        hint={t('search.hint')}
        action={t('search.go')}
        text={asked.text}
        lines={1}
        live
        testId="search-input"
        onText={text => go({ text }, { replace: true })}
        onEnter={remember}
        onDown={() => focusHit(1)}
      />
      <Filters asked={asked} go={go} />
      <div ref={found} onKeyDown={event => onArrow(event, focusHit)}>
        {asked.text ? <Answer asked={asked} go={go} /> : <Recent go={go} />}
      </div>
    </>
  )
}

function Answer({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  const { text: query, mode, k, explain, whyNot, uncapped } = asked
  const scope = { doc: asked.doc || null, collection: asked.collection || null, tag: asked.tag || null, uncapped }
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    search({ query, mode, k, explain, why_not: (explain && whyNot) || null, ...scope }),
  )
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <section aria-label={t('search.results')} aria-busy={isFetching} className={isPlaceholderData ? 'opacity-60' : ''}>
      <Told found={data} />
      {explain && <WhyNotHere asked={asked} go={go} whyNot={data.why_not ?? null} />}
      {data.hits.length ? <Results found={data} asked={asked} go={go} /> : <Nothing asked={asked} go={go} />}
    </section>
  )
}

/** How much was found and, in the server's words, what could not be searched. */
function Told({ found }: { found: Found }) {
  const t = useText()
  const documents = grouped(found.hits).length
  const parts = [
    t('search.found', { n: found.hits.length }),
    t('search.inDocuments', { n: documents }),
    found.took_ms < 1000
      ? t('search.took', { ms: Math.round(found.took_ms) })
      : t('search.tookLong', { s: (found.took_ms / 1000).toFixed(1) }),
  ]
  return (
    <div className="mb-4 grid gap-1 text-sm text-muted">
      <p role="status">{found.hits.length > 0 && parts.join(' · ')}</p>
      {found.notice && <p>{noticeText(found.notice, t)}</p>}
    </div>
  )
}

function Nothing({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  const narrowed = asked.doc || asked.collection || asked.tag
  return (
    <Empty title={t(narrowed ? 'search.noneFiltered' : 'search.none')}>
      <p>{t('search.noneHint')}</p>
      <p className="flex flex-wrap justify-center gap-2">
        {narrowed && <Button onClick={() => go({ doc: '', collection: '', tag: '' })}>{t('search.reset')}</Button>}
        {asked.mode === 'lexical' && <Button onClick={() => go({ mode: 'vector' })}>{t('search.byMeaning')}</Button>}
        <Button onClick={() => go({ tab: 'quote' })}>{t('search.tab.quote')}</Button>
      </p>
    </Empty>
  )
}

function Recent({ go }: { go: Go }) {
  const t = useText()
  const recent = useRecent()
  if (!recent.length) return null
  return (
    <section aria-labelledby="recent" className="pt-4">
      <div className="flex items-center justify-between">
        <h2 id="recent" className="text-sm font-medium text-muted">
          {t('search.recent')}
        </h2>
        <Button kind="quiet" className="min-h-10 text-muted" onClick={forget}>
          {t('search.forget')}
        </Button>
      </div>
      <ul className="-mx-3">
        {recent.map(query => (
          <li key={query}>
            <button
              type="button"
              data-step
              className="min-h-10 w-full truncate rounded-md px-3 text-left hover:bg-sunken"
              onClick={() => go({ text: query })}
            >
              {query}
            </button>
          </li>
        ))}
      </ul>
      <p className="pt-2 text-sm text-muted">{t('search.kept')}</p>
    </section>
  )
}

function onArrow(event: KeyboardEvent, focusHit: (step: number) => void): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return
  event.preventDefault()
  focusHit(event.key === 'ArrowDown' ? 1 : -1)
}

/** Move the focus along the hits; before the first one stands the field of words. */
function stepFocus(within: HTMLElement | null, step: number): void {
  const hits = [...(within?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
  const here = document.activeElement
  const now = hits.findIndex(hit => hit === here || hit.parentElement?.contains(here))
  const next = hits[now + step]
  if (next) next.focus()
  else if (now + step < 0) document.querySelector<HTMLElement>('[data-testid=search-input]')?.focus()
}
