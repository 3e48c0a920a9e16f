/** The notes of a document beside its text. */

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Note } from '../api/types'
import { useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { ofDocument } from '../reader/use-notes'
import { Button } from '../ui/button'
import { Choice, Field } from '../ui/field'
import { Empty, Failed, Loading } from '../ui/states'
import { ColorFilter } from './colors'
import { EVERYTHING, fits, inOrder, tagsOf, type Wanted } from './filter'
import { Item } from './item'
import { Rows } from './list'
import { Lost } from './lost'

/** `chosen` is the id of a note that is to be brought into view. */
export function NotesPanel({ handle, chosen = null }: { handle: ReaderHandle; chosen?: string | null }) {
  const t = useText()
  const { data, error, refetch } = useQuery(ofDocument(handle.document))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (!data.length)
    return (
      <Empty title={t('note.none')}>
        <p>{t('note.noneHere')}</p>
      </Empty>
    )
  return <Gathered handle={handle} notes={data} chosen={chosen} />
}

function Gathered({ handle, notes, chosen }: { handle: ReaderHandle; notes: Note[]; chosen: string | null }) {
  const t = useText()
  const [, navigate] = useLocation()
  const [wanted, setWanted] = useState(EVERYTHING)
  const [asked, setAsked] = useState<string | null>(null)
  const used = useDeferredValue(wanted)
  const scroller = useRef<HTMLDivElement>(null)
  const { placed, lost } = useMemo(() => inOrder(notes), [notes])
  const rows = useMemo(
    () => placed.filter(note => fits(note, used)).map(note => ({ key: note.id, note })),
    [placed, used],
  )
  const current = asked ?? chosen
  const goTo = (note: Note | undefined, id: string, document: string) => {
    setAsked(id)
    if (document !== handle.document)
      return navigate(`/read/${encodeURIComponent(document)}?note=${encodeURIComponent(id)}`)
    if (note?.locator) handle.goTo(note.locator, { mark: true, rects: note.locator.rects })
  }
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto" data-testid="notes-panel">
      <Filters notes={notes} wanted={wanted} onChange={setWanted} shown={rows.length} total={placed.length} />
      <Lost
        notes={lost}
        selected={handle.selected}
        onGo={locator => handle.goTo(locator, { mark: true, rects: locator.rects })}
      />
      {!rows.length && placed.length > 0 && (
        <Empty title={t('note.noMatch')}>
          <Button onClick={() => setWanted(EVERYTHING)}>{t('note.clear')}</Button>
        </Empty>
      )}
      <div className="px-3">
        <Rows rows={rows} scroller={scroller} chosen={rows.findIndex(row => row.key === current)}>
          {({ note }) => (
            <Item
              note={note}
              chosen={note.id === current}
              onGo={() => goTo(note, note.id, note.document.id)}
              onGoTo={(id, document) =>
                goTo(
                  notes.find(n => n.id === id),
                  id,
                  document,
                )
              }
            />
          )}
        </Rows>
      </div>
    </div>
  )
}

function Filters({
  notes,
  wanted,
  onChange,
  shown,
  total,
}: {
  notes: readonly Note[]
  wanted: Wanted
  onChange(wanted: Wanted): void
  shown: number
  total: number
}) {
  const t = useText()
  const tags = useMemo(() => tagsOf(notes), [notes])
  return (
    <search className="sticky top-0 z-10 grid gap-1 border-b border-line bg-surface p-3">
      <Field
        type="search"
        label={t('note.search')}
        hidden
        placeholder={t('note.search')}
        value={wanted.words}
        onChange={event => onChange({ ...wanted, words: event.target.value })}
      />
      <div className="flex flex-wrap items-center justify-between gap-1">
        <ColorFilter chosen={wanted.colors} onChange={colors => onChange({ ...wanted, colors })} />
        {tags.length > 0 && (
          <Choice
            label={t('note.tag')}
            hidden
            value={wanted.tag}
            onChange={event => onChange({ ...wanted, tag: event.target.value })}
            options={[['', t('note.anyTag')], ...tags.map(tag => [tag, tag] as const)]}
          />
        )}
      </div>
      <p role="status" className="text-xs text-muted">
        {shown === total ? t('note.count', { n: total }) : t('note.found', { n: shown, total })}
      </p>
    </search>
  )
}
