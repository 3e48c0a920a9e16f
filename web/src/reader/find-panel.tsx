import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { CaseSensitive, ChevronDown, ChevronUp, WholeWord } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { get } from '../api/client'
import type { Span } from '../book/viewer'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { type Finding, type Found, find, MOST, nearest } from './find'

const ROW = 60 // pixels

/** Find words in what may be seen of a document. `at` is where the reader is: the first match shown is the next one. */
export function FindPanel({
  document,
  capped,
  finding,
  at,
  onFinding,
  onGo,
}: {
  document: string
  /** Whether what is not read yet is left out. */
  capped: boolean
  finding: Finding
  at: number
  onFinding(finding: Finding): void
  onGo(span: Span): void
}) {
  const t = useText()
  const text = useQuery({
    queryKey: ['text', document],
    queryFn: ({ signal }) => get<{ text: string }>('/api/text', { doc: document }, signal),
    staleTime: 60_000,
  })
  const asked = useDeferredValue(finding)
  const found = useMemo(() => (text.data ? find(text.data.text, asked) : []), [text.data, asked])
  const [chosen, setChosen] = useState(-1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins anew
  useEffect(() => setChosen(-1), [found])
  const go = (n: number) => {
    const one = found[(n + found.length) % found.length]
    if (!one) return
    setChosen((n + found.length) % found.length)
    onGo(one)
  }
  const step = (by: number) => go(chosen < 0 ? nearest(found, at) : chosen + by)
  if (text.error) return <Failed error={text.error} onRetry={() => text.refetch()} />
  return (
    <div data-testid="find-panel" className="flex min-h-0 flex-1 flex-col">
      <Asking finding={finding} onFinding={onFinding} onStep={step} />
      <p role="status" className="px-4 pb-2 text-sm text-muted">
        {finding.words.trim() && text.data && told(t, found.length, chosen)}
        {capped && ` ${t('find.bound')}`}
        {found.length === MOST && ` ${t('find.many', { n: MOST })}`}
      </p>
      {text.isPending ? <Loading /> : <Matches found={found} chosen={chosen} onGo={go} />}
      {finding.words.trim() && (
        <Link
          href={`/search?q=${encodeURIComponent(finding.words.trim())}`}
          className="px-4 py-3 text-sm text-accent underline"
        >
          {t('find.elsewhere')}
        </Link>
      )}
    </div>
  )
}

function told(t: ReturnType<typeof useText>, n: number, chosen: number): string {
  if (!n) return t('find.none')
  return chosen < 0 ? t('find.some', { n }) : t('find.count', { at: chosen + 1, n })
}

function Asking({
  finding,
  onFinding,
  onStep,
}: {
  finding: Finding
  onFinding(finding: Finding): void
  onStep(by: number): void
}) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.select()
  }, [])
  return (
    <search className="grid gap-1 p-3 pb-1">
      <input
        ref={input}
        type="search"
        aria-label={t('find.label')}
        placeholder={t('find.label')}
        value={finding.words}
        autoFocus
        onChange={event => onFinding({ ...finding, words: event.target.value })}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          onStep(event.shiftKey ? -1 : 1)
        }}
        className="min-h-10 w-full rounded-md border border-edge bg-surface px-3 text-sm placeholder:text-muted"
      />
      <div className="flex items-center">
        <IconButton
          label={t('find.case')}
          pressed={finding.matchCase}
          onClick={() => onFinding({ ...finding, matchCase: !finding.matchCase })}
        >
          <CaseSensitive size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={t('find.word')}
          pressed={finding.wholeWords}
          onClick={() => onFinding({ ...finding, wholeWords: !finding.wholeWords })}
        >
          <WholeWord size={18} aria-hidden />
        </IconButton>
        <span className="flex-1" />
        <IconButton label={t('find.previous')} onClick={() => onStep(-1)}>
          <ChevronUp size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('find.next')} onClick={() => onStep(1)}>
          <ChevronDown size={18} aria-hidden />
        </IconButton>
      </div>
    </search>
  )
}

function Matches({ found, chosen, onGo }: { found: readonly Found[]; chosen: number; onGo(n: number): void }) {
  const list = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW,
    overscan: 8,
  })
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen)
  }, [chosen, rows])
  return (
    <div ref={list} className="min-h-0 flex-1 overflow-auto px-2">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(row => {
          const one = found[row.index]
          if (!one) return null
          return (
            <li
              key={row.key}
              className="absolute inset-x-0"
              style={{ height: ROW, transform: `translateY(${row.start}px)` }}
            >
              <button
                type="button"
                aria-current={row.index === chosen ? 'true' : undefined}
                onClick={() => onGo(row.index)}
                className="h-14 w-full overflow-hidden rounded-md px-3 text-left font-serif text-sm leading-snug hover:bg-sunken aria-[current]:bg-accent-soft"
              >
                <span className="line-clamp-2">
                  …{one.before}
                  <mark>{one.match}</mark>
                  {one.after}…
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
