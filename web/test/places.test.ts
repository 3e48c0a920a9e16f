// The same file as pytest: what the server says of places must be what the reader makes of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PlacedBlock } from '../src/book/viewer'
import { piecesOf, positionOf, rangeAt, rangeOf, spanOf, wordsOf } from '../src/locator/places'

type End = { steps: string; offset: number }
type Written = {
  start: number
  end: number
  text: string
  range?: [End, End]
  element?: string
  whole?: [number, number]
}
type Part = {
  xhtml: string
  places: { blocks: PlacedBlock[] }
  spans: Written[]
  chunks: { steps: string; source: string; span: [number, number] | null }[]
}
const FIXTURE = join(import.meta.dirname, '../../tests/document/places.json')
const { text, parts } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { text: string; parts: Part[] }
const points = [...text]
const all = parts.map(part => ({ ...part, blocks: part.places.blocks }))
const folded = (words: string) => words.replace(/\s+/gu, '')

/** Make the page itself the part: happy-dom's ranges know no other document. */
function shown({ xhtml }: { xhtml: string }): Document {
  const parsed = new DOMParser().parseFromString(xhtml, 'application/xhtml+xml')
  document.documentElement.remove()
  document.append(document.importNode(parsed.documentElement, true))
  return document
}

/** The nodes of a text chunk, found another way than by the code under test. */
function chunk(doc: Document, steps: string): Node[] {
  const path = steps.split('/').slice(1).map(Number)
  const last = path.pop() ?? 1
  let at: Element = doc.documentElement
  for (const step of path) at = at.children[step / 2 - 1] as Element
  const nodes: Node[] = []
  let step = 1
  for (const node of Array.from(at.childNodes)) {
    if (node.nodeType === 1) step += 2
    else if (step === last && node.nodeType !== 8) nodes.push(node)
  }
  return nodes
}

/** Spans inside of blocks that have text, which begin and end with more than white space. */
function* within() {
  for (const part of all) {
    const doc = shown(part)
    const { blocks } = part
    for (const block of blocks.filter(one => one.runs.length))
      for (let start = block.start; start < block.end; start++)
        for (const end of [start + 1, Math.min(block.end, start + 7), block.end])
          if (!/\s/u.test(`${points[start]}${points[end - 1]}`)) yield { doc, blocks, span: { start, end } }
  }
}

describe('the fixture that Python wrote', () => {
  test.each(all.flatMap(part => part.spans.map(span => ({ ...part, span }))))(
    'leads $span.start to $span.end to the DOM and back',
    ({ span, ...part }) => {
      const { blocks } = part
      const doc = shown(part)
      const range = rangeOf(doc, blocks, span)
      expect(range).not.toBeNull()
      if (!range) return
      if (span.element) {
        expect(range.cloneContents().querySelector('img')).not.toBeNull()
        expect(spanOf(doc, blocks, range)).toEqual({ start: span.whole?.[0], end: span.whole?.[1] })
        return
      }
      expect(spanOf(doc, blocks, range)).toEqual({ start: span.start, end: span.end })
      expect(positionOf(doc, blocks, range.startContainer, range.startOffset)).toBe(span.start)
      expect(folded(wordsOf(doc, blocks, span))).toBe(folded(span.text))
      const [from, to] = span.range ?? []
      expect(chunk(doc, from?.steps ?? '')).toContain(range.startContainer)
      expect(chunk(doc, to?.steps ?? '')).toContain(range.endContainer)
    },
  )

  test.each(all.flatMap(part => part.chunks.map(one => ({ ...part, one }))))(
    'takes the chunk $one.steps for what it is',
    ({ one, ...part }) => {
      const { blocks } = part
      const doc = shown(part)
      const nodes = chunk(doc, one.steps)
      const first = nodes[0] as Text
      const last = nodes.at(-1) as Text
      expect(nodes.map(node => (node as Text).data).join('')).toBe(one.source)
      const range = doc.createRange()
      range.setStart(first, 0)
      range.setEnd(last, last.length)
      const span = spanOf(doc, blocks, range)
      expect(span && [span.start, span.end]).toEqual(one.span)
    },
  )
})

