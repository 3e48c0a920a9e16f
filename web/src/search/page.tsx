/** Search: by words and meaning, for a claim, or for the place of a quotation. The address holds what is asked. */

import { Link, useLocation, useSearch } from 'wouter'
import { type Key, useText } from '../i18n'
import { type Asked, address, read, type Tab } from './address'
import { Claim } from './claim'
import { Quotation } from './quotation'
import { Search } from './search'

export type Go = (next: Partial<Asked>, how?: { replace?: boolean }) => void

const TABS: readonly (readonly [Tab, Key])[] = [
  ['search', 'search.tab.search'],
  ['claim', 'search.tab.claim'],
  ['quote', 'search.tab.quote'],
]

export default function SearchPage() {
  const t = useText()
  const asked = read(useSearch())
  const [, navigate] = useLocation()
  const go: Go = (next, how = {}) => navigate(address({ ...asked, ...next }), how)
  return (
    <div className="mx-auto max-w-4xl px-4 pb-24 pt-4 sm:px-8 sm:pt-8">
      <h1 className="sr-only">{t('search.title')}</h1>
      <nav aria-label={t('search.title')} className="-mx-2 mb-5 flex overflow-x-auto">
        {TABS.map(([tab, name]) => (
          <Link
            key={tab}
            href={address({ ...asked, tab, explain: false })}
            aria-current={asked.tab === tab ? 'page' : undefined}
            className="shrink-0 rounded-md px-3 py-2.5 text-sm text-muted hover:text-ink aria-[current]:font-medium aria-[current]:text-accent aria-[current]:underline aria-[current]:decoration-2 aria-[current]:underline-offset-8"
          >
            {t(name)}
          </Link>
        ))}
      </nav>
      {asked.tab === 'search' && <Search asked={asked} go={go} />}
      {asked.tab === 'claim' && <Claim asked={asked} go={go} />}
      {asked.tab === 'quote' && <Quotation asked={asked} go={go} />}
    </div>
  )
}
