import { describe, expect, test } from 'vitest'
import { find, nearest } from '../src/reader/find'
import { jumped, READING, readingPlace, turned } from '../src/reader/journey'
import { commandOf } from '../src/reader/keys'
import { citation, minutesFor, percentOf, sectionAt } from '../src/reader/place'
import { placeIn } from '../src/reader/wanted'

const any = { matchCase: false, wholeWords: false }

describe('find', () => {
  test('counts positions in code points', () => {
    const [first, second] = find('𠮷野家 and 𠮷', { words: '𠮷', ...any })
    expect([first?.start, first?.end, second?.start, second?.end]).toEqual([0, 1, 8, 9])
    expect(first?.after).toBe('野家 and 𠮷')
  })

  test('takes any white space for any other, and signs for themselves', () => {
    expect(find('the  old\n\nharbour (1.5)', { words: 'OLD harbour', ...any })[0]).toMatchObject({ start: 5, end: 17 })
    expect(find('a (1.5) b 1x5', { words: '(1.5)', ...any })).toHaveLength(1)
    expect(find('a-b [c] {d} e/f', { words: '[c] {d}', ...any })).toHaveLength(1)
  })

  test('heeds case and whole words when it is asked to', () => {
    const text = 'The tower; the Towers, towering'
    expect(find(text, { words: 'tower', ...any })).toHaveLength(3)
    expect(find(text, { words: 'tower', matchCase: false, wholeWords: true })).toHaveLength(1)
    expect(find(text, { words: 'Tower', matchCase: true, wholeWords: false })).toHaveLength(1)
    expect(find('古城堡在山上', { words: '城堡', ...any })[0]).toMatchObject({ start: 1, end: 3 })
  })

  test('finds nothing for nothing', () => {
    expect(find('text', { words: '  ', ...any })).toEqual([])
  })

  test('begins with the match that follows the place', () => {
    const found = find('a b a b a', { words: 'a', ...any })
    expect(nearest(found, 1)).toBe(1)
    expect(nearest(found, 9)).toBe(2)
    expect(nearest([], 3)).toBe(-1)
  })
})

describe('a journey', () => {
  test('keeps the first place that was left, over several jumps', () => {
    const away = jumped(jumped(READING, 100), 5_000)
    expect(away.left).toBe(100)
    expect(readingPlace(away, 9_000)).toBe(100)
    expect(readingPlace(READING, 9_000)).toBe(9_000)
  })

  test('ends when reading goes on at the new place', () => {
    const away = jumped(READING, 100)
    expect(turned(turned(away)).left).toBe(100)
    expect(turned(turned(turned(away)))).toEqual(READING)
    expect(turned(READING)).toBe(READING)
  })
})

describe('a place', () => {
  const entry = (number: number, level: number, start: number | null, end: number | null) => ({
    number,
    level,
    title: start === null ? null : `T${number}`,
    start,
    end,
    page: null,
  })

  test('is in the innermost section around it', () => {
    const contents = [entry(1, 1, 0, 100), entry(2, 2, 10, 50), entry(3, 2, 50, 100), entry(4, 1, null, null)]
    expect(sectionAt(contents, 5)?.number).toBe(1)
    expect(sectionAt(contents, 49)?.number).toBe(2)
    expect(sectionAt(contents, 50)?.number).toBe(3)
    expect(sectionAt(contents, 100)).toBeNull()
  })

  test('says how long the rest takes', () => {
    expect(minutesFor(0, 'en')).toBe(0)
    expect(minutesFor(2_600, 'en')).toBe(2)
    expect(minutesFor(4_200, 'zh-Hant')).toBe(10)
  })

  test('is at 100 percent only at the end', () => {
    expect([percentOf(0.999), percentOf(1), percentOf(-1)]).toEqual([99, 100, 0])
  })

  test('is cited with its words, its source and a link', () => {
    const span = { start: 3, end: 9 }
    expect(citation({ id: 'd1', title: 'Bees' }, span, ' wax ', 'II')).toBe(
      '“wax” (Bees, II, glossator://document/d1?start=3&end=9)',
    )
    expect(citation({ id: 'd1', title: '西游记' }, span, '石猴', null)).toContain('「石猴」')
  })
})

describe('a key', () => {
  const press = (key: string, rest = {}) => ({
    key,
    shiftKey: false,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    ...rest,
  })

  test('turns pages in the direction of reading', () => {
    expect(commandOf(press('ArrowRight'), false)).toBe('next')
    expect(commandOf(press('ArrowRight'), true)).toBe('previous')
    expect(commandOf(press(' '), false)).toBe('next')
    expect(commandOf(press(' ', { shiftKey: true }), false)).toBe('previous')
  })

  test('with shift selects, and with a modifier is the browser’s', () => {
    expect(commandOf(press('ArrowRight', { shiftKey: true }), false)).toBeNull()
    expect(commandOf(press('ArrowRight', { altKey: true }), false)).toBeNull()
    expect(commandOf(press('f', { ctrlKey: true }), false)).toBe('find')
  })
})

describe('an address', () => {
  const placed = (query: string) => placeIn(new URLSearchParams(query))

  test('names a place, and the words up to its end are to be marked', () => {
    expect(placed('at=120&end=146')).toEqual({ span: { start: 120, end: 146 }, marked: true })
    expect(placed('at=120')).toEqual({ span: { start: 120, end: 121 }, marked: false })
  })

  test('that is no place names none', () => {
    for (const query of ['', 'at=', 'at=-1', 'at=1e3', 'end=7', `at=${'9'.repeat(20)}`])
      expect(placed(query).span).toBeNull()
    expect(placed('at=9&end=3')).toEqual({ span: { start: 9, end: 10 }, marked: false })
  })
})
