/** The words of the interface. English is the measure: a key that Chinese lacks does not compile. */

import { useSyncExternalStore } from 'react'
import { type Language, languageOf, onPreferences, preferences } from '../preferences'
import { en } from './en'

export type Key = keyof typeof en
export type Words = Record<Key, string>
type Slots = Record<string, string | number>

let spoken: { language: Language; words: Words } = { language: 'en', words: en }
const listeners = new Set<() => void>()

/** Return a text; `{name}` stands for a slot. Plural: `one|many`, chosen by the slot `n`. */
export function text(words: Words, key: Key, slots: Slots = {}): string {
  let found = words[key]
  if (found.includes('|') && 'n' in slots) {
    const [one = '', many = one] = found.split('|')
    found = slots.n === 1 ? one : many
  }
  return found.replace(/\{(\w+)\}/g, (whole, name: string) => String(slots[name] ?? whole))
}

/** Load the words of the chosen language and use them, now and whenever another one is chosen. */
export async function speak(): Promise<void> {
  onPreferences(() => void load())
  await load()
}

async function load(): Promise<void> {
  const language = languageOf(preferences())
  if (language === spoken.language) return
  const words = language === 'zh' ? (await import('./zh')).zh : en
  if (language !== languageOf(preferences())) return // another one was chosen meanwhile
  spoken = { language, words }
  for (const listener of listeners) listener()
}

export type Translate = (key: Key, slots?: Slots) => string

/** Return the words in the language of the interface; a view that calls it is drawn again when that changes. */
export function useText(): Translate {
  const { words } = useSyncExternalStore(listen, () => spoken)
  return (key, slots) => text(words, key, slots)
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same outside of a view (errors, titles). */
export const translate: Translate = (key, slots) => text(spoken.words, key, slots)
