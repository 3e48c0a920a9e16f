/** What a hand does inside of a part: select, tap, press keys, turn the wheel. The frame runs no script of its own. */

import type { Section } from './section'

export type Hands = {
  /** The selection changed, and the hand is off it. */
  selected(range: Range | null): void
  clicked(event: MouseEvent): void
  key(event: KeyboardEvent): void
  /** The wheel was turned by a whole step. */
  wheel(forward: boolean): void
  touched(): void
}
const SETTLED = 120 // ms without a change until a selection made by keys is taken for made
const STEP = 60 // pixels of wheel
const REST = 220 // ms between two steps

/** Listen to a section until its document goes. */
export function listen({ doc }: Section, hands: Hands): void {
  let down = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    const selection = doc.getSelection()
    const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null
    hands.selected(range)
  }
  const later = () => {
    clearTimeout(timer)
    if (!down) timer = setTimeout(tell, SETTLED)
  }
  doc.addEventListener('pointerdown', () => {
    down = true
  })
  for (const name of ['pointerup', 'pointercancel'] as const)
    doc.addEventListener(name, () => {
      down = false
      later()
    })
  doc.addEventListener('selectionchange', later)
  doc.addEventListener('click', event => hands.clicked(event))
  doc.addEventListener('keydown', event => hands.key(event))
  doc.addEventListener('touchstart', () => hands.touched(), { passive: true })
  const wheel = wheelSteps(hands.wheel)
  doc.addEventListener('wheel', wheel, { passive: true })
}

/** Return a listener that adds up the turns of a wheel into steps. */
export function wheelSteps(step: (forward: boolean) => void): (event: WheelEvent) => void {
  let sum = 0
  let last = 0
  return event => {
    if (event.ctrlKey) return // the browser's zoom
    if (event.timeStamp - last < REST) return
    const delta = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY
    sum = Math.sign(sum) === Math.sign(delta) ? sum + delta : delta
    if (Math.abs(sum) < STEP) return
    last = event.timeStamp
    step(sum > 0)
    sum = 0
  }
}
