/** Simplified characters by their traditional ones, the table that the index folds with (OpenCC, Apache-2.0). */

import table from './variants.txt?raw'
import type { Variants } from './words'

let read: Variants | null = null

export function variants(): Variants {
  if (!read) {
    const characters = [...table.trim()]
    const pairs: [string, string][] = []
    for (let n = 0; n + 1 < characters.length; n += 2) pairs.push([characters[n] ?? '', characters[n + 1] ?? ''])
    read = new Map(pairs)
  }
  return read
}
