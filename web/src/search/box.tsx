import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'

const WAIT = 350 // ms without a key before a search begins by itself

/**
 * Where one types. The text goes to the address a moment after the last key (`live`) or with Enter; `onEnter` also
 * hears Enter alone, and `onDown` the arrow that leads into the results.
 */
export function Box({
  label,
  placeholder,
  hint,
  action,
  text,
  lines,
  live,
  testId,
  onText,
  onEnter,
  onDown,
}: {
  label: string
  placeholder: string
  hint: string
  action: string
  text: string
  /** Lines that are seen; one makes it a line of search. */
  lines: number
  live: boolean
  testId: string
  onText(text: string): void
  onEnter?(text: string): void
  onDown?(): void
}) {
  const t = useText()
  const id = useId()
  const [draft, setDraft] = useDraft(text, live, onText)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the view opens
  useEffect(() => {
    if (!text && matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [])
  const enter = () => {
    if (draft.trim() !== text) onText(draft.trim())
    onEnter?.(draft.trim())
  }
  const shared = {
    ref: field,
    id,
    value: draft,
    placeholder,
    'aria-describedby': `${id}-hint`,
    'data-testid': testId,
    onChange: (event: { target: { value: string } }) => setDraft(event.target.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'ArrowDown' && onDown && (lines === 1 || !draft)) {
        event.preventDefault()
        onDown()
      }
      if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault()
        enter()
      }
    },
    className: 'min-h-12 w-full resize-none bg-transparent px-4 py-3 outline-none placeholder:text-muted',
  }
  return (
    <form
      role="search"
      onSubmit={event => {
        event.preventDefault()
        enter()
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <div className="flex items-center gap-1 rounded-xl border border-edge bg-surface pr-1 focus-within:outline-2 focus-within:outline-focus">
        {lines === 1 ? (
          <input {...shared} type="text" inputMode="search" enterKeyHint="search" autoComplete="off" />
        ) : (
          <textarea {...shared} rows={lines} className={`${shared.className} field-sizing-content max-h-48`} />
        )}
        {draft && (
          <IconButton
            label={t('search.clear')}
            onClick={() => {
              setDraft('')
              onText('')
              field.current?.focus()
            }}
          >
            <X size={18} aria-hidden />
          </IconButton>
        )}
        <Button kind="quiet" type="submit" className="min-h-10 shrink-0 text-accent">
          {action}
        </Button>
      </div>
      <p id={`${id}-hint`} className="px-1 pt-2 text-sm text-muted">
        {hint}
      </p>
    </form>
  )
}

/** What is typed; sent a moment after the last key, and replaced when the address says something else. */
function useDraft(text: string, live: boolean, send: (text: string) => void): [string, (draft: string) => void] {
  const [draft, setDraft] = useState(text)
  const known = useRef(text)
  const sending = useRef(send)
  sending.current = send
  useEffect(() => {
    if (text !== known.current) setDraft(text)
    known.current = text
  }, [text])
  useEffect(() => {
    if (!live || draft.trim() === known.current) return
    const timer = setTimeout(() => {
      known.current = draft.trim()
      sending.current(draft.trim())
    }, WAIT)
    return () => clearTimeout(timer)
  }, [draft, live])
  return [draft, setDraft]
}
