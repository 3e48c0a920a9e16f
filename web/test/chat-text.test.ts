import { describe, expect, it } from 'vitest'
import type { ContentsEntry, Progress } from '../src/api/types'
import { bodyOf, CHOICES, type Choices, chapterAt, isHiding, readTo } from '../src/chat/asking'
import { blocksOf } from '../src/chat/blocks'
import { citationMarkers, safeAddress, targetOf } from '../src/chat/markers'

describe('blocks of Markdown', () => {
  it('keeps fences, lists and tables whole', () => {
    const blocks = [
      '# Title',
      'A paragraph\nin two lines.',
      '- one\n\n- two\n\n  more of two',
      '```py\na\n\nb\n```',
      '| a |\n|---|\n| b |',
    ]
    expect(blocksOf(blocks.join('\n\n')).map(block => block.trim())).toEqual(blocks)
  })

  it('changes only its last block while text is added', () => {
    const text = 'First.\n\nSecond **bold**.\n\n1. one\n2. two\n\nLast paragraph of all.'
    const whole = blocksOf(text)
    for (let end = 1; end <= text.length; end++) {
      const now = blocksOf(text.slice(0, end))
      expect(now.slice(0, -1)).toEqual(whole.slice(0, now.length - 1))
    }
  })

  it('loses nothing of a fence that is never closed', () => {
    expect(blocksOf('a\n\n```\n\ncode\n\nmore')).toEqual(['a\n', '```\n\ncode\n\nmore'])
  })
})

describe('numbers of citations', () => {
  const shown = (value: string) => {
    const tree = { type: 'root', children: [{ type: 'paragraph', children: [{ type: 'text', value }] }] }
    citationMarkers()(tree)
    const [paragraph] = tree.children as unknown as { children: { type: string; value?: string; url?: string }[] }[]
    return paragraph?.children.map(node => node.url ?? node.value)
  }

  it.each([
    ['“Wax.” [1] Then', ['“Wax.”', 'cite:1', ' Then']],
    ['so [1, 2].', ['so', 'cite:1', 'cite:2', '.']],
    ['“x” [3, in fact from: The Book of Bees]', ['“x”', 'cite:3']],
    ['“蜡”[1，其实出自《蜂书》]。', ['“蜡”', 'cite:1', '。']],
    ['array[i] and [note] and [2024]', ['array[i] and [note] and [2024]']],
    ['[a quotation was withheld: not found in the text]', ['[a quotation was withheld: not found in the text]']],
  ])('%s', (text, nodes) => {
    expect(shown(text)).toEqual(nodes)
  })

  it('leaves code and links alone', () => {
    const tree = {
      type: 'root',
      children: [
        { type: 'inlineCode', value: 'a[1]' },
        { type: 'link', url: 'https://example.org', children: [{ type: 'text', value: 'see [1]' }] },
      ],
    }
    const before = structuredClone(tree)
    citationMarkers()(tree)
    expect(tree).toEqual(before)
  })
})

describe('addresses in an answer', () => {
  it.each([
    ['javascript:alert(1)', ''],
    ['data:text/html,x', ''],
    ['/api/documents', ''],
    ['https://example.org/', 'https://example.org/'],
    ['cite:3', 'cite:3'],
    ['glossator://document/d1?start=1&end=2', 'glossator://document/d1?start=1&end=2'],
  ])('%s', (href, safe) => {
    expect(safeAddress(href)).toBe(safe)
  })

  it('lead into a document', () => {
    expect(targetOf('glossator://document/d1?start=10&end=25&sha=ab')).toEqual({ document: 'd1', start: 10, end: 25 })
    expect(targetOf('glossator://document/d1')).toBeNull()
    expect(targetOf('glossator://document/d1?start=9&end=2')).toBeNull()
  })
})

describe('a question', () => {
  const reading = { spoilers: 'hide', finished: false, read_to: 90 } as Progress
  const finished = { spoilers: 'show', finished: true } as Progress
  const book = { kind: 'book', document: 'd' } as const
  const body = (choices: Partial<Choices>, progress?: Progress) =>
    bodyOf({ text: 'Who?', session: null, position: 70, progress }, { ...CHOICES, ...choices })

  it('says only what differs from what the server does by itself', () => {
    expect(body({})).toEqual({ message: 'Who?' })
    expect(body({ scope: book }, reading)).toEqual({ message: 'Who?', doc: 'd', position: 70 })
    expect(body({ scope: book, spoilers: 'hide' }, reading)).toEqual({ message: 'Who?', doc: 'd', position: 70 })
    expect(body({ scope: book, spoilers: 'hide' }, finished)).toMatchObject({ up_to: 'progress' })
    expect(body({ scope: book, spoilers: 'show' }, reading)).toMatchObject({ uncapped: true })
    expect(body({ scope: { kind: 'collection', name: 'Bees' }, spoilers: 'hide' })).toEqual({
      message: 'Who?',
      collection: 'Bees',
    })
  })

  it('of a selection or a chapter names the span', () => {
    const span = { start: 5, end: 12 }
    expect(body({ scope: { kind: 'selection', document: 'd', span, text: 'x' } })).toMatchObject({
      doc: 'd',
      selection: '5:12',
    })
    expect(body({ scope: { kind: 'chapter', document: 'd', span, title: 'I' } })).toMatchObject({ selection: '5:12' })
  })

  it('says how far was read, not what is looked at now', () => {
    const looking = { ...reading, position: 10, fraction: 0.1, page: 2 } as Progress
    expect(readTo(looking, 300)).toEqual({ percent: 30 })
    expect(readTo({ ...looking, position: 90 }, 300)).toEqual({ page: 2 })
    expect(readTo(finished, 300)).toBeNull()
  })

  it('tells whether something is hidden', () => {
    expect(isHiding({ ...CHOICES, scope: book }, reading)).toBe(true)
    expect(isHiding({ ...CHOICES, scope: book }, finished)).toBe(false)
    expect(isHiding({ ...CHOICES, scope: book, spoilers: 'show' }, reading)).toBe(false)
    expect(isHiding(CHOICES, undefined)).toBe(true)
  })
})

describe('the chapter of a place', () => {
  const entry = (number: number, level: number, start: number | null, end: number | null): ContentsEntry => ({
    number,
    level,
    title: start === null ? null : `Chapter ${number}`,
    start,
    end,
    page: null,
  })
  const contents = [entry(1, 1, 0, 100), entry(2, 2, 10, 50), entry(3, 2, 50, 100), entry(4, 1, null, null)]

  it.each([
    [5, 1],
    [10, 2],
    [60, 3],
    [200, undefined],
  ])('at %d', (position, number) => {
    expect(chapterAt(contents, position)?.number).toBe(number)
  })
})
