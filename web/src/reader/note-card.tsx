import { StickyNote, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Note } from '../api/types'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { Colors } from './colors'
import { Floating } from './floating'
import type { NoteChange } from './use-notes'

/** The note of a highlight, opened where it stands: written, coloured, removed. What is written is kept at closing. */
export function NoteCard({
  note,
  box,
  onChange,
  onRemove,
  onAll,
  onClose,
}: {
  note: Note
  box: DOMRect
  onChange(change: NoteChange): void
  onRemove(): void
  /** Show it among all notes. */
  onAll(): void
  onClose(): void
}) {
  const t = useText()
  const [body, setBody] = useState(note.body)
  const kept = useRef({ body, was: note.body, onChange })
  kept.current = { body, was: note.body, onChange }
  useEffect(
    () => () => {
      const { body, was, onChange } = kept.current
      if (body !== was) onChange({ body })
    },
    [],
  )
  return (
    <Floating
      box={box}
      below
      role="dialog"
      label={t('mark.title')}
      testId="note-card"
      focus
      onClose={onClose}
      className="grid w-80 gap-1 p-2"
    >
      <textarea
        aria-label={t('mark.body')}
        placeholder={t('mark.placeholder')}
        value={body}
        rows={3}
        onChange={event => setBody(event.target.value)}
        className="field-sizing-content max-h-60 min-h-20 w-full resize-none rounded-md bg-sunken p-2 text-sm placeholder:text-muted"
      />
      <div className="flex items-center justify-between">
        <Colors chosen={note.color} onChoose={color => onChange({ color })} />
        <div className="flex">
          <IconButton label={t('reader.notes')} onClick={onAll}>
            <StickyNote size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('common.remove')} onClick={onRemove}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </Floating>
  )
}
