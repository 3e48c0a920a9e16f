/** A map as a file: the whole of it, whatever the screen shows. */

import { translate } from '../i18n'
import { FONT, FONT_SIZE, type Measure, svg } from './drawing'
import { markdown, type Placed } from './tree'

export type Format = 'svg' | 'png' | 'markdown'
const SHARP = 2 // pixels of the picture per pixel of the map
const LONGEST = 16_384 // what browsers draw at most, per side
const LARGEST = 120_000_000 // and in all

/** Hand the map to the person as a file; rejects when it does not fit into a picture. */
export async function save(tree: Placed, format: Format): Promise<void> {
  if (format === 'markdown') return hand(new Blob([markdown(tree)], { type: 'text/markdown' }), tree.title, 'md')
  const picture = new Blob([svg(tree, measure())], { type: 'image/svg+xml' })
  if (format === 'svg') return hand(picture, tree.title, 'svg')
  hand(await painted(picture), tree.title, 'png')
}

function measure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return text => text.length * FONT_SIZE
  context.font = `600 ${FONT_SIZE}px ${FONT}`
  return text => context.measureText(text).width
}

async function painted(picture: Blob): Promise<Blob> {
  const address = URL.createObjectURL(picture)
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    const scale = Math.min(SHARP, LONGEST / Math.max(width, height), Math.sqrt(LARGEST / (width * height)))
    if (scale < 1) throw new Error(translate('map.tooLarge'))
    const canvas = document.createElement('canvas')
    canvas.width = Math.floor(width * scale)
    canvas.height = Math.floor(height * scale)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
    if (!blob) throw new Error(translate('map.tooLarge'))
    return blob
  } finally {
    URL.revokeObjectURL(address)
  }
}

function hand(file: Blob, title: string, ending: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${
    title
      .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'map'
  }.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
