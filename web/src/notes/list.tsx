import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/**
 * Rows of their own heights, of which only those on the screen are drawn. `scroller` is the element that scrolls; other
 * things may stand in it above the list.
 */
export function Rows<Row extends { key: string }>({
  rows,
  scroller,
  total,
  chosen,
  onEnd,
  children,
}: {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  /** How many there are in all, with those that are not loaded. */
  total?: number
  /** The row to be brought into view. */
  chosen?: number
  onEnd?(): void
  children(row: Row): ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  // what stands around the list is there only once the list is: look again then
  const [, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  const [above, setAbove] = useState(0)
  useLayoutEffect(() => {
    if (!list.current || !scroller.current) return
    const top = list.current.getBoundingClientRect().top - scroller.current.getBoundingClientRect().top
    setAbove(Math.round(top + scroller.current.scrollTop))
  })
  const virtual = useVirtualizer({
    scrollMargin: above,
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 150,
    getItemKey: n => rows[n]?.key ?? n,
    overscan: 6,
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length && last >= rows.length - 12) onEnd?.()
  }, [last, rows.length, onEnd])
  useEffect(() => {
    if (chosen !== undefined && chosen >= 0) virtual.scrollToIndex(chosen, { align: 'center' })
  }, [chosen, virtual])
  return (
    <ul ref={list} className="relative w-full" style={{ height: virtual.getTotalSize() }}>
      {shown.map(({ index, key, start }) => {
        const row = rows[index]
        return (
          row && (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              aria-setsize={total ?? rows.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${start - above}px)` }}
            >
              {children(row)}
            </li>
          )
        )
      })}
    </ul>
  )
}
