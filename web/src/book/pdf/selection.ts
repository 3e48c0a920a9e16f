/** From a selection in the text layer to positions of the canonical text. */

import type { PlacedLine, Span } from '../viewer'
import { align } from './align'
import { lineAt, nearest } from './geometry'
import { onPage, type Sheet } from './sheet'

const TRIED = 400 // pieces of the text layer from an end of the selection inwards, until one is on a line
const AROUND = 4 // pieces on each side whose letters tell where a place is

export type Pages = { sheetOf(node: Node): Sheet | null; lines(page: number): Promise<readonly PlacedLine[]> }
type Piece = { node: Text; from: number; to: number }

/** Return the positions that a range covers; null when nothing of it is in the canonical text. */
export async function spanOf(range: Range, pages: Pages): Promise<Span | null> {
  const pieces = piecesOf(range)
  const start = await first(pieces.slice(0, TRIED), piece => positionOf(piece.node, piece.from, 'start', pages))
  if (start === null) return null
  const fromEnd = pieces.slice(-TRIED).reverse()
  const end = await first(fromEnd, piece => positionOf(piece.node, piece.to, 'end', pages))
  if (end === null || end === start) return null
  return { start: Math.min(start, end), end: Math.max(start, end) }
}

async function first(pieces: readonly Piece[], find: (piece: Piece) => Promise<number | null>): Promise<number | null> {
  for (const piece of pieces) {
    const found = await find(piece)
    if (found !== null) return found
  }
  return null
}

/** Return the pieces of text in a range that are more than white space, each cut to what is selected of it. */
function piecesOf(range: Range): Piece[] {
  const pieces: Piece[] = []
  for (const node of textNodes(range.commonAncestorContainer)) {
    if (!range.intersectsNode(node)) continue
    const from = node === range.startContainer ? range.startOffset : 0
    const to = node === range.endContainer ? range.endOffset : node.data.length
    const chosen = node.data.slice(from, to)
    const inside = chosen.trim()
    if (!inside) continue
    const begin = from + chosen.indexOf(inside)
    pieces.push({ node, from: begin, to: begin + inside.length })
  }
  return pieces
}

function* textNodes(root: Node): Generator<Text> {
  if (root instanceof Text) yield root
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && node.parentElement?.closest('.textLayer')) yield node
  }
}

/** Return the position of a place in the text layer, seen from the selected side; null where no line is. */
async function positionOf(node: Text, offset: number, side: 'start' | 'end', pages: Pages): Promise<number | null> {
  const sheet = pages.sheetOf(node)
  const [from, to] = side === 'start' ? [offset, characterAfter(node, offset)] : [characterBefore(node, offset), offset]
  const range = document.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  const area = range.getBoundingClientRect()
  if (!sheet || area.width <= 0 || area.height <= 0) return null
  const box = onPage(sheet, area)
  const line = lineAt(await pages.lines(sheet.id), box)
  if (!line) return null
  const forwards = (line.edges[0] ?? 0) <= (line.edges.at(-1) ?? 0)
  const low = forwards === (side === 'start')
  const expected = nearest(line, low ? [box[0], box[1]] : [box[2], box[3]])
  const characters = Array.from(line.text).slice(0, line.end - line.start)
  const [before, after] = around(node, offset)
  return line.start + inwards(characters, align(characters, expected, before, after) ?? expected, side)
}

/** Leave out white space at the end of a selection. */
function inwards(characters: readonly string[], at: number, side: 'start' | 'end'): number {
  const step = side === 'start' ? 1 : -1
  while (/^\s$/u.test(characters[side === 'start' ? at : at - 1] ?? '')) at += step
  return at
}

function around(node: Text, offset: number): [before: string, after: string] {
  const layer = node.parentElement?.closest('.textLayer')
  const all = layer ? [...textNodes(layer)] : [node]
  const here = all.indexOf(node)
  const text = (nodes: readonly Text[]) => nodes.map(n => n.data).join('')
  return [
    text(all.slice(Math.max(0, here - AROUND), here)) + node.data.slice(0, offset),
    node.data.slice(offset) + text(all.slice(here + 1, here + 1 + AROUND)),
  ]
}

function characterAfter(node: Text, offset: number): number {
  return offset + ((node.data.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
}

function characterBefore(node: Text, offset: number): number {
  const low = node.data.charCodeAt(offset - 1)
  return offset - (low >= 0xdc00 && low < 0xe000 ? 2 : 1)
}
