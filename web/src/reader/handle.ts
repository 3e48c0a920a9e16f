/** What the panels beside a document (notes, chat, map) know of the reader, and what they may ask of it. */

import type { Rect } from '../api/types'
import type { Place, Selected, Span } from '../book/viewer'

export type Going = { mark?: boolean; rects?: Rect[] | null }
export type ReaderHandle = {
  /** The id of the document. */
  document: string
  title: string
  /** What is on the screen; null until the first page is there. */
  place: Place | null
  selected: Selected | null
  /** Show a place; the one read before stays at hand under "back to where I was". */
  goTo(span: Span, going?: Going): void
}
