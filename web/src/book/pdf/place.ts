/** What is on the screen, to the line. */

import type { Paged, Place, PlacedLine } from '../viewer'
import { inWindow, type Sheet } from './sheet'

/** Pixels that a line may stand above the upper edge and still count as seen. */
const SLACK = 1.5

type Seen = { start: number; end: number; page: number }

/** Return what is seen of the sheets that are on the screen, in order; `atEnd` when there is nothing below. */
export async function placeOf(
  sheets: readonly Sheet[],
  screen: DOMRect,
  source: Paged,
  lines: (page: number) => Promise<readonly PlacedLine[]>,
  atEnd: boolean,
): Promise<Place | null> {
  const found = await Promise.all(sheets.map(async sheet => seen(sheet, await lines(sheet.id), screen)))
  const shown = found.filter(s => s !== null)
  const first = shown[0] ?? (await above(sheets[0], screen, source, lines))
  if (!first) return null
  const end = Math.max(first.end, ...shown.map(s => s.end))
  const share = source.characters > 0 ? first.start / source.characters : (first.page - 1) / source.pages.length
  return { start: first.start, end, fraction: atEnd ? 1 : Math.min(1, share), page: first.page, atEnd }
}

function seen(sheet: Sheet, lines: readonly PlacedLine[], screen: DOMRect): Seen | null {
  const frame = sheet.div.getBoundingClientRect()
  const shown = lines.filter(line => {
    const area = inWindow(sheet, line.box, frame)
    const middle = (area.top + area.bottom) / 2
    return area.top >= screen.top - SLACK && middle < screen.bottom && area.right > screen.left
  })
  if (!shown.length) return null
  return {
    start: Math.min(...shown.map(l => l.start)),
    end: Math.max(...shown.map(l => l.end)),
    page: sheet.id,
  }
}

/** Where no line is seen: the last one before, as when a picture fills the screen; else the start of the page. */
async function above(
  sheet: Sheet | undefined,
  screen: DOMRect,
  source: Paged,
  lines: (page: number) => Promise<readonly PlacedLine[]>,
): Promise<Seen | null> {
  if (!sheet) return null
  const frame = sheet.div.getBoundingClientRect()
  const before = (await lines(sheet.id)).filter(line => inWindow(sheet, line.box, frame).top < screen.top)
  const start = before.length ? Math.max(...before.map(l => l.start)) : (source.pages[sheet.id - 1]?.start ?? 0)
  return { start, end: start, page: sheet.id }
}
