/** The look of a part: how a person likes to read, over what the publisher meant. */

import type { Color } from '../../api/types'
import type { Appearance } from '../viewer'

export const COLORS: readonly Color[] = ['yellow', 'green', 'blue', 'red', 'purple']
/** Colours by the names of the page's tokens. */
export type Palette = Record<string, string>
const TOKENS = ['--ink', '--muted', '--line', '--accent', '--focus', '--mark-cited', ...COLORS.map(c => `--mark-${c}`)]
const FAMILIES = {
  serif:
    'ui-serif, Charter, "Iowan Old Style", Georgia, "Noto Serif", "Liberation Serif", "Songti SC", "Noto Serif CJK SC", serif',
  sans: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif',
}
const LINE = 38 // em: the longest line that is easy to read
const PAPER = '#f6f3ec' // under pictures in the dark, whose lines are mostly black

/** Return the colours of the page as they are now. */
export function paletteOf(page: Document): Palette {
  const style = getComputedStyle(page.documentElement)
  return Object.fromEntries(TOKENS.map(name => [name, style.getPropertyValue(name).trim()]))
}

/** Return the attributes of the paginator. */
export function layoutOf(look: Appearance, host: { width: number }): Record<string, string> {
  return {
    flow: look.flow,
    gap: `${Math.min(Math.max(look.margin * 2, 0.02), 0.5) * 100}%`,
    margin: host.width < 640 ? '50px' : '44px', // the bars of a phone lie over it
    'max-inline-size': `${Math.round(look.size * LINE)}px`,
    'max-column-count': String(look.columns),
  }
}

/** Return two style sheets: one that the publisher's come after, one that comes after theirs. */
export function stylesOf(look: Appearance, palette: Palette, language: string | null): [string, string] {
  return [defaults(language), [type(look), colors(look, palette), marks(palette)].join('\n')]
}

function defaults(language: string | null): string {
  const chinese = /^(zh|ja)\b/.test(language ?? '')
  return `
@namespace epub "http://www.idpf.org/2007/ops";
html { font-size: 100%; }
p { margin: 0 0 .7em; ${chinese ? 'text-indent: 2em;' : ''} }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 .6em; text-wrap: balance; }
blockquote { margin: 1em 1.5em; }
figure { margin: 1em 0; text-align: center; }
figcaption { font-size: .85em; opacity: .8; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { border: 1px solid currentColor; border-color: color-mix(in srgb, currentColor 30%, transparent); padding: .25em .6em; vertical-align: top; }
pre { white-space: pre-wrap; tab-size: 4; }
pre, code, kbd, samp { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; }
hr { border: 0; border-top: 1px solid currentColor; opacity: .3; margin: 2em 20%; }
rt { font-size: .55em; }
sup, sub { line-height: 0; }
[role~="doc-noteref"]:empty::before { content: "*"; font-size: .8em; vertical-align: super; line-height: 0; }`
}

function type(look: Appearance): string {
  const text =
    ':is(p, li, dd, dt, blockquote, td, th, div, section, article, span, a, em, i, b, strong, h1, h2, h3, h4, h5, h6)'
  const family = look.font === 'publisher' ? '' : `font-family: ${FAMILIES[look.font]} !important;`
  return `
html { font-size: ${look.size}px !important; }
body { line-height: ${look.lineHeight} !important; ${family} -webkit-text-size-adjust: none; text-size-adjust: none; }
body :is(p, li, dd, dt, blockquote) { line-height: ${look.lineHeight} !important; }
${family ? `body, body ${text} { ${family} }` : ''}
${look.justify ? 'p, li, dd, blockquote { text-align: justify; hyphens: auto; }' : 'body { text-align: start; }'}
html { orphans: 2; widows: 2; }
img, svg, video { max-width: 100%; }
pre, table { max-width: 100%; }
a:any-link { text-underline-offset: .15em; }
:focus-visible { outline: 2px solid; outline-offset: 2px; }`
}

function colors(look: Appearance, palette: Palette): string {
  // A frame whose scheme is not the page's is painted opaque by the browser.
  const ours = `
:root { color-scheme: ${look.theme === 'dark' ? 'dark' : 'light'}; }
html, body { background: none !important; color: ${palette['--ink']} !important; }
a:any-link { color: ${palette['--accent']} !important; }
:focus-visible { outline-color: ${palette['--focus']}; }
::selection { background: color-mix(in srgb, ${palette['--focus']} 35%, transparent); }`
  if (look.theme === 'light') return ours
  const plain = 'body :not(img, svg, svg *, video, canvas, a:any-link, a:any-link *)'
  const dark = `
img, body svg { background-color: ${PAPER} !important; color: #211d19; }
img { filter: brightness(.92); }`
  return `${ours}
${plain} { color: inherit !important; background-color: transparent !important; background-image: none !important; border-color: ${palette['--line']} !important; text-shadow: none !important; box-shadow: none !important; }
a:any-link * { color: inherit !important; background-color: transparent !important; }
${look.theme === 'dark' ? dark : ''}`
}

function marks(palette: Palette): string {
  const inks = `color: ${palette['--ink']};`
  return [
    ...COLORS.map(
      color => `
::highlight(glossator-${color}) { background-color: ${palette[`--mark-${color}`]}; ${inks} }
[data-glossator-mark="${color}"] { outline: 4px solid ${palette[`--mark-${color}`]} !important; }`,
    ),
    `
::highlight(glossator-noted) { text-decoration: underline 2px dotted ${palette['--muted']}; text-underline-offset: .2em; }
::highlight(glossator-cited) { background-color: ${palette['--mark-cited']}; ${inks} }
[data-glossator-mark="cited"] { outline: 4px solid ${palette['--mark-cited']} !important; }`,
  ].join('')
}
