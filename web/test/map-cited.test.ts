import { expect, test } from 'vitest'
import { lines } from '../src/map/cited'

test('the numbers of a summary lead to its points, and titles are told from sentences', () => {
  expect(lines('He begins. [1] He ends. [2, 3]\n\nChapter I\nHe speaks of time. [4]\n\nYou stopped here: “x”')).toEqual(
    [
      { title: false, bits: [{ text: 'He begins.' }, { points: [1] }, { text: ' He ends.' }, { points: [2, 3] }] },
      { title: true, bits: [{ text: 'Chapter I' }] },
      { title: false, bits: [{ text: 'He speaks of time.' }, { points: [4] }] },
      { title: false, bits: [{ text: 'You stopped here: “x”' }] },
    ],
  )
})

test('Chinese sentences follow their numbers without a space', () => {
  expect(lines('他开始了。[1]他走了。[2]')).toEqual([
    { title: false, bits: [{ text: '他开始了。' }, { points: [1] }, { text: '他走了。' }, { points: [2] }] },
  ])
})
