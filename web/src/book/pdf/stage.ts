/** The scrolled box with the pages of pdf.js in it: which are on the screen, how large they are, what is at the top. */

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type * as Parts from 'pdfjs-dist/legacy/web/pdf_viewer.mjs'
import { translate } from '../../i18n'
import type { Appearance } from '../viewer'
import type { Box } from './geometry'
import { inWindow, type Sheet } from './sheet'

const NEVER = 1_000_000 // pixels: no picture is copied for the context menu, but where they stand is recorded
const SHOWN = 1 // of annotations: they are shown, not filled in
const VERTICAL = 0
const PAGE = 3 // modes of scrolling
const MARGIN = 24 // pixels below the last line of a page that nobody needs to see
const NARROW = 640 // pixels

export class Stage {
  readonly container: HTMLDivElement
  readonly bus: Parts.EventBus
  readonly viewer: Parts.PDFViewer
  readonly #links: Parts.PDFLinkService
  #file: PDFDocumentProxy | null = null

  constructor(host: HTMLElement, parts: typeof Parts) {
    this.container = document.createElement('div')
    this.container.className = 'pdf-view'
    this.container.tabIndex = 0
    this.container.setAttribute('role', 'region')
    this.container.setAttribute('aria-label', translate('pdf.pages'))
    const pages = document.createElement('div')
    pages.className = 'pdfViewer'
    this.container.append(pages)
    host.append(this.container)
    this.bus = new parts.EventBus()
    this.#links = new parts.PDFLinkService({ eventBus: this.bus })
    this.viewer = new parts.PDFViewer({
      container: this.container,
      viewer: pages,
      eventBus: this.bus,
      linkService: this.#links,
      removePageBorders: true,
      annotationMode: SHOWN,
      imagesRightClickMinSize: NEVER,
      enableAutoLinking: false,
    })
    this.#links.setViewer(this.viewer)
  }

  /** Take a file; resolves when its pages have a place. */
  async open(file: PDFDocumentProxy): Promise<void> {
    this.#file = file
    const ready = new Promise(done => this.bus.on('pagesinit', done))
    this.viewer.setDocument(file)
    this.#links.setDocument(file, null)
    await ready
  }

  close(): void {
    // typed as a document, but null is how it is let go
    this.viewer.setDocument(null as unknown as PDFDocumentProxy)
    this.#links.setDocument(null)
    this.container.remove()
  }

  // -- how pages are laid out

  get paged(): boolean {
    return this.viewer.scrollMode === PAGE
  }

  /** Follow how a person likes to read; return whether anything changed. */
  arrange({ flow, columns }: Appearance): boolean {
    const scroll = flow === 'paginated' ? PAGE : VERTICAL
    const spread = columns === 2 ? 1 : 0
    this.container.dataset.flow = flow
    const changed = scroll !== this.viewer.scrollMode || spread !== this.viewer.spreadMode
    if (scroll !== this.viewer.scrollMode) this.viewer.scrollMode = scroll
    if (spread !== this.viewer.spreadMode) this.viewer.spreadMode = spread
    return changed
  }

  /** Return how large pages are when nobody has chosen. */
  usualLevel(): string {
    if (this.container.clientWidth < NARROW) return 'page-width'
    return this.paged ? 'page-fit' : 'auto'
  }

  // -- sheets

  sheet(page: number): Sheet | null {
    return (this.viewer.getPageView(page - 1) as Sheet | undefined) ?? null
  }

  sheetOf(node: Node): Sheet | null {
    const element = node instanceof Element ? node : node.parentElement
    const page = element?.closest<HTMLElement>('.page')?.dataset.pageNumber
    return page ? this.sheet(Number(page)) : null
  }

  /** Return a sheet that knows the size of its page. */
  async measured(page: number): Promise<Sheet | null> {
    const sheet = this.sheet(page)
    if (sheet && !sheet.pdfPage && this.#file) {
      const loaded = await this.#file.getPage(page)
      if (!sheet.pdfPage) sheet.setPdfPage(loaded)
    }
    return sheet
  }

  /** Return the sheets that something can be seen of, in order. */
  onScreen(): Sheet[] {
    const screen = this.container.getBoundingClientRect()
    const found: Sheet[] = []
    for (let page = this.#firstBelow(screen.top); page <= this.viewer.pagesCount; page++) {
      const sheet = this.sheet(page)
      if (!sheet?.div.isConnected || sheet.div.getBoundingClientRect().top >= screen.bottom) break
      found.push(sheet)
    }
    return found
  }

  /** Return the first page that ends below a height. */
  #firstBelow(top: number): number {
    if (this.paged) {
      const before = this.sheet(this.viewer.currentPageNumber - 1)
      return this.viewer.currentPageNumber - (before?.div.isConnected ? 1 : 0)
    }
    let low = 1
    let high = this.viewer.pagesCount
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sheet(middle)?.div.getBoundingClientRect().bottom ?? 0) > top) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Return the sheets that are drawn or about to be. */
  live(): Set<Sheet> {
    return new Set([...(this.viewer.getCachedPageViews() as Set<Sheet>), ...this.onScreen()])
  }

  // -- moving

  /** Return whether all of a box is on the screen. */
  shows(sheet: Sheet, box: Box): boolean {
    const screen = this.container.getBoundingClientRect()
    const area = inWindow(sheet, box)
    return (
      sheet.div.isConnected &&
      area.top >= screen.top &&
      area.bottom <= screen.bottom &&
      area.left >= screen.left - 1 &&
      area.right <= screen.right + 1
    )
  }

  /** Scroll so that a box of a page, or the page, begins `offset` pixels below the upper edge. */
  bring(sheet: Sheet, box: Box | null, offset: number): void {
    if (this.paged && this.viewer.currentPageNumber !== sheet.id) this.viewer.currentPageNumber = sheet.id
    const screen = this.container.getBoundingClientRect()
    const area = box ? inWindow(sheet, box) : sheet.div.getBoundingClientRect()
    this.container.scrollTop += area.top - screen.top - offset
    if (box && (area.left < screen.left || area.right > screen.right))
      this.container.scrollLeft += area.left - screen.left - 24
  }

  turn(step: 1 | -1): void {
    const { container, viewer } = this
    const screenful = container.clientHeight * 0.9
    const rest = step > 0 ? container.scrollHeight - container.clientHeight - container.scrollTop : container.scrollTop
    if (!this.paged || rest > MARGIN) {
      container.scrollBy({ top: step * Math.min(screenful, rest) })
      return
    }
    if (step > 0 ? viewer.nextPage() : viewer.previousPage())
      container.scrollTop = step > 0 ? 0 : container.scrollHeight
  }

  /** Return whether nothing of the document is below the screen. */
  atEnd(): boolean {
    const { scrollHeight, clientHeight, scrollTop } = this.container
    const bottom = scrollTop + clientHeight >= scrollHeight - MARGIN
    return bottom && (!this.paged || this.onScreen().at(-1)?.id === this.viewer.pagesCount)
  }
}
