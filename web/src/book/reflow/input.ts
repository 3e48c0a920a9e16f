/** What a hand does inside of a part: select, tap, press keys, turn the wheel. The frame runs no script of its own. */

import type { Section } from './section'

export type Hands = {
  /** The selection changed, and the hand is off it. */
  selected(range: Range | null): void
  clicked(event: MouseEvent): void
  key(event: KeyboardEvent): void
  /** The wheel was turned by a whole step. */
  wheel(forward: boolean): void
  /** A finger began to move over a page. */
  swiped(): void
  /** Whether a finger moves pages, not the text. */
  paged(): boolean
}
const SETTLED = 120 // ms without a change until a selection made by keys is taken for made
const STILL = 10 // pixels that a finger may move in a tap
const STEP = 60 // pixels of wheel
const REST = 220 // ms between two steps

/** Listen to a section until its document goes. */
export function listen({ doc, view }: Section, hands: Hands): void {
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
  listenToFingers(view, hands)
  const wheel = wheelSteps(hands.wheel)
  doc.addEventListener('wheel', wheel, { passive: true })
}

/** Keep taps from the paginator, which would move the page back to where it is while the tap turns it. */
export function listenToFingers(target: EventTarget, hands: Pick<Hands, 'swiped' | 'paged'>): void {
  let from: Touch | null = null
  const on = (name: string, listener: (event: TouchEvent) => void) =>
    target.addEventListener(name, event => listener(event as TouchEvent), { capture: true, passive: false })
  on('touchstart', event => {
    from = event.touches.length === 1 ? (event.touches[0] ?? null) : null
  })
  on('touchmove', event => {
    const at = event.touches[0]
    if (!from || !at) return
    if (Math.hypot(at.screenX - from.screenX, at.screenY - from.screenY) > STILL) {
      from = null
      hands.swiped()
      return
    }
    event.stopPropagation()
    if (hands.paged() && event.cancelable) event.preventDefault()
  })
  on('touchend', event => {
    if (from) event.stopPropagation()
    from = null
  })
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
