/** The tree of a document as lists, as Markdown and as what markmap draws: pure functions. */

import type { MapNode } from '../api/finding'

/** A node with what a view needs: its address in the tree ("0.2.1"), its depth, its branch below the root. */
export type Placed = {
  path: string
  depth: number
  branch: number
  title: string
  /** A sentence of the document below a section; false: a section. */
  point: boolean
  start: number
  end: number
  children: Placed[]
}
/** What markmap takes: `content` is HTML. */
export type Drawn = { content: string; children: Drawn[]; payload: { path: string; branch: number; fold: 0 | 1 } }

/** Return the tree with places; the root is never a point. */
export function placed(node: MapNode, path = '0', depth = 0, branch = 0): Placed {
  const { start, end, section } = node.locator
  return {
    path,
    depth,
    branch,
    title: node.title,
    point: depth > 0 && !node.children.length && node.title !== section?.path.at(-1),
    start,
    end,
    children: node.children.map((child, n) => placed(child, `${path}.${n}`, depth + 1, depth ? branch : n)),
  }
}

/** Return every node, from the top down. */
export function* walk(node: Placed): Generator<Placed> {
  yield node
  for (const child of node.children) yield* walk(child)
}

/** Return the last section or point that begins at or before a position: where a reader is. */
export function nodeAt(root: Placed, position: number): Placed {
  let found = root
  for (const node of walk(root)) if (node.depth && node.start <= position && node.start >= found.start) found = node
  return found
}

/** Return the map as a nested Markdown list; points stand in italics. */
export function markdown(root: Placed): string {
  const lines = [`# ${escapeMarkdown(root.title)}`, '']
  for (const node of walk(root)) {
    if (!node.depth) continue
    const title = escapeMarkdown(node.title)
    lines.push(`${'  '.repeat(node.depth - 1)}- ${node.point ? `*${title}*` : title}`)
  }
  return `${lines.join('\n')}\n`
}

/** Return the tree for markmap, folded below `depth`. Each node is a link, so that a keyboard reaches it. */
export function drawn(node: Placed, document: string, depth: number): Drawn {
  const href = `/read/${encodeURIComponent(document)}?at=${node.start}&end=${node.end}`
  const title = escapeHtml(node.title)
  const data = `data-path="${node.path}" data-start="${node.start}" data-end="${node.end}"`
  const look = node.point ? ' class="point"' : ''
  return {
    content: `<a href="${escapeHtml(href)}" data-testid="map-node" draggable="false" ${data}${look}>${title}</a>`,
    children: node.children.map(child => drawn(child, document, depth)),
    payload: { path: node.path, branch: node.branch, fold: node.children.length && node.depth >= depth ? 1 : 0 },
  }
}

export function escapeHtml(text: string): string {
  const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, one => named[one] ?? one)
}

function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/([\\`*_[\]<>])/g, '\\$1')
}
