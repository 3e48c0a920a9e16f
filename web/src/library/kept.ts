/** What the shelf remembers while one is elsewhere: the filter for this visit, order and view for good. */

import { useEffect, useState } from 'react'
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
