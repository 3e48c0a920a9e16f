import { expect, test } from 'vitest'
import { shares } from '../src/map/shares'

test('spans read and left out are shares of the whole they make together', () => {
  const { read, ticks, part } = shares(
    {
      read: [
        [100, 150],
        [170, 200],
      ],
      missing: [[150, 170]],
    },
    [100, 185, 185],
  )
  expect(read).toEqual([
    { from: 0, to: 0.5 },
    { from: 0.7, to: 1 },
  ])
  expect(ticks).toEqual([0, 0.85])
  expect(part).toBeCloseTo(0.8)
})

test('of nothing no share was read', () => {
  expect(shares({ read: [], missing: [] }, [])).toEqual({ read: [], ticks: [], part: 0 })
})
