/** Keys, wheel and fingers over the pages. */

export type Moves = {
  paged(): boolean
  next(): void
  previous(): void
  first(): void
  last(): void
  zoom(level: 'in' | 'out' | 'page-width'): void
  scale(factor: number, origin: [number, number]): void
}

const ZOOMS: Record<string, 'in' | 'out' | 'page-width'> = { '+': 'in', '=': 'in', '-': 'out', '0': 'page-width' }
const SWIPE = 60 // pixels
const TURN = 120 // pixels of wheel past the edge of a page that turn it
const REST = 350 // milliseconds between two turns by one movement of the wheel

/** Listen until the signal aborts. */
export function listen(container: HTMLElement, moves: Moves, signal: AbortSignal): void {
  container.addEventListener('keydown', event => pressed(event, container, moves), { signal })
  container.addEventListener('wheel', wheeling(container, moves), { signal, passive: false })
  let begun: Touch | null = null
  container.addEventListener(
    'touchstart',
    event => {
      begun = event.touches.length === 1 ? (event.touches[0] ?? null) : null
    },
    { signal, passive: true },
  )
  container.addEventListener(
    'touchend',
    event => {
      const ended = event.changedTouches[0]
      if (begun && ended) swiped(ended.clientX - begun.clientX, ended.clientY - begun.clientY, container, moves)
      begun = null
    },
    { signal, passive: true },
  )
}

function pressed(event: KeyboardEvent, container: HTMLElement, moves: Moves): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const zoom = ZOOMS[event.key]
  const act = zoom ? () => moves.zoom(zoom) : turning(event, container, moves)
  if (act) {
    act()
    event.preventDefault()
  }
  // the others that move a scrolled box (arrows, PgUp, PgDn, Home, End) do it by themselves
  if (act || SCROLLING.has(event.key)) event.stopPropagation()
}

const SCROLLING = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '])

/** Return what a key does where the box does not scroll by itself. */
function turning(event: KeyboardEvent, container: HTMLElement, moves: Moves): (() => void) | null {
  const wide = container.scrollWidth > container.clientWidth + 1
  const forwards = event.key === 'PageDown' || (event.key === ' ' && !event.shiftKey)
  const backwards = event.key === 'PageUp' || (event.key === ' ' && event.shiftKey)
  if (event.key === 'ArrowRight' && !wide) return moves.next
  if (event.key === 'ArrowLeft' && !wide) return moves.previous
  if (!moves.paged()) return null
  if (event.key === 'Home') return moves.first
  if (event.key === 'End') return moves.last
  return forwards ? moves.next : backwards ? moves.previous : null
}

function wheeling(container: HTMLElement, moves: Moves): (event: WheelEvent) => void {
  let past = 0
  let turned = 0
  return event => {
    if (event.ctrlKey) {
      event.preventDefault()
      moves.scale(Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 100), [event.clientX, event.clientY])
      return
    }
    if (!moves.paged() || event.timeStamp - turned < REST) return
    const below = container.scrollHeight - container.clientHeight - container.scrollTop
    const atEdge = event.deltaY > 0 ? below <= 1 : container.scrollTop <= 1
    past = atEdge && Math.sign(past) * Math.sign(event.deltaY) >= 0 ? past + event.deltaY : 0
    if (Math.abs(past) < TURN) return
    turned = event.timeStamp
    if (past > 0) moves.next()
    else moves.previous()
    past = 0
  }
}

function swiped(dx: number, dy: number, container: HTMLElement, moves: Moves): void {
  const selecting = !(getSelection()?.isCollapsed ?? true)
  const wide = container.scrollWidth > container.clientWidth + 1
  if (!moves.paged() || wide || selecting || Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy)) return
  if (dx < 0) moves.next()
  else moves.previous()
}
