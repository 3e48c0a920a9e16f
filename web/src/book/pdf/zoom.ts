/** How large pages are, and the size that a person chose, kept in this browser. */

import type { Zoom } from '../viewer'
import type { Stage } from './stage'

const KEPT = 'glossator.pdf-zoom'

/** Return the size of the pages as a view offers it; `set` is what changes it. */
export function zoomOf(stage: Stage, set: (level: string) => void): Zoom {
  return {
    get level() {
      return stage.viewer.currentScaleValue
    },
    get factor() {
      return stage.viewer.currentScale
    },
    set,
  }
}

/** Return the size that was chosen last in this browser, null when none was. */
export function keptLevel(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null // shut off: as on the first day
  }
}

export function keepLevel(level: string): void {
  try {
    localStorage.setItem(KEPT, level)
  } catch (error) {
    console.warn('the size of pages is kept for this page only', error)
  }
}
