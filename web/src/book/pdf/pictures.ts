/** In the dark a page is inverted; its pictures are turned back, unless they are the page itself (a scan). */

import type { Sheet } from './sheet'

const SCAN = 0.5 // share of the page from which pictures are taken for the page itself
const SMALL = 0.02 // of the page's width or height: rules and bullets, which may be inverted

/** Lay a patch over each picture of a drawn page; the style sheet makes it turn the colours back. */
export function patchPictures(sheet: Sheet): void {
  sheet.div.querySelector(':scope > .pictures')?.remove()
  const patches = areas(sheet.imageCoordinates ?? [])
  const total = patches.reduce((sum, [left, top, right, bottom]) => sum + (right - left) * (bottom - top), 0)
  if (!patches.length || total > SCAN) return
  const layer = document.createElement('div')
  layer.className = 'pictures'
  layer.ariaHidden = 'true'
  for (const [left, top, right, bottom] of patches) {
    const patch = document.createElement('div')
    patch.style.left = `${left * 100}%`
    patch.style.top = `${top * 100}%`
    patch.style.width = `${(right - left) * 100}%`
    patch.style.height = `${(bottom - top) * 100}%`
    layer.append(patch)
  }
  sheet.div.querySelector(':scope > .canvasWrapper')?.after(layer)
}

function areas(corners: ArrayLike<number>): [left: number, top: number, right: number, bottom: number][] {
  const found: [number, number, number, number][] = []
  for (let i = 0; i + 5 < corners.length; i += 6) {
    const x = [0, 2, 4].map(n => corners[i + n] ?? 0)
    const y = [1, 3, 5].map(n => corners[i + n] ?? 0)
    const [left, right] = [Math.max(0, Math.min(...x)), Math.min(1, Math.max(...x))]
    const [top, bottom] = [Math.max(0, Math.min(...y)), Math.min(1, Math.max(...y))]
    if (right - left > SMALL && bottom - top > SMALL) found.push([left, top, right, bottom])
  }
  return found
}
