import { Copy, Ellipsis, Link2, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Color, Note } from '../api/types'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { MenuButton } from '../ui/menu-button'
import { copy, remove } from './actions'
import { Editor } from './editor'
import { Links } from './links'
import { Picker } from './picker'

const GROUNDS: Record<Color, string> = {
  yellow: 'bg-(--mark-yellow)',
  green: 'bg-(--mark-green)',
  blue: 'bg-(--mark-blue)',
  red: 'bg-(--mark-red)',
  purple: 'bg-(--mark-purple)',
}

/** A note in a list: its words lead to their place; what can be done with it stands below. */
export function Item({
  note,
  chosen,
  onGo,
  onGoTo,
}: {
  note: Note
  /** It was asked for: it is shown to be the one. */
  chosen?: boolean
  /** Go to where the note stands. */
  onGo(): void
  /** Go to another note. */
  onGoTo(note: string, document: string): void
}) {
  const t = useText()
  const [editing, setEditing] = useState(false)
  const [open, setOpen] = useState(false)
  const [linking, setLinking] = useState(false)
  return (
    <article
      aria-current={chosen ? 'true' : undefined}
      className="relative py-3 pl-4 pr-1 aria-[current]:bg-accent-soft"
      data-testid="note"
    >
      <span aria-hidden className={`absolute inset-y-3 left-0.5 w-1.5 rounded-full ${GROUNDS[note.color]}`} />
      <Words note={note} onGo={onGo} />
      {editing ? (
        <Editor note={note} onDone={() => setEditing(false)} />
      ) : (
        <>
          {note.body && <p className="whitespace-pre-wrap pt-1.5 text-sm [overflow-wrap:anywhere]">{note.body}</p>}
          <div className="flex min-h-10 flex-wrap items-center gap-x-2 text-xs text-muted">
            <Place note={note} />
            {note.tags.map(tag => (
              <span key={tag} className="rounded-full bg-sunken px-2 py-0.5 text-ink">
                {tag}
              </span>
            ))}
            <span className="ml-auto flex items-center">
              {note.links.length > 0 && (
                <button
                  type="button"
                  aria-expanded={open}
                  onClick={() => setOpen(!open)}
                  className="flex min-h-10 items-center gap-1 rounded-md px-2 hover:bg-sunken hover:text-ink"
                >
                  <Link2 size={15} aria-hidden />
                  {t('note.links', { n: note.links.length })}
                </button>
              )}
              <IconButton label={t('note.edit')} onClick={() => setEditing(true)}>
                <Pencil size={16} aria-hidden />
              </IconButton>
              <MenuButton
                label={t('note.more')}
                entries={() => [
                  { label: t('note.copy'), icon: <Copy size={15} />, onSelect: () => void copy(note) },
                  { label: t('note.link'), icon: <Link2 size={15} />, onSelect: () => setLinking(true) },
                  'line',
                  {
                    label: t('common.remove'),
                    icon: <Trash2 size={15} />,
                    danger: true,
                    onSelect: () => void remove(note),
                  },
                ]}
              >
                <Ellipsis size={18} aria-hidden />
              </MenuButton>
            </span>
          </div>
        </>
      )}
      {open && note.links.length > 0 && <Links note={note.id} onGoTo={onGoTo} />}
      {linking && (
        <Picker
          note={note}
          onClose={() => {
            setLinking(false)
            setOpen(true)
          }}
        />
      )}
    </article>
  )
}

/** The quotation; of a note about a whole document, that it is one. */
function Words({ note, onGo }: { note: Note; onGo(): void }) {
  const t = useText()
  const quote = (note.quote ?? '').replace(/\n{2,}/g, '\n')
  if (!note.locator && quote) return <p className="line-clamp-6 font-serif text-[0.95rem] leading-relaxed">{quote}</p>
  return (
    <button
      type="button"
      onClick={onGo}
      title={t('note.go')}
      data-testid="note-go"
      className="block w-full rounded-sm text-left hover:text-accent"
    >
      {quote ? (
        <span className="line-clamp-6 whitespace-pre-line font-serif text-[0.95rem] leading-relaxed [overflow-wrap:anywhere]">
          {quote}
        </span>
      ) : (
        <span className="text-sm italic text-muted">{t('note.about')}</span>
      )}
    </button>
  )
}

function Place({ note }: { note: Note }) {
  const t = useText()
  const page = note.locator?.page_label ?? note.locator?.page
  const section = note.locator?.section?.path.at(-1)
  return (
    <>
      {section && <span className="max-w-48 truncate">{section}</span>}
      {page && <span>{t('note.page', { page })}</span>}
      {note.state === 'moved' && <span className="text-warn">{t('note.wasMoved')}</span>}
    </>
  )
}
