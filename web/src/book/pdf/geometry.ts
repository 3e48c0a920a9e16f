/**
 * Between positions of the canonical text and places on a page. Pure functions over the lines of one page; points are
 * those of the file's unrotated page, origin bottom left, as in a locator.
 */

import type { PlacedLine, Span } from '../viewer'

export type Box = [x0: number, y0: number, x1: number, y1: number]
export type Point = [x: number, y: number]

const WHITE = /\s/u

/** Return the boxes of the characters of a span, one for each line that it touches; white space at its ends is left out. */
export function boxesOf(lines: readonly PlacedLine[], span: Span): Box[] {
  const boxes: Box[] = []
  for (const line of lines) {
    let from = Math.max(span.start, line.start) - line.start
    let to = Math.min(span.end, line.end) - line.start
    if (from >= to) continue
    const characters = Array.from(line.text)
    while (from < to && WHITE.test(characters[from] ?? '')) from++
    while (to > from && WHITE.test(characters[to - 1] ?? '')) to--
    if (from < to) boxes.push(boxOf(line, from, to))
  }
  return boxes
}

/** Return the box of characters `[from, to)` of a line; the whole line where the edges of its characters are unknown. */
export function boxOf(line: PlacedLine, from = 0, to = line.end - line.start): Box {
  const [x0, y0, x1, y1] = line.box
  if (line.edges.length !== line.end - line.start + 1) return [x0, y0, x1, y1]
  const edges = line.edges.slice(from, to + 1) // not ascending where the script runs right to left
  const low = Math.min(...edges)
  const high = Math.max(...edges)
  return line.axis === 'x' ? [low, y0, high, y1] : [x0, low, x1, high]
}

/** Return how much of the smaller one of two intervals they share, 0 to 1. */
function shared(a0: number, a1: number, b0: number, b1: number): number {
  const smaller = Math.min(a1 - a0, b1 - b0)
  return smaller <= 0 ? 0 : Math.max(0, Math.min(a1, b1) - Math.max(a0, b0)) / smaller
}

/** Return the extent of a box along the writing of a line, and across it. */
function turned(box: Box, axis: 'x' | 'y'): [along: [number, number], across: [number, number]] {
  const [x0, y0, x1, y1] = box
  return axis === 'x'
    ? [
        [x0, x1],
        [y0, y1],
      ]
    : [
        [y0, y1],
        [x0, x1],
      ]
}

/** Return the lines that a box lies on: one for a box as high as a line, else all that it covers. */
export function linesUnder(lines: readonly PlacedLine[], box: Box): PlacedLine[] {
  const found: { line: PlacedLine; off: number; high: number }[] = []
  for (const line of lines) {
    const [along, across] = turned(box, line.axis)
    const [lineAlong, lineAcross] = turned(line.box, line.axis)
    if (Math.min(along[1], lineAlong[1]) - Math.max(along[0], lineAlong[0]) <= 0) continue
    if (shared(...across, ...lineAcross) < 0.6) continue
    const off = Math.abs(across[0] + across[1] - lineAcross[0] - lineAcross[1]) / 2
    found.push({ line, off, high: lineAcross[1] - lineAcross[0] })
  }
  found.sort((a, b) => a.off - b.off)
  const [best] = found
  if (!best) return []
  const [, across] = turned(box, best.line.axis)
  if (across[1] - across[0] > 1.5 * best.high) return found.map(f => f.line)
  return found.filter(f => f.off <= best.off + 0.1 * best.high).map(f => f.line)
}

/** Return the characters whose middle lies in one of the boxes, as spans in reading order. */
export function covered(lines: readonly PlacedLine[], boxes: readonly Box[]): Span[] {
  const spans: Span[] = []
  for (const box of boxes)
    for (const line of linesUnder(lines, box)) {
      const [from, to] = charactersIn(line, turned(box, line.axis)[0])
      if (from < to) spans.push({ start: line.start + from, end: line.start + to })
    }
  return merged(spans)
}

function charactersIn(line: PlacedLine, [low, high]: [number, number]): [from: number, to: number] {
  const count = line.end - line.start
  if (line.edges.length !== count + 1) return [0, count]
  let from = count
  let to = 0
  for (let i = 0; i < count; i++) {
    const a = line.edges[i] ?? 0
    const b = line.edges[i + 1] ?? 0
    const middle = (a + b) / 2
    const flat = Math.abs(a - b) < 0.01 // a mark above the letter before it: goes with it
    if (flat ? to !== i || to === 0 : middle <= low || middle >= high) continue
    from = Math.min(from, i)
    to = i + 1
  }
  return [from, to]
}

export function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else found.push({ ...span })
  }
  return found
}

/**
 * Return the words of spans, from the lines that hold them. Spans on lines that follow one another are joined by what
 * stands between the lines in the text; where words are left out between two spans, "…" does.
 */
export function textOf(lines: readonly PlacedLine[], spans: readonly Span[]): string {
  const inOrder = [...lines].sort((a, b) => a.start - b.start)
  let text = ''
  let at: number | null = null
  let joint = ''
  for (const line of inOrder) {
    const characters = Array.from(line.text)
    for (const span of spans) {
      const start = Math.max(span.start, line.start)
      const end = Math.min(span.end, line.end)
      if (start >= end) continue
      if (at !== null && start > at) text += joinedBy(joint, start - at)
      text += characters.slice(start - line.start, end - line.start).join('')
      at = end
      joint = end === line.end ? characters.slice(line.end - line.start).join('') : ''
    }
  }
  return text
}

function joinedBy(joint: string, gap: number): string {
  if (Array.from(joint).length === gap) return joint
  return gap === 1 ? ' ' : gap === 2 ? '\n\n' : ' … '
}

/** Return the line of which a box has most, null where it stands on none. */
export function lineAt(lines: readonly PlacedLine[], box: Box): PlacedLine | null {
  const under = linesUnder(lines, box)
  const share = (line: PlacedLine) => {
    const [along] = turned(box, line.axis)
    const [own] = turned(line.box, line.axis)
    return Math.min(along[1], own[1]) - Math.max(along[0], own[0])
  }
  return under.sort((a, b) => share(b) - share(a))[0] ?? null
}

/** Return the character of a line that begins nearest to a point (its end counts, too), from the line's start. */
export function nearest(line: PlacedLine, [x, y]: Point): number {
  const wanted = line.axis === 'x' ? x : y
  if (line.edges.length !== line.end - line.start + 1) return 0
  let best = 0
  line.edges.forEach((edge, i) => {
    if (Math.abs(edge - wanted) < Math.abs((line.edges[best] ?? 0) - wanted)) best = i
  })
  return best
}
