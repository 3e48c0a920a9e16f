/** Numbers of citations in an answer's text, found in its Markdown tree and made into links that are drawn as chips. */

type Node = { type: string; value?: string; url?: string; children?: Node[] }
const MARKER = /\s?\[(\d{1,3}(?:\s*[,，、]\s*\d{1,3})*)(?:[,，]\s*(?:in fact from:|其实出自)[^\]]*)?\]/gu
export const CITE = 'cite:'

/** A remark plugin. Code is left alone. */
export function citationMarkers() {
  return (tree: Node): void => visit(tree)
}

function visit(node: Node): void {
  if (!node.children || node.type === 'link') return
  node.children = node.children.flatMap(child => {
    if (child.type !== 'text') {
      visit(child)
      return [child]
    }
    return split(child.value ?? '')
  })
}

function split(text: string): Node[] {
  const nodes: Node[] = []
  let at = 0
  for (const match of text.matchAll(MARKER)) {
    if (match.index > at) nodes.push({ type: 'text', value: text.slice(at, match.index) })
    for (const n of (match[1] ?? '').split(/\s*[,，、]\s*/u))
      nodes.push({ type: 'link', url: CITE + n, children: [{ type: 'text', value: n }] })
    at = match.index + match[0].length
  }
  if (at < text.length || !nodes.length) nodes.push({ type: 'text', value: text.slice(at) })
  return nodes
}

export type Target = { document: string; start: number; end: number }

/** Return where a `glossator://document/ID?start=..&end=..` link leads, or null when it is none. */
export function targetOf(href: string): Target | null {
  const match = /^glossator:(?:\/\/)?document\/([^/?#]+)\?([^#]*)/.exec(href)
  if (!match) return null
  const query = new URLSearchParams(match[2])
  const [start, end] = [Number(query.get('start') ?? Number.NaN), Number(query.get('end') ?? Number.NaN)]
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start) return null
  return { document: decodeURIComponent(match[1] ?? ''), start, end }
}

/** Return an address that may be shown as a link, or an empty text. */
export function safeAddress(href: string): string {
  return /^(https?:|mailto:|glossator:|cite:\d)/i.test(href) ? href : ''
}
