/**
 * A document that flows: parts as XHTML in a frame, paged or scrolled by foliate-js's paginator. Where something stands
 * is known from the places of the part's blocks; the parts and their places are loaded when they are met.
 */

import type { Paginator, Relocated } from 'foliate-js/paginator.js'
import 'foliate-js/paginator.js'
import { rangeAt, spanOf, wordsOf } from '../locator/places'
import { type Hands, listen, listenToFingers, wheelSteps } from './reflow/input'
import { followed, linkAround, named, noteAt, type Target } from './reflow/links'
import { highlightAt, type Painted, paint } from './reflow/marks'
import { anchorOf, boxOf, partAt, positionAfter, type Section, type View, visibleSpan } from './reflow/section'
import { layoutOf, paletteOf, stylesOf } from './reflow/styles'
import type { Appearance, Events, Highlight, Place, PlacedBlock, Reflowable, Span, Viewer } from './viewer'

const RTL = /^(ar|fa|he|ur|ps|sd|ug|yi|dv|arc)\b/
const AHEAD = 250 // ms at a page until the neighbouring parts are prepared for
const QUEUE = 2 // turns that wait for the one under way
const LINE = 72 // pixels
const OVERLAP = 0.92 // of the height that a page turn moves when scrolling

export async function openReflowable(
  host: HTMLElement,
  source: Reflowable,
  events: Events,
  start: { at: number; appearance: Appearance },
): Promise<Viewer> {
  const viewer = new Flow(host, source, events, start.appearance)
  viewer.expect(start.at)
  await frame() // until then the paginator would lay out a part that is not there yet
  await viewer.goTo({ start: start.at, end: start.at + 1 })
  return viewer
}

class Flow implements Viewer {
  readonly #pages = document.createElement('foliate-paginator') as Paginator
  readonly #places = new Map<number, PlacedBlock[]>()
  #section: Section | null = null
  #look: Appearance
  #highlights: readonly Highlight[] = []
  #painted: Painted[] = []
  #cited: Span | null = null
  /**
   * The position that stays on the screen whatever changes: where the reader went, or the first seen after a turn.
   * null where the next one seen is to be it.
   */
  #held: number | null = null
  #turns: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #moved: (() => void) | null = null
  #failed: unknown = null
  #selected: Range | null = null
  #later: ReturnType<typeof setTimeout> | undefined
  #settled = false
  #showing = false

