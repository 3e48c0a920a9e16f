import { ArrowLeft, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { TABS, type Tab } from './side'

const ROUND = 'inline-grid size-10 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink'

/** The way out, what is read, and what can be laid beside it. */
export function TopBar({
  document,
  section,
  tab,
  onTab,
  children,
}: {
  document: { id: string; title: string }
  section: string | null
  tab: Tab | null
  onTab(tab: Tab | null): void
  children: ReactNode
}) {
  const t = useText()
  return (
    <header
      aria-label={t('reader.bar')}
      className="pointer-events-auto flex items-center gap-0.5 bg-ground px-1 pt-[env(safe-area-inset-top)]"
    >
      <Link href="/" aria-label={t('reader.back')} title={t('reader.back')} className={ROUND}>
        <ArrowLeft size={19} aria-hidden />
      </Link>
      <h1 className="min-w-0 flex-1 truncate px-1 text-sm text-muted">
        <span className="font-medium text-ink">{document.title}</span>
        {section && <span className="max-sm:hidden"> — {section}</span>}
      </h1>
      {TABS.map(([name, label, Icon]) => (
        <IconButton
          key={name}
          label={t(label)}
          pressed={tab === name}
          onClick={() => onTab(tab === name ? null : name)}
        >
          <Icon size={19} aria-hidden />
        </IconButton>
      ))}
      {children}
      <Link
        href={`/document/${encodeURIComponent(document.id)}`}
        aria-label={t('reader.details')}
        title={t('reader.details')}
        className={`${ROUND} max-sm:hidden`}
      >
        <Info size={19} aria-hidden />
      </Link>
    </header>
  )
}
