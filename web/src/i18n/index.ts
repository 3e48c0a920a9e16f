/** The words of the interface. English is the measure: a key that Chinese lacks does not compile. */

import { languageOf, preferences, usePreferences } from '../preferences'
import { en } from './en'
import { zh } from './zh'

export type Key = keyof typeof en
export type Words = Record<Key, string>
type Slots = Record<string, string | number>

/** Return a text; `{name}` stands for a slot. Plural: `one|many`, chosen by the slot `n`. */
export function text(words: Words, key: Key, slots: Slots = {}): string {
  let found = words[key]
  if (found.includes('|') && 'n' in slots) {
    const [one = '', many = one] = found.split('|')
    found = slots.n === 1 ? one : many
  }
  return found.replace(/\{(\w+)\}/g, (whole, name: string) => String(slots[name] ?? whole))
}

export type Translate = (key: Key, slots?: Slots) => string

/** Return the words in the language of the interface; a view that calls it is drawn again when that changes. */
export function useText(): Translate {
  const language = languageOf(usePreferences())
  return (key, slots) => text(language === 'zh' ? zh : en, key, slots)
}

/** The same outside of a view (errors, titles). */
export const translate: Translate = (key, slots) => text(languageOf(preferences()) === 'zh' ? zh : en, key, slots)
