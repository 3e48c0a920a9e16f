/** Summaries of a document and of each entry of its contents, made one by one when they are asked for. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Summary, summary } from '../api/finding'
import { document as documentQuery, type Shown } from '../api/queries'
import type { ContentsEntry } from '../api/types'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { noticeText } from '../ui/notice'
import { Failed, Loading } from '../ui/states'
import { CoverageBar } from './coverage'
import { foundBy, useMaking, type Wanted } from './making'
import { SummaryPoints } from './points'
import { Told } from './told'
import { WithModel } from './with-model'

export { SummaryPoints } from './points'

const FEW = 8 // sentences of the whole that stand there at once

export function Summaries({ document, uncapped }: { document: string; uncapped: boolean }) {
  const t = useText()
  const shown: Shown = uncapped ? { uncapped } : {}
  const { data, error, refetch } = useQuery(documentQuery(document, shown))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const bounded = data.contents.some(entry => entry.title === null)
  return (
    <div className="mx-auto grid max-w-3xl gap-8 px-4 pb-24 pt-4 sm:px-8">
      <section aria-labelledby="whole">
        <h2 id="whole" className="pb-2 text-lg font-semibold">
          {t(bounded ? 'summary.soFar' : 'summary.whole')}
        </h2>
        <One document={document} section={null} shown={shown} />
      </section>
      <Chapters document={document} contents={data.contents} shown={shown} />
    </div>
  )
}

function Chapters({ document, contents, shown }: { document: string; contents: ContentsEntry[]; shown: Shown }) {
  const t = useText()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const able = contents.filter(entry => entry.title !== null).map(entry => entry.number)
  const set = (number: number, to: boolean) =>
    setOpen(before => {
      const next = new Set(before)
      if (to) next.add(number)
      else next.delete(number)
      return next
    })
  return (
    <section aria-labelledby="chapters">
      <div className="flex flex-wrap items-center justify-between gap-2 pb-2">
        <h2 id="chapters" className="text-lg font-semibold">
          {t('summary.chapters')}
        </h2>
        {able.length > 0 && <All document={document} sections={able} shown={shown} onDone={n => set(n, true)} />}
      </div>
      {!contents.length && <p className="text-muted">{t('summary.noContents')}</p>}
      <ul>
        {contents.map(entry => (
          <li
            key={entry.number}
            className="border-t border-line [content-visibility:auto] [contain-intrinsic-size:auto_3rem]"
          >
            <Chapter
              document={document}
              entry={entry}
              shown={shown}
              open={open.has(entry.number)}
              onOpen={to => set(entry.number, to)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Chapter({
  document,
  entry,
  shown,
  open,
  onOpen,
}: {
  document: string
  entry: ContentsEntry
  shown: Shown
  open: boolean
  onOpen(open: boolean): void
}) {
  const t = useText()
  const indent = { paddingLeft: `${Math.min(4, entry.level - 1) * 1.25}rem` }
  if (entry.title === null)
    return (
      <p className="py-2.5 text-muted" style={indent}>
        {t('summary.hidden', { n: entry.number })}
      </p>
    )
  return (
    <div style={indent}>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          className="flex min-h-11 w-full items-center justify-between gap-4 rounded-md py-2 text-left hover:text-accent"
          onClick={() => onOpen(!open)}
        >
          <span className={entry.level === 1 ? 'font-medium' : ''}>{entry.title}</span>
          <span className="shrink-0 text-sm text-muted">{t(open ? 'summary.hide' : 'summary.one')}</span>
        </button>
      </h3>
      {open && (
        <div className="pb-6">
          <One document={document} section={entry.number} shown={shown} />
        </div>
      )}
    </div>
  )
}

/** One summary: the document's own sentences, or what a model made of them. */
function One({ document, section, shown }: { document: string; section: number | null; shown: Shown }) {
  const wanted: Wanted = { kind: 'summary', doc: document, ...(section === null ? {} : { section }), ...shown }
  const made = foundBy<Summary>(useMaking(wanted))
  const t = useText()
  const { data, error, refetch } = useQuery(summary(document, section, shown))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const withModel = (
    <div className="py-2">
      <WithModel wanted={wanted} />
    </div>
  )
  return (
    <>
      {section === null && withModel}
      {section === null && !made && <p className="pb-2 text-sm text-muted">{t('summary.extractive')}</p>}
      {section === null && !made && data.notice && (
        <p className="pb-2 text-sm text-muted">{noticeText(data.notice, t)}</p>
      )}
      {made?.notice && <p className="pb-2 text-sm text-muted">{noticeText(made.notice, t)}</p>}
      {made ? (
        <Told summary={made.summary} points={made.points} />
      ) : (
        <SummaryPoints points={data.points} {...(section === null ? { first: FEW } : {})} />
      )}
      {data.points.length > 0 && (
        <CoverageBar coverage={(made ?? data).coverage} at={(made ?? data).points.map(point => point.locator.start)} />
      )}
      {section !== null && withModel}
    </>
  )
}

type Run = { done: number; failed: boolean }

/** Summarises one entry after the other, until it is stopped. */
function All({
  document,
  sections,
  shown,
  onDone,
}: {
  document: string
  sections: readonly number[]
  shown: Shown
  onDone(section: number): void
}) {
  const t = useText()
  const client = useQueryClient()
  const [run, setRun] = useState<Run | null>(null)
  const stopped = useRef(false)
  useEffect(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const start = async () => {
    stopped.current = false
    setRun({ done: 0, failed: false })
    try {
      for (const [n, section] of sections.entries()) {
        await client.fetchQuery(summary(document, section, shown))
        if (stopped.current) break
        onDone(section)
        setRun({ done: n + 1, failed: false })
      }
      setRun(null)
    } catch {
      setRun(before => before && { ...before, failed: true }) // the entry itself shows what went wrong
    }
  }
  if (!run || run.failed)
    return (
      <span className="flex items-center gap-3">
        {run && <span className="text-sm text-bad">{t('summary.failed')}</span>}
        <Button onClick={() => void start()}>{t('summary.all')}</Button>
      </span>
    )
  return (
    <span className="flex items-center gap-3">
      <span
        role="progressbar"
        aria-label={t('summary.all')}
        aria-valuemax={sections.length}
        aria-valuenow={run.done}
        className="h-2 w-32 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full bg-accent" style={{ width: `${(100 * run.done) / sections.length}%` }} />
      </span>
      <span role="status" className="text-sm tabular-nums text-muted">
        {t('summary.progress', { n: run.done, total: sections.length })}
      </span>
      <Button
        onClick={() => {
          stopped.current = true
          setRun(null)
        }}
      >
        {t('summary.stop')}
      </Button>
    </span>
  )
}
