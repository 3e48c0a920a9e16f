/** The view of a PDF: pages of pdf.js, with positions, marks and movements of our own. */

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type * as Parts from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import type { Appearance, Events, Highlight, Paged, PlacedLine, Span, Viewer, Zoom } from '../viewer'
import { textOf } from './geometry'
import { listen } from './gestures'
import { Marks } from './marks'
import { patchPictures } from './pictures'
import { placeOf } from './place'
import { spanOf } from './selection'
import type { Sheet } from './sheet'
import { pageAt, type Spot, spotsOf } from './spots'
import { Stage } from './stage'
import { keepLevel, keptLevel, zoomOf } from './zoom'

const SETTLED = 120 // milliseconds without a movement after which the place is told
const EDGE = 2 // pixels between the upper edge and a line that is shown at the top
const CITED = 0.25 // share of the screen above a place that is shown as cited
const LATE = 5_000 // milliseconds that pages may take to come when nobody waits for them
const TOUCHES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

type Going = NonNullable<Parameters<Viewer['goTo']>[1]>

export class PdfView implements Viewer {
  readonly zoom: Zoom
  readonly #source: Paged
  readonly #events: Events
  readonly #stage: Stage
  readonly #marks: Marks
  readonly #ended = new AbortController()
  readonly #release: () => void
  readonly #known = new Map<number, Promise<readonly PlacedLine[]>>()
  /** A position that stays the place until the person scrolls; when it was shown, and where the box came to rest. */
  #pinned: { at: number; since: number; top: number | null } | null = null
  #touched = 0 // when the person last did something that may scroll
  #told = 0 // the position that was told last
  #timer = 0
  #selecting = 0
  #goings = 0

  constructor(host: HTMLElement, source: Paged, events: Events, parts: typeof Parts, release: () => void) {
    this.#source = source
    this.#events = events
    this.#release = release
    this.#stage = new Stage(host, parts)
    this.#marks = new Marks(
      () => this.#stage.live(),
      page => this.#lines(page),
    )
    this.zoom = zoomOf(this.#stage, level => this.#setLevel(level))
    this.#listen()
  }

  /** Take the file and show a position; resolves when it is on the screen. */
  async show(file: PDFDocumentProxy, start: { at: number; appearance: Appearance }): Promise<void> {
    this.#told = start.at // before anything asks where we are: the box is measured while the file opens
    await this.#stage.open(file)
    this.#stage.arrange(start.appearance)
    this.#stage.viewer.currentScaleValue = keptLevel() ?? this.#stage.usualLevel()
    await this.#showAt(start.at)
  }

