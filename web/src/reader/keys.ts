/** What a key means while a document is read. */

export type Command =
  | 'next'
  | 'previous'
  | 'line-down'
  | 'line-up'
  | 'start'
  | 'end'
  | 'find'
  | 'contents'
  | 'close'
  | 'menu'
  | 'zoom-in'
  | 'zoom-out'
  | 'zoom-reset'
type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>
const PLAIN: Record<string, Command> = {
  PageDown: 'next',
  PageUp: 'previous',
  ArrowDown: 'line-down',
  ArrowUp: 'line-up',
  Home: 'start',
  End: 'end',
  Escape: 'close',
  Enter: 'menu',
  '/': 'find',
  c: 'contents',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  '0': 'zoom-reset',
}

/** Return what a key asks for, or null: it is the browser's. `leftwards`: reading on goes to the left. */
export function commandOf(event: Pressed, leftwards: boolean): Command | null {
  const { key, shiftKey } = event
  if (event.ctrlKey || event.metaKey || event.altKey) return isFind(event) ? 'find' : null
  if (key === ' ') return shiftKey ? 'previous' : 'next'
  if (shiftKey && key !== '+') return null // selecting
  if (key === 'ArrowRight' || key === 'ArrowLeft') return (key === 'ArrowRight') === leftwards ? 'previous' : 'next'
  return PLAIN[key] ?? null
}

function isFind({ key, shiftKey, altKey }: Pressed): boolean {
  return key.toLowerCase() === 'f' && !shiftKey && !altKey
}

/** Tell whether a key belongs to the control that has the focus. */
export function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null
  if (!target || event.defaultPrevented) return event.defaultPrevented
  if (target.closest('input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=slider]'))
    return true
  return (event.key === ' ' || event.key === 'Enter') && target.closest('button, a, [role=button], [role=tab]') !== null
}
