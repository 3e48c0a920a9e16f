import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, type LucideIcon, WandSparkles } from 'lucide-react'
import { Link } from 'wouter'
import { type Located, locate, type Near, passageHref } from '../api/finding'
import { documents } from '../api/queries'
import type { Locator } from '../api/types'
import { type Key, useText } from '../i18n'
import { noticeText } from '../ui/notice'
import { Failed, Loading } from '../ui/states'
import type { Asked } from './address'
import { Box } from './box'
import { Within } from './claim'
import type { Go } from './page'
import { Place } from './place'

const VERDICTS: Record<Located['status'], [Key, LucideIcon, string]> = {
  verified: ['quote.verified', CircleCheck, 'text-good'],
  repaired: ['quote.repaired', WandSparkles, 'text-warn'],
  not_found: ['quote.notFound', CircleX, 'text-bad'],
}
const REPAIRS: Record<string, Key> = {
  case: 'repair.case',
  unicode: 'repair.unicode',
  ligatures: 'repair.ligatures',
  width: 'repair.width',
  variants: 'repair.variants',
  quotes: 'repair.quotes',
  dashes: 'repair.dashes',
  spaces: 'repair.spaces',
  hyphenation: 'repair.hyphenation',
  ellipsis: 'repair.ellipsis',
  punctuation: 'repair.punctuation',
  spelling: 'repair.spelling',
}

/** A quotation, its verdict, and its place or what comes close to it. */
export function Quotation({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  return (
    <>
      <Box
        label={t('quote.label')}
        placeholder={t('quote.placeholder')}
        hint={t('quote.hint')}
        action={t('quote.go')}
        text={asked.text}
        lines={2}
        live={false}
        testId="quote-input"
        onText={text => go({ text })}
      />
      <Within asked={asked} go={go} />
      {asked.text && <Answer asked={asked} />}
    </>
  )
}

function Answer({ asked }: { asked: Asked }) {
  const { data, error, refetch } = useQuery(locate(asked.text, asked.doc || null, { uncapped: asked.uncapped }))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return <Verdict found={data} />
}

function Verdict({ found }: { found: Located }) {
  const t = useText()
  const [name, Icon, color] = VERDICTS[found.status]
  const list = found.repairs.map(one => (REPAIRS[one] ? t(REPAIRS[one]) : one)).join(t('quote.comma'))
  return (
    <section data-testid="quote-verdict" data-status={found.status}>
      <div role="status" className="grid gap-1">
        <h2 className={`flex items-center gap-2 font-semibold ${color}`}>
          <Icon size={20} aria-hidden />
          {t(name)}
        </h2>
        {list && <p className="text-muted">{t('quote.repairs', { list })}</p>}
        {found.occurrences > 0 && <p className="text-muted">{t('quote.occurrences', { n: found.occurrences })}</p>}
        {found.notice && <p className="text-sm text-muted">{noticeText(found.notice, t)}</p>}
      </div>
      {found.locator && <There locator={found.locator} text={found.locator.quote?.exact ?? ''} around />}
      {found.status === 'not_found' && <Close near={found.near} />}
    </section>
  )
}

function Close({ near }: { near: readonly Near[] }) {
  const t = useText()
  if (!near.length) return <p className="pt-4 text-muted">{t('quote.nothingNear')}</p>
  return (
    <>
      <h3 className="pt-6 text-sm font-medium text-muted">{t('quote.near')}</h3>
      <ul>
        {near.map(one => (
          <li key={`${one.document} ${one.locator.start}`}>
            <There locator={one.locator} text={one.text} alike={one.score} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** A place, in the source's own words, with what stands around them. */
function There({ locator, text, alike, around }: { locator: Locator; text: string; alike?: number; around?: boolean }) {
  const t = useText()
  const found = useQuery(documents()).data?.documents.find(one => one.id === locator.document)
  return (
    <Link
      href={passageHref(locator)}
      data-document={locator.document}
      data-start={locator.start}
      data-end={locator.end}
      className="-mx-3 mt-3 block rounded-lg px-3 py-2.5 hover:bg-sunken"
    >
      <span className="flex justify-between gap-4 pb-1 text-sm text-muted">
        <Place locator={locator} {...(found ? { title: found.title } : {})} />
        {alike !== undefined && (
          <span className="shrink-0">{t('quote.alike', { percent: Math.round(alike * 100) })}</span>
        )}
      </span>
      <span className="block whitespace-pre-line font-serif leading-relaxed">
        {around && locator.quote?.prefix && <span className="text-muted">… {locator.quote.prefix}</span>}
        <mark>{text}</mark>
        {around && locator.quote?.suffix && <span className="text-muted">{locator.quote.suffix} …</span>}
      </span>
    </Link>
  )
}