describe('any span', () => {
  test('of the text is the same after the way to the DOM and back', () => {
    for (const { doc, blocks, span } of within()) {
      const range = rangeOf(doc, blocks, span)
      expect(range && spanOf(doc, blocks, range)).toEqual(span)
      expect(range?.toString()).toContain(points[span.start])
    }
  })

  test('over several blocks has all their words, moved notes in their place', () => {
    for (const part of all) {
      const { blocks } = part
      const doc = shown(part)
      const span = { start: blocks[0]?.start ?? 0, end: blocks.at(-1)?.end ?? 0 }
      const words = points
        .slice(span.start, span.end)
        .join('')
        .replaceAll('A tower at dusk', '')
        .replaceAll('Map of the coast', '')
      expect(folded(wordsOf(doc, blocks, span))).toBe(folded(words))
      expect(piecesOf(doc, blocks, span).every(piece => !piece.collapsed)).toBe(true)
    }
  })

  test('begins where its first character is, or the next one in the DOM', () => {
    for (const { doc, blocks, span } of within())
      expect(rangeAt(doc, blocks, span.start)?.toString()).toBe(points[span.start])
    const first = all[0]
    if (!first) throw new Error('the fixture has three parts')
    expect(rangeAt(shown(first), first.blocks, 11)?.toString()).toBe('T') // between two blocks
    expect(rangeAt(document, first.blocks, 10_000)).toBeNull()
  })

  test('outside of the part is nowhere in it', () => {
    const [first, second] = all
    if (!first || !second) throw new Error('the fixture has three parts')
    expect(rangeOf(shown(first), first.blocks, { start: 345, end: 350 })).toBeNull()
    expect(rangeOf(shown(second), second.blocks, { start: 0, end: 10 })).toBeNull()
    expect(rangeOf(document, [], { start: 0, end: 10 })).toBeNull()
  })
})

describe('a point of the DOM', () => {
  const xhtml =
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>one<!-- x --> two<b hidden="">no</b> 𠮷ree</p>\n<hr/><p>four</p></body></html>'
  const blocks: PlacedBlock[] = [
    {
      start: 0,
      end: 12,
      kind: 'paragraph',
      steps: '/4/2',
      runs: [
        [0, '/1', 0],
        [7, '/3', 0],
      ],
    },
    { start: 14, end: 18, kind: 'paragraph', steps: '/4/6', runs: [[0, '/1', 0]] },
  ]
  const doc = document
  const nodeOf = (name: string) => doc.querySelector(name) as Element
  beforeEach(() => void shown({ xhtml }))

  test('in one text node after a comment counts the whole chunk', () => {
    expect(positionOf(doc, blocks, nodeOf('p').childNodes[2] as Node, 1)).toBe(4)
  })

  test('in text that is left out moves inwards', () => {
    const hidden = nodeOf('b').firstChild as Node
    expect(positionOf(doc, blocks, hidden, 1)).toBe(7)
    expect(positionOf(doc, blocks, nodeOf('hr'), 0)).toBe(14)
    expect(positionOf(doc, blocks, nodeOf('title'), 0)).toBe(0)
  })

  test('between elements is where the next text begins', () => {
    expect(positionOf(doc, blocks, doc.body, 2)).toBe(14)
    expect(positionOf(doc, blocks, doc.body, 0)).toBe(0)
    expect(positionOf(doc, blocks, nodeOf('p'), 3)).toBe(7)
  })

  test('after an astral character counts it once', () => {
    expect(positionOf(doc, blocks, nodeOf('p').childNodes[4] as Node, 3)).toBe(9)
    expect(rangeOf(doc, blocks, { start: 8, end: 10 })?.toString()).toBe('𠮷r')
  })

  test('selects whole elements too', () => {
    const range = doc.createRange()
    range.selectNodeContents(doc.body)
    expect(spanOf(doc, blocks, range)).toEqual({ start: 0, end: 18 })
  })
})
