/** How well a document was read, what of it can be found, and the pages that could not be trusted. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../api/client'
import type { DocumentShown, PageReport } from '../api/types'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { percentOf } from './format'

export function Report({ id, shown, status }: { id: string; shown: DocumentShown; status: string }) {
  const t = useText()
  const { parse, coverage } = shown
  const share = coverage.characters ? coverage.indexed_characters / coverage.characters : 0
  const reasons = [...parse.reasons, ...(parse.warnings ?? [])]
  return (
    <div className="grid gap-5">
      {status === 'quarantined' && <p className="text-warn">{t('report.quarantined')}</p>}
      <div className="grid gap-4 sm:grid-cols-2">
        <Gauge label={t('report.confidence')} share={parse.confidence} means={t('report.confidenceMeans')} />
        <Gauge label={t('report.coverage')} share={share} means={t('report.coverageMeans')} />
      </div>
      {reasons.length > 0 ? (
        <ul className="list-disc pl-5 text-sm">
          {reasons.map(reason => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        <p className="text-sm text-muted">{t('report.noReasons')}</p>
      )}
      {shown.parse.parser.startsWith('pdf') && <Pages id={id} />}
      <p className="text-xs text-muted">{t('report.parser', { parser: parse.parser, version: parse.text_version })}</p>
    </div>
  )
}

function Gauge({ label, share, means }: { label: string; share: number; means: string }) {
  const percent = percentOf(share)
  const tone = share >= 0.9 ? 'bg-good' : share >= 0.5 ? 'bg-warn' : 'bg-bad'
  return (
    <div className="grid content-start gap-1.5">
      <p className="flex justify-between">
        <span>{label}</span>
        <span className="tabular-nums">{percent} %</span>
      </p>
      <div className="h-1.5 overflow-hidden rounded-full bg-line" aria-hidden>
        <div className={`h-full rounded-full ${tone}`} style={{ width: `${percent}%` }} />
      </div>
      <p className="text-sm text-muted">{means}</p>
    </div>
  )
}

function Pages({ id }: { id: string }) {
  const t = useText()
  const [open, setOpen] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['document', id, 'pages'],
    queryFn: ({ signal }) => get<DocumentShown>('/api/show', { doc: id, pages: true, uncapped: true }, signal),
  })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const pages = data.parse.pages ?? []
  const chosen = pages.find(page => page.page === open)
  return (
    <div className="grid gap-3">
      <h3 className="font-medium">{t('report.pages')}</h3>
      <ul className="flex flex-wrap gap-1">
        {pages.map(page => (
          <li key={page.page}>
            <button
              type="button"
              aria-pressed={page.page === open}
              aria-label={t('report.pageIs', { page: page.page, percent: percentOf(page.confidence) })}
              title={t('report.pageIs', { page: page.page, percent: percentOf(page.confidence) })}
              className={`grid size-8 place-items-center rounded text-xs tabular-nums aria-pressed:outline-2 aria-pressed:outline-focus max-sm:size-10 ${toneOf(page)}`}
              onClick={() => setOpen(page.page === open ? null : page.page)}
            >
              {page.page}
            </button>
          </li>
        ))}
      </ul>
      {chosen && <Page id={id} page={chosen} />}
    </div>
  )
}

function toneOf(page: PageReport): string {
  if (page.status === 'quarantined') return 'border border-bad text-bad line-through'
  return page.reasons.length ? 'border border-warn text-warn' : 'bg-sunken text-muted'
}

function Page({ id, page }: { id: string; page: PageReport }) {
  const t = useText()
  const [seen, setSeen] = useState(page.status === 'quarantined')
  const { data, error } = useQuery({
    queryKey: ['document', id, 'preview', page.page],
    queryFn: ({ signal }) => get<DocumentShown>('/api/show', { doc: id, preview: page.page, uncapped: true }, signal),
    enabled: seen,
  })
  return (
    <div className="grid gap-2 rounded-lg bg-sunken p-4 text-sm" role="status">
      <p className="font-medium">{t('report.pageIs', { page: page.page, percent: percentOf(page.confidence) })}</p>
      {page.status === 'quarantined' && <p className="text-warn">{t('report.pageQuarantined')}</p>}
      {page.reasons.map(reason => (
        <p key={reason}>{reason}</p>
      ))}
      {error ? (
        <Failed error={error} />
      ) : data?.preview ? (
        <pre className="max-h-64 overflow-auto whitespace-pre-wrap break-words rounded bg-surface p-3 font-serif">
          {data.preview.text || t('report.noText')}
        </pre>
      ) : (
        <div>
          <Button onClick={() => setSeen(true)}>{t('report.preview')}</Button>
        </div>
      )}
    </div>
  )
}
