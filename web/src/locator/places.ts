/**
 * From positions to the DOM of a part and back. Positions are code points of the canonical text; a place in the DOM is
 * CFI steps to a text chunk and UTF-16 units into its raw text (see the server's `document/cfi.py`, whose rules these
 * are): the k-th child element has step 2k, the text between two elements is one chunk with the odd step in between,
 * however comments, processing instructions or CDATA split it.
 */

import type { PlacedBlock, Span } from '../book/viewer'

/** A stretch of a block whose characters stand one after another in one text chunk of the DOM. */
type Run = { steps: number[]; offset: number; start: number; end: number; block: PlacedBlock; image: boolean }
type Placed = { inText: Run[][]; inDom: Run[] }
type Key = { steps: number[]; offset: number }

const placed = new WeakMap<readonly PlacedBlock[], Placed>()

/** Return the DOM ranges of the characters of `span`, one for each run, in the order of the canonical text. */
export function piecesOf(doc: Document, blocks: readonly PlacedBlock[], span: Span): Range[] {
  return runsIn(blocks, span).flatMap(([run, start, end]) => rangeIn(doc, run, start, end) ?? [])
}

/** Return the DOM range of the first character at or after a position; null when this part has none. */
export function rangeAt(doc: Document, blocks: readonly PlacedBlock[], position: number): Range | null {
  const { inText } = runsOf(blocks)
  for (let b = bisect(blocks, block => block.end <= position); b < blocks.length; b++)
    for (const run of inText[b] ?? []) {
      const start = Math.max(run.start, position)
      const range = start < run.end ? rangeIn(doc, run, start, start + 1) : null
      if (range) return range
    }
  return null
}

/** Return the DOM range from the first to the last character of `span`; null when none of it is in this part. */
export function rangeOf(doc: Document, blocks: readonly PlacedBlock[], span: Span): Range | null {
  const pieces = piecesOf(doc, blocks, span)
  const first = pieces[0]
  if (!first) return null
  const whole = first.cloneRange()
  for (const piece of pieces)
    if (piece.compareBoundaryPoints(Range.END_TO_END, whole) > 0) whole.setEnd(piece.endContainer, piece.endOffset)
  return whole
}

/** Return the words of `span` as they stand in the DOM; blocks are parted by an empty line, white space is one space. */
export function wordsOf(doc: Document, blocks: readonly PlacedBlock[], span: Span): string {
  const texts: string[] = []
  let last: PlacedBlock | null = null
  for (const [run, start, end] of runsIn(blocks, span)) {
    const range = run.image ? null : rangeIn(doc, run, start, end)
    const text = range === null ? '' : range.toString()
    const parted = lengthOf(text) < end - start ? ' ' : '' // a separator that the DOM does not have
    if (run.block !== last) texts.push('')
    last = run.block
    texts[texts.length - 1] += text + parted
  }
  return texts.map(text => text.replace(/\s+/gu, ' ').trim()).join('\n\n')
}

/** Return the position of the first character at or after a point of the DOM; null when none follows in this part. */
export function positionOf(doc: Document, blocks: readonly PlacedBlock[], node: Node, offset: number): number | null {
  return beginOf(doc, blocks, keyOf(doc, node, offset))?.at ?? null
}

/** Return the characters in a DOM range: what the canonical text left out at its ends moves inwards. */
export function spanOf(doc: Document, blocks: readonly PlacedBlock[], range: StaticRange | Range): Span | null {
  const begin = beginOf(doc, blocks, keyOf(doc, range.startContainer, range.startOffset))
  const finish = finishOf(doc, blocks, keyOf(doc, range.endContainer, range.endOffset))
  if (!begin || !finish || finish.n < begin.n || finish.at <= begin.at) return null
  return { start: begin.at, end: finish.at }
}

// --- runs -----------------------------------------------------------------------------------------------------------

function runsOf(blocks: readonly PlacedBlock[]): Placed {
  const known = placed.get(blocks)
  if (known) return known
  const inText = blocks.map(block => {
    const base = numbers(block.steps)
    if (!block.runs.length) return [{ steps: base, offset: 0, start: block.start, end: block.end, block, image: true }]
    return block.runs.map(([start, steps, offset], n) => ({
      steps: [...base, ...numbers(steps)],
      offset,
      start: block.start + start,
      end: n + 1 < block.runs.length ? block.start + (block.runs[n + 1]?.[0] ?? 0) : block.end,
      block,
      image: false,
    }))
  })
  const made = { inText, inDom: inText.flat().sort(compare) }
  placed.set(blocks, made)
  return made
}

/** The runs that have characters of `span`, each with the first of them and the one after the last. */
function runsIn(blocks: readonly PlacedBlock[], span: Span): [Run, number, number][] {
  const found: [Run, number, number][] = []
  const { inText } = runsOf(blocks)
  for (let b = bisect(blocks, block => block.end <= span.start); b < blocks.length; b++) {
    if ((blocks[b]?.start ?? 0) >= span.end) break
    for (const run of inText[b] ?? []) {
      const start = Math.max(run.start, span.start)
      const end = Math.min(run.end, span.end)
      if (start < end) found.push([run, start, end])
    }
  }
  return found
}

function numbers(steps: string): number[] {
  return steps.split('/').slice(1).map(Number)
}

function compare(a: Key, b: Key): number {
  const shared = Math.min(a.steps.length, b.steps.length)
  for (let n = 0; n < shared; n++) {
    const difference = (a.steps[n] ?? 0) - (b.steps[n] ?? 0)
    if (difference) return difference
  }
  return a.steps.length - b.steps.length || a.offset - b.offset
}

