import { expect, it } from 'vitest'
import { shade, weeks } from '../src/library/days'
import { bytes, fileName, percentOf } from '../src/library/format'

it('lays days out in weeks from Monday on, up to today', () => {
  const columns = weeks([{ date: '2026-03-02', characters: 7 }], new Date(2026, 2, 4), 3) // a Wednesday
  expect(columns.map(week => week.length)).toEqual([7, 7, 3])
  expect(columns[0]?.[0]?.date).toBe('2026-02-16')
  expect(columns[2]).toEqual([
    { date: '2026-03-02', characters: 7 },
    { date: '2026-03-03', characters: 0 },
    { date: '2026-03-04', characters: 0 },
  ])
})

it('keeps whole weeks where clocks are put forward', () => {
  const columns = weeks([], new Date(2026, 3, 5), 8)
  expect(new Set(columns.flat().map(day => day.date)).size).toBe(56)
})

it('draws a day without reading lightest and the best one darkest', () => {
  expect([0, 1, 25, 26, 99, 100].map(n => shade(n, 100))).toEqual([0, 1, 1, 2, 4, 4])
})

it('calls only what is whole 100 percent, and only what is nothing 0', () => {
  expect([0, 0.0001, 0.167, 0.999, 1].map(percentOf)).toEqual([0, 1, 17, 99, 100])
})

it('names sizes in units a person reads', () => {
  expect([0, 999, 1_500, 23_000_000].map(bytes)).toEqual(['0 B', '999 B', '1.5 KB', '23 MB'])
})

it('makes a file name of any title', () => {
  expect(fileName('A/B: “C”?')).toBe('A B C')
  expect(fileName('西游记（第一回）')).toBe('西游记 第一回')
  expect(fileName('???')).toBe('notes')
})
