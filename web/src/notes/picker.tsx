import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Note, Relation } from '../api/types'
import { useText } from '../i18n'
import { Dialog } from '../ui/dialog'
import { Choice, Field } from '../ui/field'
import { Empty, Failed, Loading } from '../ui/states'
import { link } from './actions'
import { allNotes } from './queries'

const RELATIONS: readonly Relation[] = ['related', 'supports', 'contradicts']

/** Choose the note at the other end of a link, and what the link means. */
export function Picker({ note, onClose }: { note: Note; onClose(): void }) {
  const t = useText()
  const [words, setWords] = useState('')
  const [relation, setRelation] = useState<Relation>('related')
  const query = useDeferredValue(words.trim())
  const asked = { query, doc: '', colors: [], tag: '', state: '' as const, uncapped: true }
  const { data, error, refetch } = useInfiniteQuery(allNotes(asked))
  const found = (data?.pages[0]?.notes ?? []).filter(other => other.id !== note.id).slice(0, 50)
  const choose = async (other: Note) => {
    if (await link(note.id, other.id, relation)) onClose()
  }
  return (
    <Dialog open onClose={onClose} title={t('note.linkTitle')}>
      <div className="grid gap-3">
        <p className="line-clamp-2 border-l-4 border-line pl-3 font-serif text-sm text-muted">
          {note.quote || note.body}
        </p>
        <Choice
          label={t('note.linkMeans')}
          value={relation}
          onChange={event => setRelation(event.target.value as Relation)}
          options={RELATIONS.map(name => [name, t(`note.${name}`)] as const)}
        />
        <Field
          type="search"
          label={t('note.searchAll')}
          hidden
          placeholder={t('note.searchAll')}
          value={words}
          onChange={event => setWords(event.target.value)}
        />
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading />
        ) : !found.length ? (
          <Empty title={t('note.noMatch')} />
        ) : (
          <ul className="grid gap-1">
            {found.map(other => (
              <li key={other.id}>
                <button
                  type="button"
                  onClick={() => void choose(other)}
                  className="block w-full rounded-md px-3 py-2 text-left text-sm hover:bg-sunken"
                >
                  <span className="block truncate text-xs text-muted">{other.document.title}</span>
                  <span className="line-clamp-2 font-serif">{other.quote || t('note.about')}</span>
                  {other.body && <span className="line-clamp-1 text-muted">{other.body}</span>}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
