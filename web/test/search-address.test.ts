import { expect, test } from 'vitest'
import type { Locator } from '../src/api/types'
import { address, filtersSet, read } from '../src/search/address'
import { grouped, type Hit } from '../src/search/grouping'

test('what an address asks for leads to the same address', () => {
  for (const one of [
    '/search',
    '/search?q=white+whale',
    '/search?q=%E9%BD%90%E5%A4%A9%E5%A4%A7%E5%9C%A3&doc=d1&collection=Novels&tag=a+b&mode=vector&k=50',
    '/search?q=x&explain=true&why_not=d2&uncapped=true',
    '/search?claim=A+whale+is+a+fish.',
    '/search?quote=&doc=d1',
  ])
    expect(address(read(one.split('?')[1] ?? ''))).toBe(one)
})

test('what cannot be asked for is as if it were not there', () => {
  expect(address(read('q=x&mode=magic&k=-3&why_not=d1'))).toBe('/search?q=x')
})

test('filters that differ from the usual are counted', () => {
  expect(filtersSet(read('q=x'))).toBe(0)
  expect(filtersSet(read('q=x&doc=a&k=20&mode=lexical'))).toBe(3)
})

const hit = (rank: number, id: string): Hit => ({
  rank,
  score: 1 / rank,
  document: { id, title: id },
  text: '',
  locator: {} as Locator,
})

test('hits are grouped by document in the order of the best of each', () => {
  const groups = grouped([hit(1, 'b'), hit(2, 'a'), hit(3, 'b'), hit(4, 'c')])
  expect(groups.map(g => [g.document.id, g.hits.map(h => h.rank)])).toEqual([
    ['b', [1, 3]],
    ['a', [2]],
    ['c', [4]],
  ])
})
