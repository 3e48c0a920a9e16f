/** What was searched for before: kept in this browser only. */

import { useSyncExternalStore } from 'react'

const KEY = 'glossator.searches'
const MOST = 12
const listeners = new Set<() => void>()
let current: readonly string[] = load()

function load(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(one => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return [] // shut off or damaged: none
  }
}

function keep(next: readonly string[]): void {
  current = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch (error) {
    console.warn('searches are kept for this page only', error)
  }
  for (const listener of listeners) listener()
}

/** Put a query at the head of the list. */
export function remember(query: string): void {
  const text = query.trim()
  if (text && text !== current[0]) keep([text, ...current.filter(one => one !== text)].slice(0, MOST))
}

export function forget(): void {
  keep([])
}

/** The queries, the last one first. */
export function useRecent(): readonly string[] {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
