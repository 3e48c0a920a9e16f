/** Highlights and the citation mark, painted by the browser under the text: nothing is added to the document. */

import type { Color } from '../../api/types'
import type { Highlight, Span } from '../viewer'
import { piecesIn, type Section } from './section'
import { COLORS } from './styles'

export type Painted = { id: string; pieces: Range[] }
const MARK = 'data-glossator-mark'

/** Paint the highlights that stand in a section and the cited words; returns where each highlight is. */
export function paint(section: Section, highlights: readonly Highlight[], cited: Span | null): Painted[] {
  const { view, doc } = section
  for (const marked of doc.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK)
  const painted: Painted[] = []
  const ranges = new Map<string, Range[]>()
  for (const { id, span, color, label } of highlights) {
    const pieces = piecesIn(section, span)
    if (!pieces.length) continue
    painted.push({ id, pieces })
    add(ranges, color, pieces)
    if (label) add(ranges, 'noted', pieces)
  }
  const words = cited ? piecesIn(section, cited) : []
  add(ranges, 'cited', words)
  for (const name of [...COLORS, 'noted', 'cited'] as const) register(view, name, ranges.get(name) ?? [])
  return painted
}

/** Return the highlight at a point of the section's own viewport, the last one made if there are several. */
export function highlightAt(painted: readonly Painted[], x: number, y: number): Painted | null {
  const hit = (rect: DOMRect) => x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom
  return painted.findLast(({ pieces }) => pieces.some(piece => [...piece.getClientRects()].some(hit))) ?? null
}

function add(ranges: Map<string, Range[]>, name: string, pieces: Range[]): void {
  ranges.set(name, [...(ranges.get(name) ?? []), ...pieces])
}

function register(view: Section['view'], name: Color | 'noted' | 'cited', ranges: Range[]): void {
  const texts: Range[] = []
  for (const range of ranges) {
    const picture = pictureIn(range)
    if (picture) picture.setAttribute(MARK, name)
    else texts.push(range)
  }
  const key = `glossator-${name}`
  if (!texts.length) view.CSS.highlights.delete(key)
  else {
    const highlight = new view.Highlight(...texts)
    highlight.priority = name === 'cited' ? 2 : name === 'noted' ? 1 : 0
    view.CSS.highlights.set(key, highlight)
  }
}

/** The element that a range selects as a whole. */
function pictureIn(range: Range): Element | null {
  const node = range.startContainer.childNodes[range.startOffset]
  return node?.nodeType === 1 && range.startContainer === range.endContainer ? (node as Element) : null
}
