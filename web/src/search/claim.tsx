import { useQuery } from '@tanstack/react-query'
import { Check, type LucideIcon, MessageSquare, X } from 'lucide-react'
import { Link } from 'wouter'
import { type Compared, compare, passageHref, type Stance, type Stand } from '../api/finding'
import { type Key, useText } from '../i18n'
import { foundBy, useMaking, type Wanted } from '../map/making'
import { WithModel } from '../map/with-model'
import { noticeText } from '../ui/notice'
import { Empty, Failed, Loading } from '../ui/states'
import type { Asked } from './address'
import { Box } from './box'
import { DocumentChoice, Tick } from './filters'
import type { Go } from './page'
import { Place } from './place'

const STANCES: Record<Stance, [Key, LucideIcon, string]> = {
  supports: ['claim.supports', Check, 'text-good'],
  contradicts: ['claim.contradicts', X, 'text-bad'],
  mentions: ['claim.mentions', MessageSquare, 'text-muted'],
}

/** A claim held against all documents: where they say so, say otherwise, or speak of it. */
export function Claim({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  return (
    <>
      <Box
        label={t('claim.label')}
        placeholder={t('claim.placeholder')}
        hint={t('claim.hint')}
        action={t('claim.go')}
        text={asked.text}
        lines={2}
        live={false}
        testId="claim-input"
        onText={text => go({ text })}
      />
      <Within asked={asked} go={go} />
      {asked.text && <Answer asked={asked} />}
    </>
  )
}

/** Which document, and whether also what was not read yet. */
export function Within({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  return (
    <div className="flex flex-wrap items-center gap-3 pb-5 pt-3">
      <div className="w-full max-w-xs">
        <DocumentChoice
          hidden
          label={t('search.doc')}
          none={`${t('search.doc')}: ${t('search.any')}`}
          value={asked.doc}
          onChange={doc => go({ doc }, { replace: true })}
        />
      </div>
      <Tick checked={asked.uncapped} onChange={uncapped => go({ uncapped }, { replace: true })}>
        {t('search.uncapped')}
      </Tick>
    </div>
  )
}

function Answer({ asked }: { asked: Asked }) {
  const t = useText()
  const scope = { doc: asked.doc || null, collection: asked.collection || null, uncapped: asked.uncapped }
  const wanted: Wanted = {
    kind: 'compare',
    claim: asked.text,
    ...(asked.doc ? { doc: asked.doc } : {}),
    ...(asked.collection ? { collection: asked.collection } : {}),
    ...(asked.uncapped ? { uncapped: true } : {}),
  }
  const found = useQuery(compare(asked.text, scope))
  const made = foundBy<Compared>(useMaking(wanted))
  const { error, refetch } = found
  const data = made ?? found.data
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <div role="status" className="mb-4 grid gap-1 text-sm text-muted">
        {!made && <p>{t('claim.extractive')}</p>}
        {data.notice && <p>{noticeText(data.notice, t)}</p>}
        <WithModel wanted={wanted} />
      </div>
      {data.passages.length ? <Table passages={data.passages} /> : <Empty title={t('claim.none')} />}
    </>
  )
}

function Table({ passages }: { passages: readonly Stand[] }) {
  const t = useText()
  return (
    <table data-testid="compare-table" className="w-full text-left align-top">
      <caption className="sr-only">{t('claim.caption')}</caption>
      <thead className="text-sm text-muted">
        <tr>
          <th className="w-24 py-2 pr-3 font-normal sm:w-32">{t('claim.stance')}</th>
          <th className="py-2 font-normal">{t('claim.passage')}</th>
          <th className="hidden w-56 py-2 pl-6 font-normal sm:table-cell">{t('claim.source')}</th>
        </tr>
      </thead>
      <tbody>
        {passages.map(one => (
          <Row key={`${one.document.id} ${one.locator.start}`} passage={one} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ passage }: { passage: Stand }) {
  const t = useText()
  const { stance, text, locator, document } = passage
  const [name, Icon, color] = STANCES[stance]
  const source = <Place locator={locator} title={document.title} />
  return (
    <tr className="border-t border-line">
      <th scope="row" className={`py-3 pr-3 align-top text-sm font-medium ${color}`}>
        <span className="flex items-start gap-1.5">
          <Icon size={16} className="mt-0.5 shrink-0" aria-hidden />
          {t(name)}
        </span>
      </th>
      <td className="py-2 align-top">
        <Link
          href={passageHref(locator)}
          data-document={locator.document}
          data-start={locator.start}
          data-end={locator.end}
          className="-mx-2 block min-h-10 rounded-md px-2 py-1.5 font-serif leading-relaxed hover:bg-sunken"
        >
          {text}
        </Link>
        <div className="flex justify-between gap-3 pt-1 text-sm text-muted sm:hidden">{source}</div>
      </td>
      <td className="hidden py-3 pl-6 align-top text-sm text-muted sm:table-cell">
        <span className="grid gap-1">{source}</span>
      </td>
    </tr>
  )
}
