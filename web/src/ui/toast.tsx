/** Short notices at the bottom, read out politely; errors stay until they are closed. */

import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Problem } from '../api/client'
import { translate, useText } from '../i18n'
import { IconButton } from './button'

type Notice = { id: number; text: string; bad: boolean; action?: { label: string; run(): void } }
let notices: Notice[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function dismiss(id: number): void {
  set(notices.filter(n => n.id !== id))
}

export function notify(text: string, action?: Notice['action']): void {
  const notice: Notice = { id: ++last, text, bad: false, ...(action ? { action } : {}) }
  set([...notices.slice(-3), notice])
  setTimeout(() => dismiss(notice.id), action ? 8_000 : 4_000)
}

export function notifyError(error: unknown): void {
  const text = error instanceof Error ? error.message : translate('common.failed')
  const hint = error instanceof Problem && error.hint ? ` (${error.hint})` : ''
  set([...notices.slice(-3), { id: ++last, text: text + hint, bad: true }])
}

export function Notices() {
  const t = useText()
  const shown = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notices,
  )
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-60 grid justify-items-center gap-2 px-4 sm:bottom-4"
    >
      {shown.map(n => (
        <div
          key={n.id}
          className={`pointer-events-auto flex max-w-xl items-center gap-2 rounded-lg border bg-surface py-1 pl-4 pr-1 text-sm shadow-(--shadow) ${n.bad ? 'border-bad' : 'border-line'}`}
        >
          <span className={n.bad ? 'text-bad' : ''}>{n.text}</span>
          {n.action && (
            <button
              type="button"
              className="min-h-9 rounded-md px-2 font-medium text-accent"
              onClick={() => {
                n.action?.run()
                dismiss(n.id)
              }}
            >
              {n.action.label}
            </button>
          )}
          <IconButton label={t('common.close')} onClick={() => dismiss(n.id)}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  )
}
