import { expect, test } from 'vitest'
import { type Translate, text } from '../src/i18n'
import { en } from '../src/i18n/en'
import { zh } from '../src/i18n/zh'
import { noticeText } from '../src/ui/notice'

const [english, chinese]: [Translate, Translate] = [(k, s) => text(en, k, s), (k, s) => text(zh, k, s)]

test('what is hidden is said without an option of the command line, and what else is told stays', () => {
  const told =
    'Bees: a life: read up to page 12; Wax; or, Honey: read up to 43%; Time: nothing of it is read yet; and 2 more ' +
    'documents only as far as they were read. What comes later is hidden; --uncapped shows it. It answered in French.'
  expect(noticeText(told, english)).toBe(
    'Bees: a life: read up to page 12; Wax; or, Honey: read up to 43 %; Time: not begun; 2 more documents only as far ' +
      'as they were read. What comes later is hidden. It answered in French.',
  )
  expect(noticeText(told, chinese)).toBe(
    '《Bees: a life》读到第 12 页; 《Wax; or, Honey》读到 43%; 《Time》还没开始读; 另有 2 份只到读过的地方。' +
      '之后的内容不予显示。 It answered in French.',
  )
})

test('vectors that are still being made are said in both languages, before what is hidden', () => {
  const told = 'Vectors of 2 of 4 documents are still being computed: those by words only.'
  expect(noticeText(told, chinese)).toBe('4 份文献中有 2 份的语义搜索仍在准备中，目前仅按词语搜索。')
  expect(noticeText(told, english)).not.toContain('Vectors')
  expect(noticeText(`${told} Bees: read up to 3%. What comes later is hidden; --uncapped shows it.`, english)).toMatch(
    /those by words only\. Bees: read up to 3 %\. What comes later is hidden\.$/,
  )
})

test('why a document is not there is said in words of this page', () => {
  expect(noticeText('it is at rank 82; -k 82 shows it', english)).toBe(
    'It is there, at rank 82: show more passages to see it.',
  )
  const behind = noticeText('200 passages of other documents fit better; --doc qa3w searches it alone', chinese)
  expect(behind).not.toMatch(/--|qa3w/)
})

test('a sentence that is not known stays as it is, without the option', () => {
  expect(noticeText('nothing is indexed', chinese)).toBe('nothing is indexed')
  expect(noticeText('Messages made from parts that are hidden now are left out; --uncapped shows them.', english)).toBe(
    'Messages made from parts that are hidden now are left out.',
  )
})
