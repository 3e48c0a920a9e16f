import { type KeyboardEvent, useState } from 'react'
import type { Note } from '../api/types'
import { useText } from '../i18n'
import { Colors } from '../reader/colors'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import { edit } from './actions'
import { tagsIn } from './filter'

/** A note as it is written: body, colour, tags. Ctrl and Enter keep it, Escape leaves it as it was. */
export function Editor({ note, onDone }: { note: Note; onDone(): void }) {
  const t = useText()
  const [body, setBody] = useState(note.body)
  const [color, setColor] = useState(note.color)
  const [tags, setTags] = useState(note.tags.join(', '))
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const kept = await edit(note, { body, color, tags: tagsIn(tags) })
    setBusy(false)
    if (kept) onDone()
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else if (event.key === 'Escape') onDone()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      className="grid gap-2 pt-2"
      onKeyDown={pressed}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        autoFocus
        aria-label={t('note.body')}
        placeholder={t('note.placeholder')}
        value={body}
        rows={3}
        onChange={event => setBody(event.target.value)}
        className="field-sizing-content max-h-80 min-h-20 w-full resize-none rounded-md border border-edge bg-surface p-2 text-sm placeholder:text-muted"
      />
      <Colors chosen={color} onChoose={setColor} />
      <Field
        label={t('note.tags')}
        hidden
        placeholder={`${t('note.tags')} · ${t('note.tagsHint')}`}
        value={tags}
        onChange={event => setTags(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        <Button kind="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </Button>
      </div>
    </form>
  )
}
