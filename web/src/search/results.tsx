import { useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { type Found, passageHref } from '../api/finding'
import { useText } from '../i18n'
import type { Asked } from './address'
import { bestSentence, excerpt } from './excerpt'
import { type Group, grouped, type Hit } from './grouping'
import { Marked } from './marked'
import type { Go } from './page'
import { Place } from './place'
import { remember } from './recent'
import { TraceOf } from './trace'
import type { Variants } from './words'

const FIRST = 3 // hits of a document that are shown at once
const LENGTH = 280 // characters of a passage that are shown; half as many of those that say twice as much
const QUIET = 'inline-flex min-h-10 items-center rounded-md px-2 text-sm text-muted hover:text-ink hover:underline'

/** Hits, grouped by document. */
export function Results({ found, asked, go }: { found: Found; asked: Asked; go: Go }) {
  const t = useText()
  const groups = grouped(found.hits)
  const variants = useVariants(asked.text)
  return (
    <>
      <p className="sr-only">{t('search.keys')}</p>
      <ol className="grid gap-8">
        {groups.map(group => (
          <li key={group.document.id}>
            <OfDocument group={group} alone={groups.length === 1} asked={asked} go={go} variants={variants} />
          </li>
        ))}
      </ol>
    </>
  )
}

type Shown = { asked: Asked; go: Go; variants: Variants | undefined }

function OfDocument({ group, alone, asked, go, variants }: { group: Group; alone: boolean } & Shown) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const { document, hits } = group
  const shown = open || alone ? hits : hits.slice(0, FIRST)
  const rest = hits.length - FIRST
  return (
    <article aria-label={document.title}>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="min-w-0 font-semibold">
          <Link
            href={`/document/${encodeURIComponent(document.id)}`}
            className="inline-flex min-h-10 items-center hover:underline"
          >
            {document.title}
          </Link>
        </h2>
        {!asked.doc && (
          <button type="button" className={QUIET} onClick={() => go({ doc: document.id })}>
            {t('search.only')}
          </button>
        )}
      </header>
      <ul className="-mx-3 grid">
        {shown.map(hit => (
          <li key={hit.rank}>
            <One hit={hit} asked={asked} go={go} variants={variants} />
          </li>
        ))}
      </ul>
      {!alone && rest > 0 && (
        <button type="button" aria-expanded={open} className={`${QUIET} text-accent`} onClick={() => setOpen(!open)}>
          {open ? t('search.fewer') : t('search.more', { n: rest })}
        </button>
      )}
    </article>
  )
}

function One({ hit, asked, go, variants }: { hit: Hit } & Shown) {
  const t = useText()
  const [whole, setWhole] = useState(false)
  const { text, locator } = hit
  const shown = useMemo(
    () => excerpt(text, asked.text, whole ? text.length : lengthOf(text), variants),
    [text, asked.text, whole, variants],
  )
  const elsewhere = () => go({ tab: 'claim', text: bestSentence(text, asked.text), doc: '', explain: false })
  return (
    <>
      <Link
        href={passageHref(locator)}
        data-step
        data-testid="search-hit"
        data-document={locator.document}
        data-start={locator.start}
        data-end={locator.end}
        className="block rounded-lg px-3 py-2.5 hover:bg-sunken"
        onClick={() => remember(asked.text)}
      >
        <span className="flex justify-between gap-4 pb-1 text-sm text-muted">
          <Place locator={locator} />
        </span>
        <span className={`block font-serif leading-relaxed ${whole ? 'whitespace-pre-line' : ''}`}>
          {shown.before && '… '}
          <Marked pieces={shown.pieces} />
          {shown.after && ' …'}
        </span>
      </Link>
      <div className="flex flex-wrap gap-x-2 px-1">
        {(whole || shown.before || shown.after) && (
          <button type="button" aria-expanded={whole} className={QUIET} onClick={() => setWhole(!whole)}>
            {t(whole ? 'search.short' : 'search.whole')}
          </button>
        )}
        <button type="button" className={QUIET} onClick={elsewhere}>
          {t('search.elsewhere')}
        </button>
      </div>
      {hit.trace && <TraceOf trace={hit.trace} />}
    </>
  )
}

function lengthOf(text: string): number {
  return /\p{Script=Han}/u.test(text.slice(0, 40)) ? LENGTH / 2 : LENGTH
}

/** The table of simplified characters, once a query asks for Chinese. */
function useVariants(query: string): Variants | undefined {
  const [variants, setVariants] = useState<Variants>()
  const wanted = /\p{Script=Han}/u.test(query)
  useEffect(() => {
    if (!wanted) return
    let gone = false
    void import('./variants').then(found => {
      if (!gone) setVariants(found.variants())
    })
    return () => {
      gone = true
    }
  }, [wanted])
  return variants
}
