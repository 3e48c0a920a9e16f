/** Documents as covers or as lines; only those in sight are drawn, so that a thousand scroll like ten. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { Card, Line } from './book'
import type { DeedKind } from './deeds'
import type { View } from './kept'

const GAP = 24
const UNDER_COVER = 84 // a title of two lines, the author, the menu
const LINE = 64

export type Chosen = ReadonlySet<string> | null
type Shown = {
  entries: DocumentEntry[]
  view: View
  selected: Chosen
  onSelected(next: Chosen): void
  onDeed(kind: DeedKind, entry: DocumentEntry): void
}

export function Books({ entries, view, selected, onSelected, onDeed }: Shown) {
  const t = useText()
  const host = useRef<HTMLDivElement>(null)
  const { width, margin } = useLayout(host)
  const narrow = width < 560
  const gap = narrow ? 14 : GAP
  const columns = view === 'list' ? 1 : Math.max(1, Math.floor((width + gap) / ((narrow ? 96 : 150) + gap)))
  const cell = (width - gap * (columns - 1)) / columns
  const height = view === 'list' ? LINE : cell * 1.5 + UNDER_COVER + gap
  const rows = useVirtualizer({
    count: width ? Math.ceil(entries.length / columns) : 0,
    getScrollElement: scroller,
    estimateSize: () => height,
    overscan: view === 'list' ? 8 : 2,
    scrollMargin: margin,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size of a row follows the width, which `rows` cannot see
  useLayoutEffect(() => rows.measure(), [rows, height, columns])
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(selected)
      if (!next.delete(id)) next.add(id)
      onSelected(next)
    },
    [selected, onSelected],
  )
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const from = Number((event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index ?? Number.NaN)
    const to = target(event.key, from, columns, entries.length)
    if (to === null) return
    event.preventDefault()
    rows.scrollToIndex(Math.floor(to / columns))
    requestAnimationFrame(() => host.current?.querySelector<HTMLElement>(`[data-index="${to}"] [data-open]`)?.focus())
  }
  return (
    <div
      ref={host}
      role="list"
      aria-label={t('shelf.documents')}
      className="relative"
      style={{ height: rows.getTotalSize() }}
      onKeyDown={move}
    >
      {rows.getVirtualItems().map(row => (
        <Row
          key={row.key}
          top={row.start - margin}
          first={row.index * columns}
          {...{ entries, view, selected, onDeed, columns, gap, cell, height }}
          onToggle={toggle}
        />
      ))}
    </div>
  )
}

type Placing = { top: number; first: number; columns: number; gap: number; cell: number; height: number }

const Row = memo(function Row({
  top,
  first,
  columns,
  gap,
  cell,
  height,
  ...books
}: Placing & Omit<Shown, 'onSelected'> & { onToggle(id: string): void }) {
  const { entries, view, selected, onToggle, onDeed } = books
  const Book = view === 'list' ? Line : Card
  return (
    <div
      role="presentation"
      className="absolute inset-x-0 top-0 grid contain-layout"
      style={{
        height,
        columnGap: gap,
        gridTemplateColumns: `repeat(${columns}, ${columns === 1 ? 'minmax(0, 1fr)' : `${cell}px`})`,
        transform: `translateY(${top}px)`,
        ...(view === 'grid' ? { fontSize: cell / 10 } : {}), // covers are set in tenths of their width
      }}
    >
      {entries.slice(first, first + columns).map((entry, n) => (
        <Book
          key={entry.id}
          entry={entry}
          index={first + n}
          of={entries.length}
          selected={selected ? selected.has(entry.id) : null}
          onToggle={onToggle}
          onDeed={onDeed}
        />
      ))}
    </div>
  )
})

/** Return the document that a key leads to, or null when it leads nowhere. */
function target(key: string, from: number, columns: number, count: number): number | null {
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }
  const step = steps[key]
  const to = from + (step ?? Number.NaN)
  return to >= 0 && to < count ? to : null
}

/** The element that scrolls every view of the frame. */
function scroller(): HTMLElement | null {
  return document.getElementById('main')
}

/**
 * The width of an element, and how far its top is from that of all that scrolls. The first is guessed, so that the view
 * is as high as it will be when the frame leads back to where it was left.
 */
function useLayout(host: React.RefObject<HTMLElement | null>) {
  const [layout, setLayout] = useState(() => ({ width: Math.max(0, (scroller()?.clientWidth ?? 0) - 64), margin: 0 }))
  useLayoutEffect(() => {
    const at = host.current
    const main = scroller()
    if (!at || !main) return
    const look = () => {
      const margin = Math.round(at.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop)
      const width = at.clientWidth
      setLayout(now => (now.width === width && now.margin === margin ? now : { width, margin }))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(at)
    if (at.parentElement?.parentElement) observer.observe(at.parentElement.parentElement)
    return () => observer.disconnect()
  }, [host])
  return layout
}
