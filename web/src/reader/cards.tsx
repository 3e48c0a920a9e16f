import type { Note } from '../api/types'
import type { Footnote, Span } from '../book/viewer'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { FootnoteCard } from './footnote-card'
import { NoteCard } from './note-card'
import { changeNote, removeNote } from './use-notes'

/** What is laid over the text for a moment: one thing at a time. */
export type Card =
  | { kind: 'note'; id: string; box: DOMRect }
  | { kind: 'footnote'; note: Footnote; box: DOMRect }
  | { kind: 'external'; href: string }

export function Cards({
  card,
  notes,
  onGo,
  onNotes,
  onClose,
}: {
  card: Card | null
  notes: readonly Note[]
  onGo(span: Span): void
  onNotes(): void
  onClose(): void
}) {
  if (card?.kind === 'external') return <Leaving href={card.href} onClose={onClose} />
  if (card?.kind === 'footnote') {
    const { note, box } = card
    return <FootnoteCard note={note} box={box} onGo={() => note.span && onGo(note.span)} onClose={onClose} />
  }
  const note = card && notes.find(one => one.id === card.id)
  if (!card || !note) return null
  return (
    <NoteCard
      key={note.id}
      note={note}
      box={card.box}
      onChange={change => void changeNote(note, change)}
      onRemove={() => {
        onClose()
        void removeNote(note)
      }}
      onAll={onNotes}
      onClose={onClose}
    />
  )
}

/** Asks before a link of the book leaves this machine. */
function Leaving({ href, onClose }: { href: string; onClose(): void }) {
  const t = useText()
  return (
    <Dialog open onClose={onClose} title={t('external.title')}>
      <p>{t('external.why')}</p>
      <p className="my-3 break-all rounded-md bg-sunken p-2 font-mono text-sm">{href}</p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button
          kind="primary"
          onClick={() => {
            window.open(href, '_blank', 'noopener,noreferrer')
            onClose()
          }}
        >
          {t('external.open')}
        </Button>
      </div>
    </Dialog>
  )
}
