import { expect, test } from 'vitest'
import { bestSentence, excerpt } from '../src/search/excerpt'
import { marks, parse, stem } from '../src/search/words'

const marked = (text: string, query: string) => marks(text, query).map(([a, b]) => text.slice(a, b))

test('an English word is found in its other forms, and not inside of another word', () => {
  expect(marked('The whales were hunted; whalers hunt a whale, narwhales swim.', 'whale hunting')).toEqual([
    'whales',
    'hunted',
    'hunt',
    'whale',
  ])
})

test('stems are those of the index', () => {
  const pairs = { organizations: 'organis', running: 'run', cities: 'city', boxes: 'box', glass: 'glass', does: 'doe' }
  for (const [word, cut] of Object.entries(pairs)) expect(stem(word)).toBe(cut)
})

test('stop words are marked only where a query says nothing else', () => {
  expect(marked('to be or not to be', 'to be')).toEqual(['to', 'be', 'to', 'be'])
  expect(marked('to be a king', 'to be a king')).toEqual(['king'])
})

test('Chinese is marked by pairs of characters, a single one by itself', () => {
  expect(marked('就做个‘齐天大圣’有何不可？大圣即带引群猴', '齐天大圣')).toEqual(['齐天大圣', '大圣'])
  expect(marked('黛玉笑道，宝玉来了', '玉')).toEqual(['玉', '玉'])
})

test('case, width, accents written either way and typographic apostrophes make no difference', () => {
  expect(marked('ＡＰＩ', 'api')).toEqual(['ＡＰＩ'])
  expect(marked('They don’t know', "don't know")).toEqual(['don’t', 'know'])
  expect(marked('the captain’s cabin', 'captain')).toEqual(['captain’s'])
  expect(marked('un cafe\u0301 noir', 'caf\u00e9')).toEqual(['cafe\u0301'])
})

test('traditional characters are found by simplified ones and the other way round', () => {
  const variants = new Map([
    ['齊', '齐'],
    ['聖', '圣'],
  ])
  const range = (text: string, query: string) => marks(text, query, variants).map(([a, b]) => text.slice(a, b))
  expect(range('做個齊天大聖', '齐天大圣')).toEqual(['齊天大聖'])
  expect(range('做个齐天大圣', '齊天大聖')).toEqual(['齐天大圣'])
})

test('a phrase is marked whole, across punctuation; an excluded word never', () => {
  expect(marked('To the letter: to the\nletter. The letter.', '"to the letter"')).toEqual([
    'To the letter',
    'to the\nletter',
  ])
  expect(marked('white whale, black whale', 'whale -white')).toEqual(['whale', 'whale'])
  expect(parse('-"a b" c')).toEqual({ phrases: [], words: ['c'] })
})

test('characters beyond the basic plane keep marks in place', () => {
  expect(marked('𠮷𠮷 family 家', 'family')).toEqual(['family'])
  expect(marked('住在𠮷野家附近', '𠮷野')).toEqual(['𠮷野'])
})

test('an excerpt stands around the densest marks, whole words, and says what it left out', () => {
  const text = `${'Nothing here to see. '.repeat(30)}The white whale, a white whale indeed. ${'Nothing more. '.repeat(30)}`
  const { pieces, before, after } = excerpt(text, 'white whale', 120)
  expect(before && after).toBe(true)
  expect(pieces.filter(p => p.marked).map(p => p.text)).toEqual(['white', 'whale', 'white', 'whale'])
  const shown = pieces.map(p => p.text).join('')
  expect(text.includes(shown)).toBe(true)
  expect(text.split(/\s+/)).toContain(shown.trim().split(/\s+/)[0])
})

test('an excerpt of a short passage is the passage', () => {
  const { pieces, before, after } = excerpt('A whale.', 'whale', 100)
  expect([before, after]).toEqual([false, false])
  expect(pieces).toEqual([
    { text: 'A ', marked: false },
    { text: 'whale', marked: true },
    { text: '.', marked: false },
  ])
})

test('an excerpt never cuts a character in two', () => {
  const { pieces } = excerpt('𠮷'.repeat(400), '野', 101)
  expect(pieces.map(p => p.text).join('')).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
})

test('a claim is the sentence of a passage that says most of what was asked', () => {
  expect(bestSentence('Call me Ishmael. A whale is a fish. So what?', 'whale fish', 'en')).toBe('A whale is a fish.')
})
