/** What the shelf remembers while one is elsewhere: the filter for this visit, order and view for good. */

import { useEffect, useLayoutEffect, useState } from 'react'
import { EVERYTHING, type Filter, type Sort } from './shelving'

export type View = 'grid' | 'list'
export type Kept = Filter & { view: View }

const KEY = 'glossator.shelf'
let kept: Kept | null = null

function load(): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { sort?: Sort; view?: View }
    return { ...EVERYTHING, sort: found.sort ?? 'read', view: found.view ?? 'grid' }
  } catch {
    return { ...EVERYTHING, view: 'grid' } // shut off or damaged: as on the first day
  }
}

function keep(filter: Kept): void {
  kept = filter
  try {
    localStorage.setItem(KEY, JSON.stringify({ sort: filter.sort, view: filter.view }))
  } catch (error) {
    console.warn('the order of the shelf is kept for this page only', error)
  }
}

export function useKeptFilter(): [Kept, (part: Partial<Kept>) => void] {
  const [filter, setFilter] = useState(() => kept ?? load())
  useEffect(() => keep(filter), [filter])
  return [filter, part => setFilter(now => ({ ...now, ...part }))]
}

/** Show one collection, tag or format when the shelf is opened next. */
export function narrow(part: Partial<Filter>): void {
  kept = { ...load(), ...part }
}

const places = new Map<string, number>()

/** The element that scrolls every view of the frame. */
export function scroller(): HTMLElement | null {
  return document.getElementById('main')
}

/** Begin where this view was left; without a name at the top. */
export function useKeptScroll(name?: string): void {
  useLayoutEffect(() => {
    const main = scroller()
    if (!main) return
    main.scrollTop = name ? (places.get(name) ?? 0) : 0
    if (!name) return
    const note = () => places.set(name, main.scrollTop)
    main.addEventListener('scroll', note, { passive: true })
    return () => main.removeEventListener('scroll', note)
  }, [name])
}
