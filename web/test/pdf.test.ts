import { describe, expect, it } from 'vitest'
import { align, letters } from '../src/book/pdf/align'
import { type Box, boxesOf, covered, lineAt, nearest, textOf } from '../src/book/pdf/geometry'
import { pageAt, spotsOf } from '../src/book/pdf/spots'
import type { Paged, PlacedLine } from '../src/book/viewer'

/** A line of characters that are all 10 points wide and stand 12 high. */
function line(start: number, words: string, x: number, y: number, joint = ' '): PlacedLine {
  const count = Array.from(words).length
  const edges = Array.from({ length: count + 1 }, (_, i) => x + 10 * i)
  return { start, end: start + count, text: words + joint, box: [x, y, x + 10 * count, y + 12], edges, axis: 'x' }
}

/** The same, read upwards along the page. */
function upright(start: number, words: string, x: number, y: number): PlacedLine {
  const { end, text, edges } = line(start, words, y, 0)
  return { start, end, text, box: [x, y, x + 12, y + 10 * (end - start)], edges, axis: 'y' }
}

const LEFT = [line(0, 'Wax is made', 50, 700), line(12, 'by young bees.', 50, 686, '\n\n')]
const RIGHT = [line(28, 'Old bees fly.', 300, 700, '')]
const PAGE = [...LEFT, ...RIGHT]

describe('places on a page', () => {
  it('gives each line of a span a box from edge to edge', () => {
    expect(boxesOf(PAGE, { start: 4, end: 14 })).toEqual([
      [90, 700, 160, 712],
      [50, 686, 70, 698],
    ])
  })

  it('leaves white space at the ends of a span out', () => {
    expect(boxesOf(PAGE, { start: 3, end: 6 })).toEqual([[90, 700, 110, 712]])
    expect(boxesOf(PAGE, { start: 3, end: 4 })).toEqual([])
  })

  it('reads back what boxes cover, for every span of the page', () => {
    const text = PAGE.map(l => l.text).join('')
    for (let start = 0; start < text.length; start++)
      for (let end = start + 1; end <= text.length; end++) {
        const words = text.slice(start, end)
        if (words !== words.trim()) continue
        const spans = covered(PAGE, boxesOf(PAGE, { start, end }))
        expect(textOf(PAGE, spans)).toBe(words)
      }
  })

  it('takes a box as high as a line for that line, though its neighbours overlap it', () => {
    const close = [line(0, 'one two', 50, 700), line(8, 'six ten', 50, 695), line(16, 'low', 50, 690)]
    expect(covered(close, [[50, 696, 80, 706]])).toEqual([{ start: 8, end: 11 }])
  })

  it('takes all lines under a box that is higher than they are', () => {
    expect(covered(PAGE, [[0, 680, 200, 720]])).toEqual([
      { start: 0, end: 11 },
      { start: 12, end: 26 },
    ])
  })

  it('keeps a mark above a letter with its letter', () => {
    const marked: PlacedLine = { ...line(0, 'e\u0301a', 0, 0, ''), edges: [0, 10, 10, 20], box: [0, 0, 20, 12] }
    expect(covered([marked], [[0, 0, 10, 12]])).toEqual([{ start: 0, end: 2 }])
    expect(covered([marked], [[10, 0, 20, 12]])).toEqual([{ start: 2, end: 3 }])
  })

  it('works along the axis of turned lines', () => {
    const turned = [upright(0, 'upwards we go', 100, 50)]
    const boxes = boxesOf(turned, { start: 8, end: 10 })
    expect(boxes).toEqual([[100, 130, 112, 150]])
    expect(textOf(turned, covered(turned, boxes))).toBe('we')
  })

  it('counts code points', () => {
    const line4 = [line(0, '𠮷野家 好', 0, 0, '')]
    expect(textOf(line4, covered(line4, boxesOf(line4, { start: 0, end: 2 })))).toBe('𠮷野')
  })

  it('joins spans as the text joins lines, and says where words are left out', () => {
    const all = [...LEFT, line(28, 'Old bees fly.', 50, 650)]
    expect(textOf(all, [{ start: 21, end: 31 }])).toBe('bees.\n\nOld')
    expect(
      textOf(all, [
        { start: 0, end: 3 },
        { start: 28, end: 31 },
      ]),
    ).toBe('Wax … Old')
  })

  it('finds the line and the character that are nearest', () => {
    const box: Box = [92, 701, 99, 709]
    expect(lineAt(PAGE, box)).toBe(PAGE[0])
    expect(nearest(PAGE[0] as PlacedLine, [97, 705])).toBe(5)
    expect(lineAt(PAGE, [92, 400, 99, 412])).toBeNull()
  })
})

describe('places in the text layer', () => {
  const words = (text: string) => Array.from(text)

  it('finds the character by the letters around it where the letters stand elsewhere', () => {
    const text = words('the cat saw the dog and the cow')
    expect(align(text, 13, 'the cat saw the ', 'dog and')).toBe(15)
    expect(align(text, 26, 'saw the dog and ', 'the cow')).toBe(24)
  })

  it('takes the nearer one of two that are alike', () => {
    const text = words('no no no no no no no no no no no no no no no no no')
    expect(align(text, 30, 'no ', 'no ')).toBe(30)
  })

  it('sees ligatures, full widths and soft hyphens as what they stand for', () => {
    expect(letters('ﬁ Ａ co\u00adop')).toEqual(['f', 'i', 'A', 'c', 'o', 'o', 'p'])
    expect(align(words('an eﬃcient one'), 8, 'an effi', 'cient one')).toBe(5)
  })

  it('says when the letters do not agree', () => {
    expect(align(words('some other line'), 3, 'xyz', 'qqq')).toBeNull()
    expect(align(words('line'), 1, '', '')).toBeNull()
  })
})

describe('pages of a span', () => {
  const pages = [
    { start: 0, end: 30, label: 'i' },
    { start: 30, end: 30, label: null },
    { start: 30, end: 60, label: '1' },
  ]
  const byPage = new Map([
    [1, [line(0, 'x'.repeat(30), 0, 700), line(50, 'y'.repeat(10), 0, 50)]],
    [3, [line(30, 'z'.repeat(20), 0, 700)]],
  ])
  const source: Paged = { kind: 'paged', characters: 60, fileUrl: '', pages, lines: async p => byPage.get(p) ?? [] }

  it('is the last one that begins before', () => {
    expect([0, 29, 30, 59].map(p => pageAt(source, p))).toEqual([1, 1, 3, 3])
  })

  it('is where the lines are, also when a note at the foot stands after its page', async () => {
    expect((await spotsOf(source, { start: 52, end: 55 }, null, source.lines)).map(s => s.page)).toEqual([1])
    expect((await spotsOf(source, { start: 25, end: 40 }, null, source.lines)).map(s => s.page)).toEqual([1, 3])
  })

  it('is the page alone where no line is', async () => {
    const none = { ...source, lines: async () => [] }
    expect(await spotsOf(none, { start: 5, end: 6 }, null, none.lines)).toEqual([{ page: 1, box: null }])
  })
})