  constructor(
    readonly host: HTMLElement,
    readonly source: Reflowable,
    readonly events: Events,
    look: Appearance,
  ) {
    this.#look = look
    const pages = this.#pages
    pages.style.cssText = 'position:absolute;inset:0;width:100%;height:100%'
    // its box may change while a part is still empty: it cannot be laid out then, and is when it has come
    const render = pages.render.bind(pages)
    pages.render = () => {
      if (pages.getContents().every(({ doc }) => doc?.body)) render()
    }
    pages.addEventListener('load', event => this.#loaded((event as CustomEvent<Loaded>).detail))
    pages.addEventListener('relocate', event => this.#relocated((event as CustomEvent<Relocated>).detail))
    pages.addEventListener('click', event => this.#tapped(event.clientX, event))
    pages.addEventListener(
      'wheel',
      wheelSteps(forward => this.#wheel(forward)),
      { passive: true },
    )
    listenToFingers(host, this.#fingers)
    host.append(pages)
    pages.open({ dir: RTL.test(source.language ?? '') ? 'rtl' : 'ltr', sections: source.parts.map(this.#sectionOf) })
    this.#dress()
  }

  /** Ask for the places of a part that will be shown in a moment. */
  expect(at: number): void {
    this.#placesOf(partAt(this.source.parts, at)).catch(() => undefined) // asked again, and told, when it is shown
  }

  async goTo(target: Span, { mark = false }: { mark?: boolean } = {}): Promise<void> {
    this.#cited = mark ? target : null
    this.#held = target.start
    const index = partAt(this.source.parts, target.start)
    if (this.#section?.index === index) this.#paint()
    await this.#show(index, section => anchorOf(section, this.source.parts[index], target.start))
  }

  next = (): Promise<void> => this.#turn(true)
  previous = (): Promise<void> => this.#turn(false)
  line = (forward: boolean): Promise<void> => this.#turn(forward, LINE)

  get leftwards(): boolean {
    const body = this.#section?.doc.body // none while a part is being left
    if (!this.#section || !body) return RTL.test(this.source.language ?? '')
    const { direction, writingMode } = this.#section.view.getComputedStyle(body)
    return writingMode === 'vertical-rl' || direction === 'rtl'
  }

  setHighlights(highlights: readonly Highlight[]): void {
    this.#highlights = highlights
    this.#paint()
  }

  setAppearance(appearance: Appearance): void {
    if (appearance === this.#look) return // laying out a part is what takes the time
    this.#look = appearance
    this.#dress()
  }

  marked(): string {
    const section = this.#section
    return section && this.#cited ? wordsOf(section.doc, section.blocks, this.#cited) : ''
  }

  deselect(): void {
    this.#section?.doc.getSelection()?.removeAllRanges()
    this.#select(null)
  }

  focus(): void {
    if (this.#section) this.#pages.focusView()
  }

  /** The paginator comes back to its view in a frame and when fonts are there: it is taken down after that. */
  destroy(): void {
    clearTimeout(this.#later)
    const pages = this.#pages
    pages.style.visibility = 'hidden'
    const last = () => {
      if (this.#section) pages.destroy()
      pages.remove()
    }
    const fonts = this.#section?.doc.fonts.ready ?? Promise.resolve()
    void fonts.then(() => requestAnimationFrame(last))
  }

  // --- parts --------------------------------------------------------------------------------------------------------

  #sectionOf = (part: { number: number }, index: number) => ({
    load: async () => {
      try {
        await this.#placesOf(index)
        this.#failed = null
      } catch (error) {
        this.#failed = error
        throw error
      }
      return this.source.partUrl(part.number)
    },
  })

  /** The places of a part; the source keeps what it was asked for and is asked for. */
  async #placesOf(index: number): Promise<PlacedBlock[]> {
    const known = this.#places.get(index)
    const number = this.source.parts[index]?.number
    if (known || number === undefined) return known ?? []
    const blocks = await this.source.places(number)
    this.#places.set(index, blocks)
    return blocks
  }

  async #show(index: number, anchor: (section: Section) => Range | Element | number): Promise<void> {
    this.#pages.removeAttribute('animated')
    this.#showing = true
    try {
      await this.#pages.goTo({ index, anchor: () => (this.#section ? anchor(this.#section) : 0) })
    } finally {
      this.#showing = false
    }
    if (this.#failed) throw this.#failed
  }

  #loaded({ doc, index }: Loaded): void {
    const view = doc.defaultView as View
    doc.documentElement.lang ||= this.source.language ?? ''
    if (RTL.test(doc.documentElement.lang)) doc.documentElement.dir ||= 'rtl'
    this.#section = { index, doc, view, blocks: this.#places.get(index) ?? [] }
    this.#settled = false
    if (!this.#showing) this.#held = null // a turn led into this part
    this.#select(null)
    this.#paint()
    listen(this.#section, this.#hands(this.#section))
  }

  #paint(): void {
    if (this.#section) this.#painted = paint(this.#section, this.#highlights, this.#cited)
  }

  #dress(): void {
    const attributes = Object.entries(layoutOf(this.#look, this.host.getBoundingClientRect()))
    for (const [name, value] of attributes)
      if (this.#pages.getAttribute(name) !== value) this.#pages.setAttribute(name, value)
    this.#pages.setStyles(stylesOf(this.#look, paletteOf(document), this.source.language))
  }

  // --- places -------------------------------------------------------------------------------------------------------

  #relocated({ reason, range, index }: Relocated): void {
    const section = this.#section
    if (section?.index !== index) return
    if (reason === 'navigation') this.#settled = true
    if (!this.#settled) return // a part that was just loaded is laid out before it is gone to
    const seen = visibleSpan(section, range)
    const first = seen?.start ?? positionAfter(this.source, index)
    const end = Math.max(seen?.end ?? first, first)
    const stays = this.#held !== null && (reason === 'navigation' || reason === 'anchor')
    const held = stays ? (this.#held ?? first) : first
    const fasten = this.#held === null
    this.#held = held
    const place: Place = {
      start: held,
      end: Math.max(end, held),
      fraction: held / Math.max(this.source.characters, 1),
      page: null,
      atEnd: this.#atEnd(index),
    }
    if (fasten) this.#fasten(section, held)
    this.#moved?.()
    this.events.relocate(place, reason === 'scroll' ? undefined : !this.#showing && (fasten || !stays))
    if (this.#selected) this.#select(this.#selected)
    this.#ahead(index)
  }

  /** Tie the paginator to the words that are held: it was told a share of the part, which another size would move. */
  #fasten(section: Section, held: number): void {
    const range = rangeAt(section.doc, section.blocks, held)
    if (range) queueMicrotask(() => this.#section === section && this.#pages.scrollToAnchor(range))
  }

  #atEnd(index: number): boolean {
    if (index !== this.source.parts.length - 1) return false
    const { scrolled, viewSize, end, page, pages } = this.#pages
    return scrolled ? viewSize - end < 4 : page >= pages - 2
  }

  #ahead(index: number): void {
    clearTimeout(this.#later)
    this.#later = setTimeout(() => {
      for (const next of [index + 1, index - 1]) this.#placesOf(next).catch(() => undefined) // asked again when it is met
    }, AHEAD)
  }

  // --- turning ------------------------------------------------------------------------------------------------------

  async #turn(forward: boolean, by?: number): Promise<void> {
    if (this.#waiting > QUEUE) return
    this.#waiting++
    const before = this.#turns
    const turned = before.then(() => this.#turnNow(forward, by))
    this.#turns = turned
      .then(({ rest }) => rest)
      .catch(() => undefined) // told to who asked for the turn
      .finally(() => this.#waiting--)
    await turned
  }

  /** Turn, and return when the new page is there; `rest` ends when the paginator takes the next turn. */
  async #turnNow(forward: boolean, by?: number): Promise<{ rest: Promise<void> }> {
    const pages = this.#pages
    pages.removeAttribute('animated')
    const distance = pages.scrolled ? (by ?? pages.size * OVERLAP) : undefined
    const moved = new Promise<void>(done => {
      this.#moved = done
    })
    const rest = forward ? pages.next(distance) : pages.prev(distance)
    await Promise.race([moved, rest])
    this.#moved = null
    if (this.#failed) throw this.#failed
    return { rest }
  }

  #wheel(forward: boolean): void {
    const { scrolled, start, end, viewSize } = this.#pages
    if (scrolled && (forward ? viewSize - end > 4 : start > 0)) return // there is more of the part to scroll
    this.#turn(forward).catch(this.events.failed)
  }

  // --- hands --------------------------------------------------------------------------------------------------------

  readonly #fingers = {
    swiped: () => this.#pages.setAttribute('animated', ''),
    paged: () => !this.#pages.scrolled,
  }

  #hands(section: Section): Hands {
    return {
      selected: range => this.#select(range),
      clicked: event => this.#clicked(section, event),
      key: event => this.events.key(event),
      wheel: forward => this.#wheel(forward),
      ...this.#fingers,
    }
  }

  #select(range: Range | null): void {
    const section = this.#section
    const span = range && section ? spanOf(section.doc, section.blocks, range) : null
    const box = range && section && span ? this.#boxOf(section, range) : null
    if (!section || !range || !span || !box) {
      if (this.#selected) this.events.select(null)
      this.#selected = range
      return
    }
    this.#selected = range
    this.events.select({ span, text: wordsOf(section.doc, section.blocks, span), box })
  }

  #boxOf(section: Section, shown: Range | Element): DOMRect | null {
    return boxOf(section, shown.getClientRects(), this.host.getBoundingClientRect())
  }

  #clicked(section: Section, event: MouseEvent): void {
    const link = linkAround(section, event.target)
    if (link) {
      event.preventDefault()
      this.#follow(section, link).catch(this.events.failed)
      return
    }
    const selection = section.doc.getSelection()
    if (selection && !selection.isCollapsed) return
    const hit = highlightAt(this.#painted, event.clientX, event.clientY)
    const box = hit
      ? boxOf(
          section,
          hit.pieces.flatMap(p => [...p.getClientRects()]),
          this.host.getBoundingClientRect(),
        )
      : null
    if (hit && box) this.events.highlight(hit.id, box)
    else this.#tapped(event.clientX + (section.view.frameElement?.getBoundingClientRect().x ?? 0), event)
  }

  #tapped(x: number, event: MouseEvent): void {
    const mouse = !('pointerType' in event) || event.pointerType === 'mouse'
    const host = this.host.getBoundingClientRect()
    const share = (x - host.x) / Math.max(host.width, 1)
    const side = share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle'
    this.events.tap(mouse || this.#pages.scrolled ? 'middle' : side)
  }

  async #follow(section: Section, link: Element): Promise<void> {
    const to = followed(link, section.doc.baseURI, this.source)
    if (to.kind === 'nowhere') return
    if (to.kind === 'external') {
      this.events.external(to.href)
      return
    }
    const box = this.#boxOf(section, link)
    const note = to.note && box ? await this.#noteAt(section, to.target) : null
    if (note && box) {
      this.events.footnote(note, box)
      return
    }
    this.events.leave()
    this.#cited = null
    this.#held = null
    await this.#show(to.target.index, ({ doc }) => named(doc, to.target.id) ?? 0)
  }

  async #noteAt(section: Section, { index, id }: Target) {
    if (index === section.index) return noteAt(section.doc, section.blocks, id)
    const part = this.source.parts[index]
    if (!part) return null
    const text = await (await fetch(this.source.partUrl(part.number))).text()
    const doc = new DOMParser().parseFromString(text, 'application/xhtml+xml') // inert: it loads and runs nothing
    return noteAt(doc, await this.#placesOf(index), id)
  }
}

/** The next frame, or soon where a page in the background gets none. */
function frame(): Promise<unknown> {
  return Promise.race([new Promise(requestAnimationFrame), new Promise(done => setTimeout(done, 50))])
}

type Loaded = { doc: Document; index: number }
