/** The server's sentence on what is hidden, in the words of the interface. */

import type { Translate } from '../i18n'

const HIDDEN = /^(.+)\. What comes later is hidden(?:; --uncapped shows it)?\.(?: (.+))?$/s
const BOUNDS: [RegExp, (found: string[], t: Translate) => string][] = [
  [/^(.+): read up to page (\d+)$/, ([title = '', page = ''], t) => t('chat.bound.page', { title, page })],
  [/^(.+): read up to (\d+)%$/, ([title = '', percent = ''], t) => t('chat.bound.percent', { title, percent })],
  [/^(.+): nothing of it is read yet$/, ([title = ''], t) => t('chat.bound.nothing', { title })],
  [/^and (\d+) more documents? only as far as/, ([n], t) => t('chat.bound.more', { n: Number(n) })],
]

/** Return a notice in the words of the interface; what is told otherwise than is known here stays as it came. */
export function noticeInWords(notice: string, t: Translate): string {
  const [, bounds = '', more = ''] = HIDDEN.exec(notice) ?? []
  if (!bounds) return notice
  const told = bounds.split('; ').map(bound => {
    const found = BOUNDS.find(([pattern]) => pattern.test(bound))
    return found ? found[1]((found[0].exec(bound) ?? []).slice(1), t) : bound
  })
  return [t('chat.bound.hidden', { bounds: told.join('; ') }), more].filter(Boolean).join(' ')
}

/** Return a text without what it says of the command line, which is no help on a page. */
export function withoutOptions(text: string): string {
  return text.replaceAll('; --uncapped shows it.', '.')
}
