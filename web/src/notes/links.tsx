import { useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import type { Key } from '../i18n'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { unlink } from './actions'
import { type Linked, linksOf } from './queries'

/** The links of a note, from its own end: what it supports, and what supports it. */
export function Links({ note, onGoTo }: { note: string; onGoTo(note: string, document: string): void }) {
  const t = useText()
  const { data, error, refetch } = useQuery(linksOf(note))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <ul className="grid gap-1 pb-1" data-testid="note-links">
      {data.map(link => (
        <li key={`${link.id} ${link.relation} ${link.direction}`} className="flex items-start gap-1 text-sm">
          <button
            type="button"
            onClick={() => onGoTo(link.id, link.document.id)}
            className="min-h-10 min-w-0 flex-1 rounded-md bg-sunken px-3 py-2 text-left hover:text-accent"
          >
            <span className="block text-xs text-muted">
              {t(nameOf(link))} · {link.document.title}
            </span>
            <span className="line-clamp-2 font-serif">{link.quote || t('note.about')}</span>
          </button>
          <IconButton label={t('note.unlink')} onClick={() => void unlink(note, link.id, link.relation)}>
            <Unlink size={15} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function nameOf({ relation, direction }: Linked): Key {
  if (relation === 'related') return 'note.related'
  if (direction === 'out') return relation === 'supports' ? 'note.supports' : 'note.contradicts'
  return relation === 'supports' ? 'note.supportedBy' : 'note.contradictedBy'
}
