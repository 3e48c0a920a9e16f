/** How a person likes to read: kept in this browser, shared by all views, followed by other tabs. */

import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'sepia' | 'dark'
export type Language = 'en' | 'zh'
export type Reading = {
  flow: 'paginated' | 'scrolled'
  font: 'serif' | 'sans' | 'publisher'
  /** Pixels of body text. */
  size: number
  lineHeight: number
  /** Share of the width on each side, 0 to 0.25. */
  margin: number
  columns: 1 | 2
  justify: boolean
}
export type Preferences = { theme: Theme; language: Language | ''; reading: Reading }

const KEY = 'glossator'
const DEFAULTS: Preferences = {
  theme: 'system',
  language: '',
  reading: { flow: 'paginated', font: 'serif', size: 18, lineHeight: 1.55, margin: 0.06, columns: 1, justify: false },
}
const listeners = new Set<() => void>()
let current = load()

function load(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
    return { ...DEFAULTS, ...kept, reading: { ...DEFAULTS.reading, ...kept.reading } }
  } catch {
    return DEFAULTS // shut off or damaged: as on the first day
  }
}

function tell(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = current.theme === 'system' ? (dark ? 'dark' : 'light') : current.theme
  document.documentElement.lang = languageOf(current)
  for (const listener of listeners) listener()
}

/** Return the language of the interface: the chosen one, else the browser's. */
export function languageOf(preferences: Preferences): Language {
  return preferences.language || (navigator.language.startsWith('zh') ? 'zh' : 'en')
}

export function preferences(): Preferences {
  return current
}

export function change(part: Partial<Omit<Preferences, 'reading'>> & { reading?: Partial<Reading> }): void {
  current = { ...current, ...part, reading: { ...current.reading, ...part.reading } }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch (error) {
    console.warn('preferences are kept for this page only', error)
  }
  tell()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences)
}

/** Call a function after each change; returns what ends that. */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follow other tabs and the system's theme; call once. */
export function follow(): void {
  addEventListener('storage', event => {
    if (event.key !== KEY) return
    current = load()
    tell()
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell)
  tell()
}
