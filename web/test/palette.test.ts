import { expect, test } from 'vitest'
import { fitting } from '../src/palette/matching'

const books = [
  { name: 'A Room with a View', also: 'E. M. Forster' },
  { name: 'The Time Machine', also: 'H. G. Wells' },
  { name: 'Time and Tide', also: 'Ruskin' },
  { name: 'Émile', also: 'Rousseau' },
  { name: '西游记', also: '吴承恩' },
]
const found = (words: string) => fitting(books, words, 9).map(one => one.name)

test('every word must be in the name or the author; a name that begins so comes first', () => {
  expect(found('time')).toEqual(['Time and Tide', 'The Time Machine'])
  expect(found('wells time')).toEqual(['The Time Machine'])
  expect(found('machine age')).toEqual([])
})

test('case and accents make no difference, Chinese is found anywhere', () => {
  expect(found('emile')).toEqual(['Émile'])
  expect(found('游记')).toEqual(['西游记'])
  expect(found('承恩')).toEqual(['西游记'])
})

test('without words the first ones stand as they are', () => {
  expect(fitting(books, ' ', 2).map(one => one.name)).toEqual(['A Room with a View', 'The Time Machine'])
})