function sameSteps(a: Key, b: Key): boolean {
  return a.steps.length === b.steps.length && a.steps.every((step, n) => step === b.steps[n])
}

/** Return how many items from the beginning fulfil a condition that holds up to some item and never after. */
function bisect<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(items[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}

// --- the DOM --------------------------------------------------------------------------------------------------------

/** A text chunk: the nodes that make it up; none where two elements touch. */
type Chunk = { parent: Element; nodes: Text[]; before: Element | null }

function chunkAt(doc: Document, steps: readonly number[]): Chunk | null {
  const parent = elementAt(doc, steps.slice(0, -1))
  const step = steps.at(-1)
  if (!parent || step === undefined) return null
  const before = step > 1 ? (parent.children[(step - 1) / 2 - 1] ?? null) : null
  if (step > 1 && !before) return null
  const nodes: Text[] = []
  for (let node = before ? before.nextSibling : parent.firstChild; node && !isElement(node); node = node.nextSibling)
    if (isText(node)) nodes.push(node)
  return { parent, nodes, before }
}

function elementAt(doc: Document, steps: readonly number[]): Element | null {
  let found: Element | null = doc.documentElement
  for (const step of steps) found = found?.children[step / 2 - 1] ?? null
  return found
}

function rangeIn(doc: Document, run: Run, start: number, end: number): Range | null {
  const range = doc.createRange()
  if (run.image) {
    const element = elementAt(doc, run.steps)
    if (!element?.parentNode) return null
    range.selectNode(element)
    return range
  }
  const chunk = chunkAt(doc, run.steps)
  if (!chunk?.nodes.length) return null
  const text = chunk.nodes.map(node => node.data).join('')
  const from = unitsAfter(text, run.offset, start - run.start)
  const to = unitsAfter(text, from, end - start)
  if (to <= from) return null // a separator that the DOM does not have
  const [startNode, startOffset] = pointIn(chunk.nodes, from, true)
  const [endNode, endOffset] = pointIn(chunk.nodes, to, false)
  range.setStart(startNode, startOffset)
  range.setEnd(endNode, endOffset)
  return range
}

/** The node and offset of a unit of a chunk; at a seam the start of the next node when something begins there. */
function pointIn(nodes: readonly Text[], unit: number, begins: boolean): [Text, number] {
  let left = unit
  for (const node of nodes) {
    if (left < node.length || (left === node.length && !begins)) return [node, left]
    left -= node.length
  }
  const last = nodes[nodes.length - 1] as Text
  return [last, last.length]
}

function keyOf(doc: Document, node: Node, offset: number): Key {
  const [parent, at, units] = insideOf(node, offset)
  let before = at
  let length = units
  for (; before && !isElement(before); before = before.previousSibling) if (isText(before)) length += before.length
  return { steps: [...stepsTo(doc, parent ?? doc), 2 * elementsUpTo(before) + 1], offset: length }
}

/** The parent of a point, the sibling before it, and how many units of the text it is in stand before it. */
function insideOf(node: Node, offset: number): [Node | null, Node | null, number] {
  if (isText(node)) return [node.parentNode, node.previousSibling, offset]
  if (isElement(node) || node.nodeType === 9) return [node, node.childNodes[offset - 1] ?? null, 0]
  return [node.parentNode, node.previousSibling, 0]
}

function elementsUpTo(node: Node | null): number {
  let elements = 0
  for (let at = node; at; at = at.previousSibling) if (isElement(at)) elements++
  return elements
}

function stepsTo(doc: Document, node: Node): number[] {
  const steps: number[] = []
  for (let at: Node | null = node; at && at !== doc && at !== doc.documentElement; at = at.parentNode)
    steps.unshift(2 * elementsUpTo(at))
  return steps
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1
}

function isText(node: Node): node is Text {
  return node.nodeType === 3 || node.nodeType === 4
}

// --- from the DOM to positions --------------------------------------------------------------------------------------

function beginOf(doc: Document, blocks: readonly PlacedBlock[], key: Key): { n: number; at: number } | null {
  const { inDom } = runsOf(blocks)
  const after = bisect(inDom, run => compare(run, key) <= 0)
  const run = inDom[after - 1]
  if (run && sameSteps(run, key)) {
    const at = positionIn(doc, run, key.offset)
    if (at < run.end || after === inDom.length) return { n: after - 1, at }
  }
  const next = inDom[after]
  return next ? { n: after, at: next.start } : null
}

function finishOf(doc: Document, blocks: readonly PlacedBlock[], key: Key): { n: number; at: number } | null {
  const { inDom } = runsOf(blocks)
  const n = bisect(inDom, run => compare(run, key) < 0) - 1
  const run = inDom[n]
  if (!run) return null
  return { n, at: sameSteps(run, key) ? positionIn(doc, run, key.offset) : run.end }
}

/** The canonical position of a unit of the run's chunk, inside the run or at its ends. */
function positionIn(doc: Document, run: Run, unit: number): number {
  if (run.image || unit <= run.offset) return run.start
  const text = (chunkAt(doc, run.steps)?.nodes ?? []).map(node => node.data).join('')
  return Math.min(run.start + lengthOf(text.slice(run.offset, unit)), run.end)
}

/** Code points of a text; half a surrogate pair at its end counts as the character whose half it is. */
function lengthOf(text: string): number {
  let length = text.length
  for (let n = 1; n < text.length; n++)
    if ((text.charCodeAt(n) & 0xfc00) === 0xdc00 && (text.charCodeAt(n - 1) & 0xfc00) === 0xd800) length--
  return length
}

function unitsAfter(text: string, from: number, points: number): number {
  let at = from
  for (let n = 0; n < points && at < text.length; n++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
