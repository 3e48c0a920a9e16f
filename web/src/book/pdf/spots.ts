/** On which pages, and where on them, a span of the canonical text stands. */

import type { Rect } from '../../api/types'
import type { Paged, PlacedLine, Span } from '../viewer'
import { type Box, boxesOf } from './geometry'

/** A place on a page; `box` is null where nothing but the page is known. */
export type Spot = { page: number; box: Box | null }
/** Pages beside the one that should hold a position: notes at the foot stand after what calls them. */
const NEAR = [0, -1, 1, -2]

/** Return the page, from 1, that the text at a position begins on. */
export function pageAt(source: Paged, position: number): number {
  const next = source.pages.findIndex(page => page.start > position)
  return Math.max(1, next < 0 ? source.pages.length : next)
}

/** Return where a span stands, its first place first; from rectangles where they are given, else from lines. */
export async function spotsOf(
  source: Paged,
  span: Span,
  rects: readonly Rect[] | null,
  lines: (page: number) => Promise<readonly PlacedLine[]>,
): Promise<Spot[]> {
  if (rects?.length) return rects.map(({ page, box }) => ({ page, box }))
  const first = pageAt(source, span.start)
  const last = pageAt(source, Math.max(span.start, span.end - 1))
  for (const off of NEAR) {
    const page = first + off
    if (page < 1 || page > source.pages.length) continue
    const here = boxesOf(await lines(page), span)
    if (!here.length) continue
    const spots = here.map(box => ({ page, box }) as Spot)
    for (let p = page + 1; p <= last; p++)
      spots.push(...boxesOf(await lines(p), span).map(box => ({ page: p, box }) as Spot))
    return spots
  }
  return [{ page: first, box: null }]
}