  async goTo(target: Span, going: Going = {}): Promise<void> {
    const turn = ++this.#goings
    if (!going.mark) this.#told = target.start
    const rects = going.rects ?? null
    const spots = await spotsOf(this.#source, target, rects, page => this.#lines(page))
    if (turn !== this.#goings) return
    if (going.mark) await this.#reveal(spots)
    else await this.#showAt(target.start, spots[0])
    await this.#marks.cite(going.mark ? { span: target, rects } : null)
    this.#soon()
  }

  async next(): Promise<void> {
    this.#touch()
    this.#stage.turn(1)
  }

  async previous(): Promise<void> {
    this.#touch()
    this.#stage.turn(-1)
  }

  setHighlights(highlights: readonly Highlight[]): void {
    this.#marks.setHighlights(highlights)
  }

  setAppearance(appearance: Appearance): void {
    const at = this.#here()
    if (!this.#stage.arrange(appearance)) return
    this.#stage.viewer.currentScaleValue = keptLevel() ?? this.#stage.usualLevel()
    void this.#showAt(at)
  }

  marked(): string {
    return this.#marks.cited()
  }

  deselect(): void {
    getSelection()?.removeAllRanges()
  }

  focus(): void {
    this.#stage.container.focus({ preventScroll: true })
  }

  destroy(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#selecting)
    this.#ended.abort()
    const loaded = this.#stage.viewer.pagesPromise
    this.#stage.close()
    // pages that are under way come to an end first: pdf.js reports each that does not
    const late = new Promise(done => setTimeout(done, LATE))
    void Promise.race([loaded, late]).then(this.#release, this.#release)
  }

  // -- where we are

  #here(): number {
    return this.#pinned?.at ?? this.#told
  }

  /** Show a position at the upper edge, and hold it there until the person scrolls. */
  async #showAt(at: number, found?: Spot): Promise<void> {
    const [spot] = found ? [found] : await spotsOf(this.#source, { start: at, end: at + 1 }, null, p => this.#lines(p))
    const page = spot?.page ?? pageAt(this.#source, at)
    const sheet = await this.#stage.measured(page)
    if (!sheet) return
    const first = Math.min(...(await this.#lines(page)).map(line => line.start))
    this.#stage.bring(sheet, at <= first ? null : (spot?.box ?? null), EDGE)
    this.#pinned = { at, since: performance.now(), top: null }
    this.#soon()
  }

  /** Show a cited place; when all of it is on the screen already, nothing moves. */
  async #reveal(spots: readonly Spot[]): Promise<void> {
    const [first] = spots
    const sheet = first && (await this.#stage.measured(first.page))
    if (!sheet) return
    const here = spots.filter(s => s.page === first.page)
    if (first.box && here.every(s => s.box && this.#stage.shows(sheet, s.box))) return
    this.#pinned = null
    this.#stage.bring(sheet, first.box, this.#stage.container.clientHeight * CITED)
  }

  /** Tell the place when nothing has moved for a moment. */
  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#tell(), SETTLED)
  }

  async #tell(): Promise<void> {
    const { container } = this.#stage
    const screen = container.getBoundingClientRect()
    const lines = (page: number) => this.#lines(page)
    const place = await placeOf(this.#stage.onScreen(), screen, this.#source, lines, this.#stage.atEnd())
    if (!place || this.#ended.signal.aborted) return
    if (this.#pinned) this.#pinned.top ??= container.scrollTop
    this.#told = this.#pinned?.at ?? place.start
    this.#events.relocate({ ...place, start: this.#told })
  }

  #lines(page: number): Promise<readonly PlacedLine[]> {
    let lines = this.#known.get(page)
    if (!lines) {
      lines = this.#source.lines(page).catch((error: unknown) => {
        this.#known.delete(page) // asked again the next time
        console.warn(`the lines of page ${page} did not come`, error)
        return []
      })
      this.#known.set(page, lines)
    }
    return lines
  }

  #setLevel(level: string): void {
    const { viewer } = this.#stage
    const at = this.#here()
    if (level === 'in') viewer.increaseScale()
    else if (level === 'out') viewer.decreaseScale()
    else viewer.currentScaleValue = level
    keepLevel(viewer.currentScaleValue)
    void this.#showAt(at)
  }

  // -- what happens in the box

  #listen(): void {
    const { container, bus, viewer } = this.#stage
    const { signal } = this.#ended
    const redraw = ({ pageNumber }: { pageNumber: number }) => this.#redraw(this.#stage.sheet(pageNumber))
    bus.on('pagerendered', redraw, { signal })
    bus.on('scalechanging', () => queueMicrotask(() => void this.#marks.drawAll()), { signal })
    bus.on('pagesloaded', () => void (this.#pinned && this.#showAt(this.#pinned.at)), { signal })
    bus.on('pagechanging', () => this.#scrolled(), { signal }) // a page that fits is turned without scrolling
    container.addEventListener('scroll', () => this.#scrolled(), { signal, passive: true })
    for (const name of TOUCHES)
      container.addEventListener(name, () => this.#touch(), { signal, passive: true, capture: true })
    container.addEventListener('click', event => this.#clicked(event), { signal, capture: true })
    document.addEventListener('selectionchange', () => this.#selected(), { signal })
    const sizes = new ResizeObserver(() => this.#resized())
    sizes.observe(container)
    signal.addEventListener('abort', () => sizes.disconnect())
    listen(
      container,
      {
        paged: () => this.#stage.paged,
        next: () => this.#stage.turn(1),
        previous: () => this.#stage.turn(-1),
        first: () => this.#toPage(1),
        last: () => this.#toPage(viewer.pagesCount),
        zoom: level => this.zoom.set(level),
        scale: (scaleFactor, origin) => viewer.updateScale({ scaleFactor, origin, drawingDelay: 300 }),
      },
      signal,
    )
  }

  #redraw(sheet: Sheet | null): void {
    if (!sheet) return
    patchPictures(sheet)
    void this.#marks.draw(sheet)
  }

  #toPage(page: number): void {
    const sheet = this.#stage.sheet(page)
    if (sheet) this.#stage.bring(sheet, null, EDGE)
  }

  #touch(): void {
    this.#touched = performance.now()
  }

  #scrolled(): void {
    const { container } = this.#stage
    const { since, top } = this.#pinned ?? { since: 0, top: null }
    const far = top !== null && Math.abs(container.scrollTop - top) > container.clientHeight / 2
    if (this.#touched > since || far) this.#pinned = null
    this.#soon()
  }

  #resized(): void {
    const { container, viewer } = this.#stage
    const at = this.#here()
    if (!container.clientWidth || !viewer.pagesCount) return
    const level = viewer.currentScaleValue
    if (Number.isNaN(Number(level))) viewer.currentScaleValue = level
    void this.#showAt(at)
  }

  #clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null
    const link = target?.closest<HTMLAnchorElement>('a[href]')
    if (link) {
      if (link.getAttribute('href')?.startsWith('#')) return // inside the document: pdf.js goes there
      event.preventDefault()
      event.stopPropagation()
      this.#events.external(link.href)
      return
    }
    if (!(getSelection()?.isCollapsed ?? true)) return
    const found = this.#marks.at(event.clientX, event.clientY)
    if (found) this.#events.highlight(found.id, found.box)
    else this.#events.tap(this.#zone(event))
  }

  /** A finger at the side of a page turns it; a mouse has a wheel. */
  #zone(event: MouseEvent): 'start' | 'middle' | 'end' {
    const box = this.#stage.container.getBoundingClientRect()
    const along = (event.clientX - box.left) / box.width
    if (!this.#stage.paged || !(event instanceof PointerEvent) || event.pointerType !== 'touch') return 'middle'
    return along < 0.25 ? 'start' : along > 0.75 ? 'end' : 'middle'
  }

  #selected(): void {
    clearTimeout(this.#selecting)
    this.#selecting = window.setTimeout(() => void this.#tellSelected(), 200)
  }

  async #tellSelected(): Promise<void> {
    const selection = getSelection()
    const range = selection?.rangeCount ? selection.getRangeAt(0) : null
    if (!range || !this.#stage.container.contains(range.commonAncestorContainer)) return
    if (range.collapsed) return this.#events.select(null)
    const span = await spanOf(range, {
      sheetOf: node => this.#stage.sheetOf(node),
      lines: page => this.#lines(page),
    })
    if (!span) return this.#events.select(null)
    const known = (await Promise.all(this.#known.values())).flat()
    const text = textOf(known, [span]) || range.toString()
    this.#events.select({ span, text, box: range.getBoundingClientRect() })
  }
}
