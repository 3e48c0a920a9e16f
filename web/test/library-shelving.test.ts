import { describe, expect, it } from 'vitest'
import type { DocumentEntry } from '../src/api/types'
import { counted, EVERYTHING, filtered, hueOf, readingOf, shelve, underWay } from '../src/library/shelving'

function entry(id: string, part: Partial<DocumentEntry> = {}): DocumentEntry {
  return {
    id,
    title: id,
    authors: [],
    source: `/books/${id}`,
    format: 'epub',
    language: 'en',
    status: 'ready',
    confidence: 1,
    added: '2026-01-01T00:00:00Z',
    progress: null,
    read: null,
    finished: false,
    collections: [],
    tags: [],
    ...part,
  }
}

const ids = (found: DocumentEntry[]) => found.map(one => one.id)
const shelf = [
  entry('time', { title: 'The Time Machine', authors: ['H. G. Wells'], progress: 0.3, read: '2026-03-02T00:00:00Z' }),
  entry('sea', {
    title: 'Sœur Élise',
    authors: ['Zoë Ångström'],
    format: 'pdf',
    tags: ['wax'],
    added: '2026-05-01T00:00:00Z',
  }),
  entry('monkey', { title: '西游记', authors: ['吴承恩'], progress: 1, read: '2026-04-01T00:00:00Z', finished: true }),
  entry('ten', { title: 'Volume 10', collections: ['Bees'], progress: 0, read: '2026-01-05T00:00:00Z' }),
  entry('two', { title: 'Volume 2', collections: ['Bees'] }),
]
const show = (part: Partial<typeof EVERYTHING>) => ids(filtered(shelve(shelf), { ...EVERYTHING, ...part }, 'en'))

describe('a shelf', () => {
  it('finds words of titles and authors in any order, whatever their case and accents', () => {
    expect(show({ words: 'wells time' })).toEqual(['time'])
    expect(show({ words: 'elise angstrom' })).toEqual(['sea'])
    expect(show({ words: '承恩' })).toEqual(['monkey'])
    expect(show({ words: 'time bees' })).toEqual([])
  })

  it('narrows by collection, tag, format and reading together', () => {
    expect(show({ collection: 'Bees', sort: 'title' })).toEqual(['two', 'ten'])
    expect(show({ tag: 'wax' })).toEqual(['sea'])
    expect(show({ format: 'pdf', reading: 'unread' })).toEqual(['sea'])
    expect(show({ reading: 'reading' })).toEqual(['time'])
    expect(show({ reading: 'finished' })).toEqual(['monkey'])
  })

  it('orders by the last reading, the day of adding, the title with numbers as numbers, the author', () => {
    expect(show({ sort: 'read' })).toEqual(['monkey', 'time', 'ten', 'sea', 'two'])
    expect(show({ sort: 'added' })[0]).toBe('sea')
    expect(show({ sort: 'title' }).filter(id => id === 'ten' || id === 'two')).toEqual(['two', 'ten'])
    expect(show({ sort: 'author' }).slice(-2)).toEqual(['two', 'ten'])
  })

  it('leaves the list that it was given as it was', () => {
    const before = ids(shelf)
    show({ sort: 'title' })
    expect(ids(shelf)).toEqual(before)
  })
})

describe('reading', () => {
  it('is under way once something was read, and until it is finished', () => {
    expect(shelf.map(readingOf)).toEqual(['reading', 'unread', 'finished', 'unread', 'unread'])
    expect(ids(underWay(shelf, 5))).toEqual(['time'])
  })

  it('goes on with the latest first, and with no more than are wanted', () => {
    const many = [1, 2, 3].map(n => entry(`d${n}`, { progress: 0.5, read: `2026-01-0${n}T00:00:00Z` }))
    expect(ids(underWay(many, 2))).toEqual(['d3', 'd2'])
  })
})

it('counts what is most frequent first', () => {
  expect(counted(['a', 'b', 'b'])).toEqual([
    ['b', 2],
    ['a', 1],
  ])
})

it('gives a title the same hue each time', () => {
  expect(hueOf('西游记')).toBe(hueOf('西游记'))
  expect(new Set(['a', 'b', 'c', 'd', 'e', 'f'].map(hueOf)).size).toBeGreaterThan(2)
})
