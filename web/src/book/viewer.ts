/**
 * What a view of a document can do, whatever its format. Nothing here knows the server: a `Source` brings what is
 * needed. Positions are code points of the canonical text, as everywhere.
 */

import type { Color, Rect } from '../api/types'
import type { Reading } from '../preferences'

export type Span = { start: number; end: number }
export type Highlight = { id: string; span: Span; color: Color; rects: Rect[] | null; label: string }
/** What is on the screen: `start` is the first character seen, `end` the one after the last. */
export type Place = { start: number; end: number; fraction: number; page: number | null; atEnd: boolean }
/** What is selected, and where it stands in the window (CSS pixels). */
export type Selected = { span: Span; text: string; box: DOMRect }
export type Appearance = Reading & { theme: 'light' | 'sepia' | 'dark' }
/** A note (foot, end) as plain text, paragraphs parted by empty lines; `span` is where it stands, if that is known. */
export type Footnote = { text: string; span: Span | null }

export type Events = {
  /** The view moved; `turned` says whether a page was turned, where the viewer knows. */
  relocate(place: Place, turned?: boolean): void
  select(selected: Selected | null): void
  /** A highlight was clicked. */
  highlight(id: string, box: DOMRect): void
  /** A note (foot, end) was opened in place. */
  footnote(note: Footnote, box: DOMRect): void
  /** A link inside the document is about to be followed: what is on the screen now is left. */
  leave(): void
  /** A link out of the document. */
  external(href: string): void
  /** Something inside the document was touched: menus of the page close, bars come and go. */
  tap(zone: 'start' | 'middle' | 'end'): void
  /** A key was pressed while the document had the focus. */
  key(event: KeyboardEvent): void
  /** What a hand asked for inside the document cannot be shown. */
  failed(error: unknown): void
}

export interface Viewer {
  /** Show a place. `mark` draws the words of the span as cited until the next call. */
  goTo(target: Span, options?: { mark?: boolean; rects?: Rect[] | null }): Promise<void>
  next(): Promise<void>
  previous(): Promise<void>
  setHighlights(highlights: readonly Highlight[]): void
  setAppearance(appearance: Appearance): void
  /** The words that are marked as cited now, as they stand in the document; empty when none are. */
  marked(): string
  /** Forget what is selected. */
  deselect(): void
  /** How large pages are shown; only where they have a size of their own. */
  zoom?: Zoom
  /** Move a few lines; only where the document scrolls. */
  line?(forward: boolean): Promise<void>
  /** Whether reading on goes to the left. */
  readonly leftwards?: boolean
  focus(): void
  destroy(): void
}
/** `page-width`, `page-fit`, or a factor such as `1.25`; `set` also takes `in` and `out`. */
export type Zoom = {
  readonly level: string
  /** Pixels of the screen for a point at 96 dpi: 1 is the size on paper. */
  readonly factor: number
  set(level: string): void
}
/** A document that cannot be shown, and what to do about it. */
export class Unreadable extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'Unreadable'
    this.hint = hint
  }
}

/** Where the blocks of one part stand: see `locator/places.ts`. */
export type PlacedBlock = {
  start: number
  end: number
  kind: string
  steps: string
  runs: [start: number, steps: string, offset: number][]
}
export type ReflowablePart = { number: number; href: string; start: number | null; end: number | null }
export type Reflowable = {
  kind: 'reflowable'
  language: string | null
  characters: number
  parts: ReflowablePart[]
  /** The address of a part as XHTML; links inside lead on from it. */
  partUrl(number: number): string
  places(number: number): Promise<PlacedBlock[]>
}
/**
 * One line of a page: its characters `[start, end)`, its box, the edges of its characters along `axis`. `text` is its
 * characters and what joins them to the next line (a space, a break).
 */
export type PlacedLine = Span & {
  text: string
  box: [number, number, number, number]
  edges: number[]
  axis: 'x' | 'y'
}
export type Paged = {
  kind: 'paged'
  characters: number
  fileUrl: string
  /** For each page from 1: what of the canonical text begins on it. */
  pages: (Span & { label: string | null })[]
  lines(page: number): Promise<PlacedLine[]>
}
export type Source = Reflowable | Paged

/** Open a document in `host`; the code for its kind is loaded now. */
export async function openViewer(
  host: HTMLElement,
  source: Source,
  events: Events,
  start: { at: number; appearance: Appearance },
): Promise<Viewer> {
  if (source.kind === 'paged') return (await import('./pdf')).openPdf(host, source, events, start)
  return (await import('./reflowable')).openReflowable(host, source, events, start)
}
