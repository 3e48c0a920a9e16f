/**
 * A map as a picture of its own: text, lines and nothing else, so that every program that shows SVG shows it. It is laid
 * out anew, all branches unfolded, whatever of it the screen shows.
 */

import { escapeHtml, type Placed } from './tree'

/** The width of a text in pixels. */
export type Measure = (text: string) => number
export type Box = { node: Placed; lines: string[]; x: number; y: number; width: number; height: number }
export type Laid = { boxes: Box[]; links: [Box, Box][]; width: number; height: number }

export const FONT_SIZE = 15
export const FONT =
  'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'
export const BRANCHES = ['#a9552a', '#3d7a52', '#3a70a8', '#a04b6a', '#7457a3', '#80702a'] as const
const LINE = 20 // height of a line
const WIDEST = 260
const ACROSS = 64 // between a node and its children
const BETWEEN = 10 // between two nodes
const MARGIN = 32

/** Return the colour of a branch. */
export function branchColor(branch: number): string {
  return BRANCHES[branch % BRANCHES.length] ?? BRANCHES[0]
}

/** Return the lines of a text that are at most `widest` wide, cut between words, or characters where there are none. */
export function wrapped(text: string, measure: Measure, widest: number = WIDEST): string[] {
  const lines: string[] = []
  let line = ''
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.replace(/\s+/g, ' '))) {
    if (line.trim() && measure(line + segment.trimEnd()) > widest && !/^\p{P}+$/u.test(segment)) {
      lines.push(line.trim())
      line = ''
    }
    line += segment
  }
  if (line.trim() || !lines.length) lines.push(line.trim())
  return lines
}

/** Return where each node stands: children to the right of their parent, which stands in the middle beside them. */
export function laidOut(root: Placed, measure: Measure): Laid {
  const boxes: Box[] = []
  const links: [Box, Box][] = []
  let below = MARGIN
  const place = (node: Placed, x: number): Box => {
    const lines = wrapped(node.title, measure)
    const width = Math.ceil(Math.max(...lines.map(measure)))
    const box: Box = { node, lines, x, y: 0, width, height: lines.length * LINE }
    boxes.push(box)
    const top = below
    const children = node.children.map(child => place(child, x + width + ACROSS))
    for (const child of children) links.push([box, child])
    const [first, last] = [children[0], children.at(-1)]
    if (first && last) {
      box.y = Math.max(top, (first.y + first.height + last.y + last.height) / 2 - box.height)
      below = Math.max(below, box.y + box.height + BETWEEN)
    } else {
      box.y = top
      below = top + box.height + BETWEEN
    }
    return box
  }
  place(root, MARGIN)
  const width = Math.max(...boxes.map(box => box.x + box.width)) + MARGIN
  return { boxes, links, width: Math.ceil(width), height: Math.ceil(below + MARGIN - BETWEEN) }
}

/** Return a map as SVG on a white ground. */
export function svg(root: Placed, measure: Measure): string {
  const { boxes, links, width, height } = laidOut(root, measure)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${clean(root.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    '<g fill="none">',
    ...links.map(link),
    ...boxes.map(underline),
    '</g>',
    `<g font-family="${escapeHtml(FONT)}" font-size="${FONT_SIZE}" fill="#211d19">`,
    ...boxes.flatMap(label),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function link([from, to]: [Box, Box]): string {
  const [x0, y0, x1, y1] = [from.x + from.width, from.y + from.height, to.x, to.y + to.height]
  const middle = (x0 + x1) / 2
  const thick = to.node.depth > 1 ? 1.5 : 2
  return `<path d="M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}" stroke="${branchColor(to.node.branch)}" stroke-width="${thick}"/>`
}

function underline({ node, x, y, width, height }: Box): string {
  const color = node.depth ? branchColor(node.branch) : '#211d19'
  const thick = node.depth > 1 ? 1.5 : 2
  return `<path d="M${x} ${y + height}H${x + width}" stroke="${color}" stroke-width="${thick}"/>`
}

function label({ node, lines, x, y }: Box): string[] {
  const look = node.depth ? (node.point ? ' font-style="italic"' : '') : ' font-weight="600"'
  return lines.map((line, n) => `<text x="${x}" y="${y + n * LINE + LINE - 6}"${look}>${clean(line)}</text>`)
}

/** Text for XML, which knows no control characters. */
function clean(text: string): string {
  return escapeHtml(text.replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu, ''))
}
