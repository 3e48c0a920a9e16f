/** Passages in the documents that hold the words one types, below the titles. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { get } from '../api/client'
import type { Hit, SearchAnswer } from '../api/types'
import { useText } from '../i18n'
import { excerpt } from '../search/excerpt'
import { noticeText } from '../ui/notice'
import { Failed } from '../ui/states'
import type { Kept } from './kept'

const WAIT = 250 // ms without a key before the library is searched
const MOST = 8
const LENGTH = 220 // characters of a passage

export default function Found({ words, filter, titles }: { words: string; filter: Kept; titles: number }) {
  const t = useText()
  const query = useSettled(words, WAIT)
  const params = { query, k: MOST, collection: filter.collection || null, tag: filter.tag || null }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['search', params],
    queryFn: ({ signal }) => get<SearchAnswer>('/api/search', params, signal),
    placeholderData: before => before,
    enabled: query.length > 0,
  })
  return (
    <section aria-labelledby="found" className="max-w-3xl pt-8" aria-busy={isFetching}>
      <div className="flex items-baseline justify-between pb-2">
        <h2 id="found" className="text-sm font-medium text-muted">
          {t('found.title')}
        </h2>
        <Link
          href={`/search?q=${encodeURIComponent(words)}`}
          className="inline-flex min-h-10 items-center text-sm text-accent hover:underline"
        >
          {t('found.all')}
        </Link>
      </div>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data?.hits.length ? (
        <ul className="grid gap-1">
          {data.hits.map(hit => (
            <li key={`${hit.document.id} ${hit.locator.start}`}>
              <One hit={hit} words={query} />
            </li>
          ))}
        </ul>
      ) : data && !isFetching ? (
        <p className="text-muted">{t(titles ? 'found.none' : 'found.nothing')}</p>
      ) : (
        <p className="text-muted">{t('found.looking')}</p>
      )}
      {data?.notice && <p className="pt-2 text-sm text-muted">{noticeText(data.notice, t)}</p>}
    </section>
  )
}

function One({ hit, words }: { hit: Hit; words: string }) {
  const t = useText()
  const { document, locator } = hit
  const { pieces, before, after } = excerpt(hit.text, words, LENGTH)
  const place = [
    ...(locator.section?.path.slice(-1) ?? []),
    locator.page === null ? '' : t('found.page', { page: locator.page_label ?? locator.page }),
  ]
  return (
    <Link
      href={`/read/${encodeURIComponent(document.id)}?at=${locator.start}&end=${locator.end}`}
      data-testid="shelf-hit"
      className="-mx-3 block rounded-lg px-3 py-3 hover:bg-sunken"
    >
      <span className="block font-serif leading-relaxed">
        {before && '… '}
        {pieces.map((piece, n) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
          piece.marked ? <mark key={n}>{piece.text}</mark> : <span key={n}>{piece.text}</span>,
        )}
        {after && ' …'}
      </span>
      <span className="block truncate pt-1 text-sm text-muted">
        {[document.title, ...place].filter(Boolean).join(' · ')}
      </span>
    </Link>
  )
}

/** Return a value once it has stood for some time. */
function useSettled(value: string, wait: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), wait)
    return () => clearTimeout(timer)
  }, [value, wait])
  return settled
}
