/** What is drawn over the pages: highlights, and the words that are cited. */

import type { Rect } from '../../api/types'
import type { Highlight, PlacedLine, Span } from '../viewer'
import { type Box, boxesOf, covered, merged, textOf } from './geometry'
import { onPage, type Sheet, share } from './sheet'

type Mark = { span: Span; rects: readonly Rect[] | null; id: string | null; color: string }

export class Marks {
  #highlights: Mark[] = []
  #cited: Mark | null = null
  readonly #sheets: () => Iterable<Sheet>
  readonly #lines: (page: number) => Promise<readonly PlacedLine[]>
  readonly #turns = new Map<number, number>()
  /** Lines of pages that were drawn on, to read back what is marked. */
  readonly #known = new Map<number, readonly PlacedLine[]>()

  constructor(sheets: () => Iterable<Sheet>, lines: (page: number) => Promise<readonly PlacedLine[]>) {
    this.#sheets = sheets
    this.#lines = lines
  }

  setHighlights(highlights: readonly Highlight[]): void {
    this.#highlights = highlights.map(h => ({ span: h.span, rects: h.rects, id: h.id, color: h.color }))
    void this.drawAll()
  }

  /** Mark words as cited, and nothing else; resolves when it is drawn. */
  async cite(cited: { span: Span; rects: readonly Rect[] | null } | null): Promise<void> {
    if (!cited && !this.#cited) return
    this.#cited = cited && { ...cited, id: null, color: 'cited' }
    await this.drawAll()
  }

  async drawAll(): Promise<void> {
    await Promise.all(Array.from(this.#sheets(), sheet => this.draw(sheet)))
  }

  /** Draw what stands on a page; only one that shows something needs its lines. */
  async draw(sheet: Sheet): Promise<void> {
    const marks = this.#cited ? [...this.#highlights, this.#cited] : this.#highlights
    const turn = (this.#turns.get(sheet.id) ?? 0) + 1
    this.#turns.set(sheet.id, turn)
    const lines = marks.some(m => !m.rects || m === this.#cited) ? await this.#lines(sheet.id) : []
    if (this.#turns.get(sheet.id) !== turn) return // drawn again meanwhile
    if (lines.length) this.#known.set(sheet.id, lines)
    const drawn = marks.flatMap(mark => boxesOn(mark, sheet.id, lines).map(box => drawing(sheet, mark, box)))
    const layer = sheet.div.querySelector(':scope > .marks')
    if (!drawn.length) return layer?.remove()
    const fresh = document.createElement('div')
    fresh.className = 'marks'
    fresh.ariaHidden = 'true'
    fresh.append(...drawn)
    if (layer) layer.replaceWith(fresh)
    else sheet.div.append(fresh)
  }

  /** Return the highlight at a point of the window, and where it is drawn there. */
  at(x: number, y: number): { id: string; box: DOMRect } | null {
    for (const sheet of this.#sheets())
      for (const element of sheet.div.querySelectorAll<HTMLElement>(':scope > .marks > [data-id]')) {
        const box = element.getBoundingClientRect()
        const inside = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
        if (inside) return { id: element.dataset.id ?? '', box }
      }
    return null
  }

  /** Return the words under what is drawn as cited now: read from the page, not from what was asked for. */
  cited(): string {
    const spans: Span[] = []
    for (const sheet of this.#sheets()) {
      const drawn = sheet.div.querySelectorAll(':scope > .marks > [data-color="cited"]')
      const boxes = Array.from(drawn, element => onPage(sheet, element.getBoundingClientRect()))
      spans.push(...covered(this.#known.get(sheet.id) ?? [], boxes))
    }
    return textOf([...this.#known.values()].flat(), merged(spans))
  }
}

function boxesOn(mark: Mark, page: number, lines: readonly PlacedLine[]): Box[] {
  if (mark.rects) return mark.rects.filter(r => r.page === page).map(r => r.box)
  return boxesOf(lines, mark.span)
}

function drawing(sheet: Sheet, mark: Mark, box: Box): HTMLElement {
  const element = document.createElement('div')
  const part = share(sheet, box)
  const percent = (value: number) => `${(value * 100).toFixed(4)}%`
  element.style.left = percent(part.left)
  element.style.top = percent(part.top)
  element.style.width = percent(part.right - part.left)
  element.style.height = percent(part.bottom - part.top)
  element.dataset.color = mark.color
  if (mark.id !== null) element.dataset.id = mark.id
  return element
}
