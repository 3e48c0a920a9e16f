/** The part that is on the screen: its document in the frame, and where its blocks stand. */

import { piecesOf, rangeAt, spanOf } from '../../locator/places'
import type { PlacedBlock, Reflowable, ReflowablePart, Span } from '../viewer'

export type View = Window & typeof globalThis
export type Section = { index: number; doc: Document; view: View; blocks: PlacedBlock[] }

/** Return the index of the part where a position is, or of the last one that begins before it. */
export function partAt(parts: readonly ReflowablePart[], position: number): number {
  const inside = parts.findIndex(p => p.start !== null && p.end !== null && p.start <= position && position < p.end)
  if (inside >= 0) return inside
  const before = parts.findLastIndex(p => p.start !== null && p.start <= position)
  return Math.max(before, 0)
}

/** Return where the text after a part begins: where one stands in a part that has no text. */
export function positionAfter(source: Reflowable, index: number): number {
  return source.parts.slice(index).find(p => p.start !== null)?.start ?? source.characters
}

/** Return the DOM range that a position is shown by, or how far down the part it is. */
export function anchorOf(section: Section, part: ReflowablePart | undefined, position: number): Range | number {
  const range = rangeAt(section.doc, section.blocks, position)
  if (range) return range
  return part?.start !== null && part !== undefined && position > part.start ? 1 : 0
}

/** Return the characters of a visible range of the paginator: an element as its end was seen whole. */
export function visibleSpan(section: Section, range: Range): Span | null {
  const seen = range.cloneRange()
  if (seen.endContainer.nodeType === 1 && seen.endOffset === 0) seen.setEndAfter(seen.endContainer)
  const span = spanOf(section.doc, section.blocks, seen)
  return span && { ...span, start: afterSpace(section, span) }
}

/** A space that a line was broken at is drawn at the end of the page before: what is seen begins after it. */
function afterSpace(section: Section, { start, end }: Span): number {
  let at = start
  while (at < end && rangeAt(section.doc, section.blocks, at)?.toString().trim() === '') at++
  return at < end ? at : start
}

/** Return where a range of the section stands in the window, clipped to `host`; null when none of it is there. */
export function boxOf(section: Section, rects: Iterable<DOMRect>, host: DOMRect): DOMRect | null {
  const frame = section.view.frameElement?.getBoundingClientRect()
  if (!frame) return null
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const rect of rects) {
    const box = new DOMRect(rect.x + frame.x, rect.y + frame.y, rect.width, rect.height)
    if (!box.width || box.right <= host.left || box.left >= host.right) continue
    if (box.bottom <= host.top || box.top >= host.bottom) continue
    left = Math.min(left, box.left)
    top = Math.min(top, box.top)
    right = Math.max(right, box.right)
    bottom = Math.max(bottom, box.bottom)
  }
  return left < right ? new DOMRect(left, top, right - left, bottom - top) : null
}

/** Return the DOM ranges of a span in this section; none when it stands elsewhere. */
export function piecesIn(section: Section, span: Span): Range[] {
  return piecesOf(section.doc, section.blocks, span)
}
