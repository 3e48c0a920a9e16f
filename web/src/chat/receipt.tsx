/** Below an answer: its sources, what was withheld, how it was made, and what left the machine for it. */

import { useQuery } from '@tanstack/react-query'
import { EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import * as api from '../api/chat'
import { useText } from '../i18n'
import { noticeText } from '../ui/notice'
import { Source } from './citation'
import { Fold } from './fold'
import { historyOf, type StoredSession } from './history'
import { bytesInWords, sentTo } from './ledger'
import type { Account, Coverage, LedgerEntry, Message } from './message'

export function Sources({ message }: { message: Message }) {
  const t = useText()
  const { citations, account } = message
  if (!citations.length) return null
  const verified = citations.every(citation => citation.status === 'verified')
  const head = `${t('chat.sources', { n: citations.length })}${verified ? ` · ${t('chat.allVerified')}` : ''}`
  return (
    <Fold head={head} open={account.model !== 'none'} data-testid="chat-sources">
      <ol aria-label={t('chat.sources.list')} className="-ml-7">
        {citations.map(citation => (
          <Source key={citation.n} citation={citation} />
        ))}
      </ol>
    </Fold>
  )
}

/** Quotations that were not shown: never as a citation, and only as far as they may be told. */
export function Withheld({ account }: { account: Account }) {
  const t = useText()
  if (!account.rejected.length) return null
  return (
    <Fold head={t('chat.rejected', { n: account.rejected.length })} data-testid="chat-rejected">
      <ul className="grid gap-1.5 text-sm">
        {account.rejected.map(({ quote, status }) => (
          <li key={`${status} ${quote}`}>
            <span className="font-medium text-bad">{t(`chat.rejected.${status}`)}</span>
            {status !== 'out_of_scope' && <span className="text-muted">: “{quote}”</span>}
          </li>
        ))}
      </ul>
    </Fold>
  )
}

/** What is hidden under the bound. */
export function Notice({ account }: { account: Account }) {
  const t = useText()
  if (!account.notice) return null
  return (
    <p className="flex gap-2 text-sm text-muted" data-testid="chat-notice">
      <EyeOff size={15} aria-hidden className="mt-0.5 shrink-0" />
      <span>{noticeText(account.notice, t)}</span>
    </p>
  )
}

export function Details({ message, session }: { message: Message; session: string | null }) {
  const t = useText()
  const { account } = message
  const { usage } = account
  if (!account.model) return null
  const told = usage && { n: usage.requests, input: usage.input_tokens, output: usage.output_tokens }
  const cost = usage?.cost
  return (
    <Fold head={t('chat.details')} data-testid="chat-details">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 pb-2 text-sm">
        <Row name={t('chat.model')}>{account.model === 'none' ? t('chat.model.none') : account.model}</Row>
        {told && told.n > 0 && <Row name={t('chat.usage')}>{t('chat.usage.told', told)}</Row>}
        {told && told.n > 0 && (
          <Row name={t('chat.cost')}>
            {cost === 0 ? t('chat.cost.free') : cost ? `$${cost.toFixed(4)}` : t('chat.cost.unknown')}
          </Row>
        )}
        {account.seconds !== null && (
          <Row name={t('chat.time')}>{t('chat.seconds', { n: account.seconds.toFixed(1) })}</Row>
        )}
        <Row name={t('chat.ledger')}>
          <Ledger message={message} session={session} />
        </Row>
      </dl>
    </Fold>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

/** A stored answer knows its ledger; one that was just heard is looked up in the session. */
function Ledger({ message, session }: { message: Message; session: string | null }) {
  const t = useText()
  const { ledger, model } = message.account
  const found = useQuery({
    queryKey: ['ledger', session, message.id],
    enabled: ledger === null && session !== null && model !== 'none',
    queryFn: async () =>
      historyOf(await api.session<StoredSession>(session ?? '', true)).at(-1)?.account.ledger ?? ([] as LedgerEntry[]),
  })
  if (ledger === null && found.isFetching) return t('common.loading')
  const sent = sentTo(ledger ?? found.data ?? [])
  if (!sent.length) return t('chat.ledger.nothing')
  return sent.map(({ host, requests, bytes, passages }) => (
    <p key={host}>
      {t('chat.ledger.entry', { n: requests, host, bytes: bytesInWords(bytes) })}
      {passages > 0 && ` ${t('chat.ledger.passages', { n: passages })}`}
    </p>
  ))
}

export function CoverageBar({ coverage }: { coverage: Coverage | null }) {
  const t = useText()
  if (!coverage) return null
  const sum = (spans: [number, number][]) => spans.reduce((total, [start, end]) => total + end - start, 0)
  const all = sum(coverage.read) + sum(coverage.missing)
  const percent = all ? Math.round((100 * sum(coverage.read)) / all) : 100
  return <p className="text-sm text-muted">{t('chat.coverage', { percent })}</p>
}
