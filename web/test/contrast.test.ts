import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BRANCHES } from '../src/map/drawing'

const css = readFileSync(join(import.meta.dirname, '../src/styles/app.css'), 'utf8')
const tokens = (selector: string): Record<string, string> => {
  const block = css.slice(css.indexOf(`${selector} {`))
  const body = block.slice(0, block.indexOf('\n}'))
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]),
  )
}
const light = tokens(':root')
const THEMES: Record<string, Record<string, string>> = {
  light,
  sepia: { ...light, ...tokens('[data-theme="sepia"]') },
  dark: { ...light, ...tokens('[data-theme="dark"]') },
}

const luminance = (hex: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string): number => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

const GROUNDS = ['ground', 'surface', 'sunken']
const MARKS = ['yellow', 'green', 'blue', 'red', 'purple', 'cited'].map(name => `mark-${name}`)
const TEXT = [
  ...['ink', 'muted', 'accent', 'good', 'warn', 'bad'].flatMap(ink => GROUNDS.map(ground => [ink, ground])),
  ...['ink', 'accent', 'muted'].map(ink => [ink, 'accent-soft']),
  ...MARKS.map(mark => ['ink', mark]),
  ['on-accent', 'accent'],
]
const SHAPES = ['edge', 'focus'].flatMap(shape => GROUNDS.map(ground => [shape, ground]))

test('the two that contrast most are black and white', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

for (const [theme, colors] of Object.entries(THEMES)) {
  const low = (pairs: string[][], least: number) =>
    pairs
      .map(([a = '', b = '']) => [a, b, Number(contrast(colors[a] ?? '', colors[b] ?? '').toFixed(2))] as const)
      .filter(([, , found]) => !(found >= least))

  test(`every text of the ${theme} theme can be read on every ground it stands on`, () => {
    expect(low(TEXT, 4.5)).toEqual([])
  })

  test(`controls and the focus of the ${theme} theme stand out`, () => {
    expect(low(SHAPES, 3)).toEqual([])
  })

  test(`the branches of a map stand out in the ${theme} theme`, () => {
    for (const branch of BRANCHES) expect(contrast(branch, colors.ground ?? '')).toBeGreaterThanOrEqual(3)
  })
}
