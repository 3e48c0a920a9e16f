/** Days, languages and sizes in the words of the interface. */

import { languageOf, preferences } from '../preferences'

const shown = () => languageOf(preferences())

export function dayOf(time: string): string {
  return new Date(time).toLocaleDateString(shown(), { dateStyle: 'medium' })
}

export function momentOf(time: string): string {
  return new Date(time).toLocaleString(shown(), { dateStyle: 'medium', timeStyle: 'short' })
}

/** Return the name of a language; of a code that is none, the code. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(shown(), { type: 'language' }).of(code) ?? code
  } catch {
    return code // a book may claim anything
  }
}

export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3))
  return `${(count / 1000 ** power).toLocaleString(shown(), { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`
}

/** Offer something as a file to keep. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Return a title as the name of a file. */
export function fileName(title: string): string {
  return (
    title
      .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'notes'
  )
}

/** Return a share in percent; only what is whole is called 100, and only what is nothing 0. */
export function percentOf(share: number): number {
  if (share <= 0) return 0
  return share >= 1 ? 100 : Math.min(99, Math.max(1, Math.round(share * 100)))
}
