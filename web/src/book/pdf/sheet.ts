/** A page on the screen: between its points (as in the file) and the pixels of the window. */

import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Box } from './geometry'

/** What is used of a page view of pdf.js. */
export type Sheet = {
  id: number // of the page, from 1
  div: HTMLDivElement
  viewport: PageViewport
  pdfPage: unknown
  setPdfPage(page: unknown): void
  /** Three corners of each picture as shares of the page; null until the page is drawn. */
  imageCoordinates: ArrayLike<number> | null
}
export type Area = { left: number; top: number; right: number; bottom: number }

/** Return where a box of a page lies within its sheet, as shares of the sheet from its top left corner. */
export function share(sheet: Sheet, [x0, y0, x1, y1]: Box): Area {
  const { viewport } = sheet
  const [ax, ay] = viewport.convertToViewportPoint(x0, y0) as [number, number]
  const [bx, by] = viewport.convertToViewportPoint(x1, y1) as [number, number]
  return {
    left: Math.min(ax, bx) / viewport.width,
    top: Math.min(ay, by) / viewport.height,
    right: Math.max(ax, bx) / viewport.width,
    bottom: Math.max(ay, by) / viewport.height,
  }
}

/** Return where a box of a page lies in the window. */
export function inWindow(sheet: Sheet, box: Box, frame = sheet.div.getBoundingClientRect()): Area {
  const part = share(sheet, box)
  return {
    left: frame.left + part.left * frame.width,
    top: frame.top + part.top * frame.height,
    right: frame.left + part.right * frame.width,
    bottom: frame.top + part.bottom * frame.height,
  }
}

/** Return the box of a page that lies under an area of the window. */
export function onPage(sheet: Sheet, area: Area): Box {
  const frame = sheet.div.getBoundingClientRect()
  const { viewport } = sheet
  const point = (x: number, y: number) =>
    viewport.convertToPdfPoint(
      ((x - frame.left) / frame.width) * viewport.width,
      ((y - frame.top) / frame.height) * viewport.height,
    ) as [number, number]
  const [ax, ay] = point(area.left, area.top)
  const [bx, by] = point(area.right, area.bottom)
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)]
}
