/** A checked quotation: its number with the verdict inside the text, and its entry in the list of sources. */

import { Check, CircleAlert, EqualApproximately } from 'lucide-react'
import { Tooltip } from 'radix-ui'
import { createContext, useContext } from 'react'
import type { Citation, CitationStatus } from '../api/types'
import { type Translate, useText } from '../i18n'
import { useWays } from './ways'

const LOOKS: Record<CitationStatus, { color: string; Icon: typeof Check }> = {
  verified: { color: 'text-good', Icon: Check },
  repaired: { color: 'text-warn', Icon: EqualApproximately },
  misattributed: { color: 'text-bad', Icon: CircleAlert },
}
/** The citations of the answer that is drawn, so that its text need not be parsed again when one comes. */
export const Citations = createContext<readonly Citation[]>([])

/** Return where a quotation stands, in words. */
export function placeOf({ document, locator }: Citation, t: Translate): string {
  const section = locator.section?.path.at(-1)
  const page = locator.page_label ?? locator.page
  return [document.title, section, page === null ? null : t('chat.page', { page })].filter(Boolean).join(' · ')
}

function useCitation(citation: Citation) {
  const t = useText()
  const ways = useWays()
  const { locator, status } = citation
  const target = { document: citation.document.id, start: locator.start, end: locator.end }
  const label = t('chat.citation', {
    n: citation.n,
    status: t(`chat.status.${status}`),
    quote: citation.quote,
    place: placeOf(citation, t),
  })
  const data = {
    'data-start': target.start,
    'data-end': target.end,
    'data-document': target.document,
    'data-status': status,
  }
  return { t, label, data, place: placeOf(citation, t), open: () => ways.go(target, locator.rects) }
}

/** A number in the text; before its citation is known, and when there is none, just that number. */
export function CitationNumber({ n }: { n: number }) {
  const citation = useContext(Citations).find(known => known.n === n)
  return citation ? <Chip citation={citation} /> : <> [{n}]</>
}

function Chip({ citation }: { citation: Citation }) {
  const { t, label, data, place, open } = useCitation(citation)
  const { color, Icon } = LOOKS[citation.status]
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          data-testid="chat-citation"
          {...data}
          aria-label={label}
          onClick={open}
          className={`relative mx-0.5 inline-flex items-center gap-0.5 rounded-full bg-sunken px-1.5 align-[0.1em] font-sans text-xs leading-5 font-medium hover:bg-accent-soft after:absolute after:-inset-x-1 after:-inset-y-2.5 ${color}`}
        >
          {citation.n}
          <Icon size={11} strokeWidth={2.5} aria-hidden />
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={12}
          className="z-60 max-w-sm rounded-lg border border-line bg-surface p-3 text-sm shadow-(--shadow)"
        >
          <p className={`font-medium ${color}`}>{t(`chat.status.${citation.status}`)}</p>
          <p className="text-muted">{t(`chat.status.${citation.status}What`)}</p>
          <p className="mt-1.5 line-clamp-4 font-serif">{citation.quote}</p>
          <p className="mt-1 text-xs text-muted">{place}</p>
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** An entry of the list of sources. */
export function Source({ citation }: { citation: Citation }) {
  const { t, data, place, open } = useCitation(citation)
  const { color, Icon } = LOOKS[citation.status]
  return (
    <li>
      <button
        type="button"
        data-testid="chat-source"
        {...data}
        onClick={open}
        className="grid w-full grid-cols-[1.5rem_1fr] rounded-md px-2 py-2 text-left hover:bg-sunken"
      >
        <span className="text-sm text-muted">{citation.n}</span>
        <span className="min-w-0">
          <span className="line-clamp-2 font-serif">{citation.quote}</span>
          <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-muted">
            <span className={`inline-flex items-center gap-1 font-medium ${color}`}>
              <Icon size={12} strokeWidth={2.5} aria-hidden />
              {t(`chat.status.${citation.status}`)}
            </span>
            <span className="min-w-0 break-words">{place}</span>
          </span>
        </span>
      </button>
    </li>
  )
}
