/** Links of a part: out of the document, to another place in it, or to a note that is shown where it is called. */

import { spanOf } from '../../locator/places'
import type { Footnote, PlacedBlock, Reflowable } from '../viewer'
import type { Section } from './section'

const OPS = 'http://www.idpf.org/2007/ops'
const NOTE = /^[\s[(（［【]*(\d{1,4}|[*†‡§¶#]+|[a-z]|[ivxlc]{1,6}|注|註)[\s\])）］】.]*$/iu
const INLINE = 'a, span, sup, sub, em, strong, i, b, small'
const LIMIT = 4_000 // characters of a note that are shown in place
export type Target = { index: number; id: string }
export type Followed =
  | { kind: 'external'; href: string }
  | { kind: 'internal'; target: Target; note: boolean }
  | { kind: 'nowhere' }

/** Return what a link leads to; `base` is the address of the part it stands in. */
export function followed(link: Element, base: string, source: Reflowable): Followed {
  const href = link.getAttribute('href') ?? link.getAttributeNS('http://www.w3.org/1999/xlink', 'href') ?? ''
  if (!URL.canParse(href, base)) return { kind: 'nowhere' }
  const to = new URL(href, base)
  const address = withoutHash(to)
  const index = source.parts.findIndex(p => withoutHash(new URL(source.partUrl(p.number), base)) === address)
  if (index >= 0)
    return { kind: 'internal', target: { index, id: decoded(to.hash.slice(1)) }, note: isNoteReference(link) }
  const out = /^(https?|mailto):$/.test(to.protocol) && to.origin !== new URL(base).origin
  return out ? { kind: 'external', href: to.href } : { kind: 'nowhere' }
}

/** Return the element that an id names: by `id`, or by the `name` of an old anchor. */
export function named(doc: Document, id: string): Element | null {
  if (!id) return null
  return doc.getElementById(id) ?? doc.querySelector(`a[name="${CSS.escape(id)}"]`)
}

/** Return the note that an element begins, without the links back; null when there is no text in it. */
export function noteAt(doc: Document, blocks: readonly PlacedBlock[], id: string): Footnote | null {
  const target = named(doc, id)
  if (!target) return null
  const whole = noteOf(target)
  const copy = whole.cloneNode(true) as Element
  for (const link of copy.querySelectorAll('a[href]')) if (isBackLink(link)) link.remove()
  const paragraphs = [...copy.querySelectorAll('p, dd, blockquote, pre')].filter(p => !p.querySelector('p'))
  const texts = (paragraphs.length ? paragraphs : [copy]).map(p => (p.textContent ?? '').replace(/\s+/gu, ' ').trim())
  const text = texts.filter(Boolean).join('\n\n')
  if (!text) return null
  const range = doc.createRange()
  range.selectNodeContents(whole)
  return { text: text.length > LIMIT ? `${text.slice(0, LIMIT)} …` : text, span: spanOf(doc, blocks, range) }
}

function noteOf(target: Element): Element {
  let element = target
  while (element.matches(INLINE) && element.parentElement && element.parentElement.localName !== 'body')
    element = element.parentElement
  return element.closest('li, aside') ?? element
}

function isNoteReference(link: Element): boolean {
  if (types(link).some(type => type === 'noteref' || type === 'doc-noteref')) return true
  if (isBackLink(link)) return false
  const raised = link.closest('sup') ?? link.querySelector('sup')
  return raised !== null && NOTE.test(link.textContent ?? '')
}

function isBackLink(link: Element): boolean {
  if (types(link).some(type => type === 'backlink' || type === 'referrer' || type === 'doc-backlink')) return true
  return /^(\s|[↩↑⤴^]|\u{fe0e}|\u{fe0f})+$/u.test(link.textContent ?? '')
}

function types(element: Element): string[] {
  return `${element.getAttributeNS(OPS, 'type') ?? ''} ${element.getAttribute('role') ?? ''}`.split(/\s+/)
}

function withoutHash(url: URL): string {
  return url.origin + decoded(url.pathname)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray percent sign of a book stands for itself
  }
}

/** Return the link around a node of the section, if there is one. */
export function linkAround(section: Section, node: EventTarget | null): Element | null {
  const element = node instanceof section.view.Element ? node : null
  return element?.closest('a[href], a[*|href]') ?? null
}
