import { expect, test } from 'vitest'
import type { MapNode } from '../src/api/finding'
import type { Locator } from '../src/api/types'
import { laidOut, svg, wrapped } from '../src/map/drawing'
import { drawn, markdown, nodeAt, placed, walk } from '../src/map/tree'

const node = (title: string, start: number, section: string | null, children: MapNode[] = []): MapNode => ({
  title,
  locator: { start, end: start + 5, section: section ? { number: 1, path: [section] } : null } as Locator,
  children,
})
const tree = placed(
  node('A <b>book</b> & "more"', 0, 'Title', [
    node('One', 10, 'One', [node('It begins …', 12, 'One'), node('It goes on …', 30, 'One')]),
    node('Two', 50, 'Two', [node('第二回 官封弼马心何足', 60, 'Two')]),
  ]),
)
const measure = (text: string) => [...text].reduce((sum, c) => sum + (c > '\u2e7f' ? 15 : 8), 0)

test('sections and the points under them are told apart', () => {
  expect([...walk(tree)].map(n => n.point)).toEqual([false, false, true, true, false, true])
})

test('what is drawn is text: nothing in a title becomes markup', () => {
  const { content } = drawn(tree, 'd"1', 9)
  const host = document.createElement('div')
  host.innerHTML = content
  expect(host.children).toHaveLength(1)
  expect(host.textContent).toBe('A <b>book</b> & "more"')
  expect(host.querySelector('a')?.getAttribute('href')).toBe('/read/d%221?at=0&end=5')
})

test('branches are folded below the depth that is asked for, leaves never', () => {
  const folds = (d: ReturnType<typeof drawn>): number[] => [d.payload.fold, ...d.children.flatMap(folds)]
  expect(folds(drawn(tree, 'd', 1))).toEqual([0, 1, 0, 0, 1, 0])
  expect(folds(drawn(tree, 'd', 9))).toEqual([0, 0, 0, 0, 0, 0])
})

test('Markdown is a nested list with points in italics and nothing that formats by accident', () => {
  expect(markdown(tree)).toBe(
    [
      '# A \\<b\\>book\\</b\\> & "more"',
      '',
      '- One',
      '  - *It begins …*',
      '  - *It goes on …*',
      '- Two',
      '  - *第二回 官封弼马心何足*',
      '',
    ].join('\n'),
  )
})

test('a position is in the last node that begins before it', () => {
  expect(nodeAt(tree, 0).title).toBe(tree.title)
  expect(nodeAt(tree, 31).title).toBe('It goes on …')
  expect(nodeAt(tree, 55).title).toBe('Two')
})

test('no two nodes of a picture overlap, none stands outside, and children stand to the right', () => {
  const { boxes, links, width, height } = laidOut(tree, measure)
  for (const box of boxes) {
    expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true)
    for (const other of boxes)
      if (other !== box)
        expect(
          box.x + box.width <= other.x ||
            other.x + other.width <= box.x ||
            box.y + box.height <= other.y ||
            other.y + other.height <= box.y,
        ).toBe(true)
  }
  for (const [from, to] of links) expect(to.x).toBeGreaterThan(from.x + from.width)
})

test('lines are no wider than wanted, and nothing of a text is lost', () => {
  const text = 'One of the candles on the mantel was blown out, and the little machine suddenly swung round …'
  const lines = wrapped(text, measure, 200)
  expect(lines.length).toBeGreaterThan(2)
  for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(216)
  expect(lines.join(' ')).toBe(text)
  expect(wrapped('第二回悟彻菩提真妙理断魔归本合元神', measure, 100).join('')).toBe(
    '第二回悟彻菩提真妙理断魔归本合元神',
  )
  expect(wrapped('', measure)).toEqual([''])
})

test('a picture is well-formed, whatever characters a title has', () => {
  const odd = placed(node('a\u0000b <&> \u0008"', 0, null))
  const parsed = new DOMParser().parseFromString(svg(odd, measure), 'image/svg+xml')
  expect(parsed.querySelector('parsererror')).toBeNull()
  expect(parsed.querySelector('text')?.textContent).toBe('ab <&> "')
})
