import { expect, test } from 'vitest'
import { type Key, text } from '../src/i18n'
import { en } from '../src/i18n/en'
import { zh } from '../src/i18n/zh'
import { noticeText } from '../src/ui/notice'

const english = (key: Key, slots = {}) => text(en, key, slots)
const chinese = (key: Key, slots = {}) => text(zh, key, slots)

test('what is hidden is said without an option of the command line', () => {
  const told =
    'Moby-Dick; or, The Whale: read up to page 120; 西游记: read up to 3%. What comes later is hidden; --uncapped shows it.'
  expect(noticeText(told, english)).toBe(
    'Moby-Dick; or, The Whale: read up to page 120; 西游记: read up to 3 %. What comes later is hidden.',
  )
  expect(noticeText(told, chinese)).toBe('Moby-Dick; or, The Whale：读到第 120 页; 西游记：读到 3%。其后的内容已隐藏。')
})

test('vectors that are still being made are said in both languages', () => {
  const told = 'Vectors of 2 of 4 documents are still being computed: those by words only.'
  expect(noticeText(told, chinese)).toBe('4 份文献中有 2 份的语义搜索仍在准备中，目前仅按词语搜索。')
  expect(noticeText(told, english)).not.toContain('Vectors')
})

test('why a document is not there is said in words of this page', () => {
  expect(noticeText('it is at rank 82; -k 82 shows it', english)).toBe(
    'It is there, at rank 82: show more passages to see it.',
  )
  expect(noticeText('200 passages of other documents fit better; --doc qa3w searches it alone', chinese)).not.toMatch(
    /--|qa3w/,
  )
})

test('a sentence that is not known stays as it is, without the option', () => {
  expect(noticeText('Something new.', chinese)).toBe('Something new.')
  expect(noticeText('Messages made from parts that are hidden now are left out; --uncapped shows them.', english)).toBe(
    'Messages made from parts that are hidden now are left out.',
  )
})
