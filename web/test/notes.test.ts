import { describe, expect, it } from 'vitest'
import type { Locator, Note } from '../src/api/types'
import { EVERYTHING, fits, inOrder, rowsOf, tagsIn, tagsOf } from '../src/notes/filter'

function note(id: string, part: Partial<Note> = {}, start: number | null = 0): Note {
  return {
    id,
    document: { id: 'd1', title: 'Bees' },
    quote: 'Wax is made by young bees.',
    body: '',
    color: 'yellow',
    tags: [],
    locator: start === null ? null : ({ start, end: start + 5 } as Locator),
    state: start === null ? 'lost' : 'exact',
    links: [],
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
    ...part,
  }
}

describe('notes that fit', () => {
  it('hold every word, in any case and width, in quotation, body or tags', () => {
    const one = note('n1', { body: 'See chapter ３', tags: ['Hive'] })
    expect(fits(one, { ...EVERYTHING, words: 'WAX 3 hive' })).toBe(true)
    expect(fits(one, { ...EVERYTHING, words: 'wax honey' })).toBe(false)
    expect(fits(note('n2', { quote: '蜂蜡由年轻的蜜蜂制成。' }), { ...EVERYTHING, words: '年轻 蜜蜂' })).toBe(true)
  })

  it('have one of the colours and the tag', () => {
    const one = note('n1', { color: 'blue', tags: ['hive'] })
    expect(fits(one, { words: '', colors: ['red', 'blue'], tag: 'hive' })).toBe(true)
    expect(fits(one, { words: '', colors: ['red'], tag: '' })).toBe(false)
    expect(fits(one, { words: '', colors: [], tag: 'wax' })).toBe(false)
  })

  it('are all of them when nothing is asked for', () => {
    expect(fits(note('n1', { quote: null }), EVERYTHING)).toBe(true)
  })
})

describe('lists of notes', () => {
  it('are in reading order, with the lost ones apart', () => {
    const given = [note('late', {}, 90), note('gone', {}, null), note('early', {}, 10)]
    const { placed, lost } = inOrder(given)
    expect([placed.map(n => n.id), lost.map(n => n.id)]).toEqual([['early', 'late'], ['gone']])
  })

  it('name a document where another one begins', () => {
    const other = { document: { id: 'd2', title: 'Wasps' } }
    const rows = rowsOf([note('a'), note('b'), note('c', other), note('d')])
    expect(rows.map(row => (row.kind === 'note' ? row.note.id : row.title))).toEqual(
      ['Bees', 'a', 'b', 'Wasps', 'c', 'Bees', 'd'], // a document may come back
    )
    expect(new Set(rows.map(row => row.key)).size).toBe(rows.length)
  })

  it('know their tags, each once', () => {
    expect(tagsOf([note('a', { tags: ['b', 'a'] }), note('c', { tags: ['a'] })])).toEqual(['a', 'b'])
  })
})

describe('tags as they are written', () => {
  it('are separated by commas of either script, without hash or repetition', () => {
    expect(tagsIn('wax, #hive，待核实、wax ;  , two words')).toEqual(['wax', 'hive', '待核实', 'two words'])
    expect(tagsIn('  ')).toEqual([])
  })
})
