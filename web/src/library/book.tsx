/** One document on the shelf, as a cover or as a line: opens on a click, or is chosen while choosing. */

import { MoreHorizontal } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { DocumentEntry } from '../api/types'
import { type Translate, useText } from '../i18n'
import { MenuButton } from '../ui/menu-button'
import { Cover, ReadLine } from './cover'
import type { DeedKind } from './deeds'
import { readingOf } from './shelving'

export type Placed = {
  entry: DocumentEntry
  index: number
  of: number
  /** null: nothing is being chosen. */
  selected: boolean | null
  onToggle(id: string): void
  onDeed(kind: DeedKind, entry: DocumentEntry): void
}

/** Where a click leads: into the text, or, when it was read too badly to be shown so, to what is known about it. */
export function addressOf(entry: Pick<DocumentEntry, 'id' | 'status'>): string {
  return `/${entry.status === 'quarantined' ? 'document' : 'read'}/${encodeURIComponent(entry.id)}`
}

/** Say in words how far it was read. */
export function readingLabel(entry: DocumentEntry, t: Translate): string {
  const reading = readingOf(entry)
  if (reading === 'reading')
    return t('shelf.percent', { percent: Math.max(1, Math.floor((entry.progress ?? 0) * 100)) })
  return t(reading === 'finished' ? 'shelf.finished' : 'shelf.unread')
}

export const Card = memo(function Card(placed: Placed) {
  const { entry, selected } = placed
  const t = useText()
  const reading = readingOf(entry)
  return (
    <Item {...placed} className="flex flex-col">
      <Opener {...placed} className="group block rounded-[3px] text-left">
        <span className="relative block">
          <Cover of={entry} className="group-hover:shadow-lg" />
          {reading === 'reading' && (
            <ReadLine
              fraction={entry.progress ?? 0}
              label={readingLabel(entry, t)}
              className="absolute inset-x-1.5 bottom-1.5 h-1.5! border border-surface bg-surface!"
            />
          )}
          {selected !== null && <Tick on={selected} className="absolute left-2 top-2" />}
        </span>
        <span className="mt-2 line-clamp-2 wrap-anywhere font-serif text-sm/5 font-medium">{entry.title}</span>
      </Opener>
      <div className="flex items-start justify-between">
        <span className="mt-0.5 line-clamp-2 min-w-0 text-xs text-muted">
          <State entry={entry} /> {entry.authors.join(', ')}
        </span>
        <Actions {...placed} className="-mr-2 -mt-2 shrink-0" />
      </div>
    </Item>
  )
})

export const Line = memo(function Line(placed: Placed) {
  const { entry, selected } = placed
  const t = useText()
  const reading = readingOf(entry)
  return (
    <Item {...placed} className="flex items-center gap-2 border-b border-line">
      <Opener {...placed} className="flex min-w-0 flex-1 items-center gap-4 rounded-md py-1 text-left hover:bg-sunken">
        {selected !== null && <Tick on={selected} />}
        <Cover of={entry} className="w-8 shrink-0 text-[3.2px]" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-serif font-medium">{entry.title}</span>
          <span className="block truncate text-sm text-muted">
            <State entry={entry} /> {entry.authors.join(', ')}
          </span>
        </span>
        <span className="hidden w-40 truncate text-sm text-muted lg:block">{entry.collections.join(', ')}</span>
        <span className="hidden w-14 text-sm text-muted md:block">{entry.format}</span>
        <span className="grid w-20 gap-1 text-right text-xs text-muted sm:w-28">
          {readingLabel(entry, t)}
          {reading === 'reading' && <ReadLine fraction={entry.progress ?? 0} label={readingLabel(entry, t)} />}
        </span>
      </Opener>
      <Actions {...placed} />
    </Item>
  )
})

function Item({ entry, index, of, className, children }: Placed & { className: string; children: ReactNode }) {
  return (
    <div
      role="listitem"
      aria-setsize={of}
      aria-posinset={index + 1}
      data-index={index}
      data-testid="shelf-document"
      data-document={entry.id}
      className={`relative min-w-0 ${className}`}
    >
      {children}
    </div>
  )
}

function Opener({
  entry,
  selected,
  onToggle,
  className,
  children,
}: Placed & { className: string; children: ReactNode }) {
  if (selected === null)
    return (
      <Link href={addressOf(entry)} data-open className={className}>
        {children}
      </Link>
    )
  return (
    <button type="button" data-open aria-pressed={selected} className={className} onClick={() => onToggle(entry.id)}>
      {children}
    </button>
  )
}

function Tick({ on, className = '' }: { on: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={`grid size-6 shrink-0 place-items-center rounded-full border-2 text-xs ${on ? 'border-surface bg-accent text-on-accent' : 'border-edge bg-surface'} ${className}`}
    >
      {on && '✓'}
    </span>
  )
}

function State({ entry }: { entry: DocumentEntry }) {
  const t = useText()
  if (entry.status !== 'quarantined') return null
  return <span className="mr-1 rounded bg-sunken px-1.5 py-0.5 text-warn">{t('shelf.quarantined')}</span>
}

function Actions({ entry, selected, onDeed, className = '' }: Placed & { className?: string }) {
  const t = useText()
  const [, go] = useLocation()
  if (selected !== null) return null
  const id = encodeURIComponent(entry.id)
  return (
    <div className={className}>
      <MenuButton
        label={t('shelf.actions', { title: entry.title })}
        entries={() => [
          { label: t('shelf.read'), onSelect: () => go(`/read/${id}`) },
          { label: t('shelf.details'), onSelect: () => go(`/document/${id}`) },
          { label: t('shelf.map'), onSelect: () => go(`/map/${id}`) },
          'line',
          { label: t('deed.collections'), onSelect: () => onDeed('collections', entry) },
          { label: t('deed.tags'), onSelect: () => onDeed('tags', entry) },
          'line',
          { label: t('deed.remove'), onSelect: () => onDeed('remove', entry), danger: true },
        ]}
      >
        <MoreHorizontal size={18} aria-hidden />
      </MenuButton>
    </div>
  )
}
