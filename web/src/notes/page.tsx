/** All notes of the library: searched, filtered, taken along, brought in. */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, ListFilter, MapPinOff, Upload } from 'lucide-react'
import { lazy, type RefObject, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { documents as documentsQuery, tags as tagsQuery } from '../api/queries'
import type { NoteState } from '../api/types'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Choice, Field } from '../ui/field'
import { Empty, Failed, Loading } from '../ui/states'
import { ColorFilter } from './colors'
import { type Row, rowsOf } from './filter'
import { Item } from './item'
import { Rows } from './list'
import { LostNote } from './lost'
import { type Asked, allNotes } from './queries'

const Exports = lazy(() => import('../library/exports'))
const Import = lazy(() => import('../settings/data').then(found => ({ default: found.Import })))
const STATES: readonly NoteState[] = ['exact', 'moved', 'lost']
const EVERYTHING: Asked = { query: '', doc: '', colors: [], tag: '', state: '', uncapped: false }

export default function NotesPage() {
  const t = useText()
  const [asked, setAsked] = useState<Asked>(() => askedIn(new URLSearchParams(location.search)))
  const [more, setMore] = useState(() => isFiltered({ ...asked, query: '' }))
  const scroller = useRef<HTMLDivElement>(null)
  const change = (part: Partial<Asked>) => {
    setAsked({ ...asked, ...part })
    scroller.current?.scrollTo(0, 0)
  }
  return (
    <div ref={scroller} className="h-full overflow-auto" data-testid="notes-page">
      <div className="mx-auto max-w-3xl px-4 pb-16 sm:px-8">
        <header className="flex items-center justify-between gap-2 pt-6 sm:pt-10">
          <h1 className="text-2xl font-semibold">{t('note.title')}</h1>
          <Transfers doc={asked.doc} />
        </header>
        <search className="sticky top-0 z-10 grid gap-2 bg-ground py-3">
          <div className="flex gap-1">
            <div className="flex-1">
              <Field
                type="search"
                label={t('note.searchAll')}
                hidden
                placeholder={t('note.searchAll')}
                value={asked.query}
                onChange={event => change({ query: event.target.value })}
              />
            </div>
            <IconButton label={t('note.filter')} aria-expanded={more} pressed={more} onClick={() => setMore(!more)}>
              <ListFilter size={18} aria-hidden />
            </IconButton>
          </div>
          {more && <Filters asked={asked} onChange={change} />}
        </search>
        <Results asked={asked} onChange={change} scroller={scroller} />
      </div>
    </div>
  )
}

function askedIn(query: URLSearchParams): Asked {
  const state = STATES.find(name => name === query.get('state')) ?? ''
  const given = (name: string) => query.get(name) ?? ''
  return { ...EVERYTHING, doc: given('doc'), tag: given('tag'), query: given('q'), state }
}

function Filters({ asked, onChange }: { asked: Asked; onChange(part: Partial<Asked>): void }) {
  const t = useText()
  const { data: documents } = useQuery(documentsQuery())
  const { data: tags } = useQuery(tagsQuery())
  const byTitle = useMemo(
    () => [...(documents?.documents ?? [])].sort((a, b) => a.title.localeCompare(b.title)),
    [documents],
  )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ColorFilter chosen={asked.colors} onChange={colors => onChange({ colors })} />
      <div className="w-44 flex-auto sm:flex-none">
        <Choice
          label={t('note.document')}
          hidden
          value={asked.doc}
          onChange={event => onChange({ doc: event.target.value })}
          options={[['', t('note.anyDocument')], ...byTitle.map(d => [d.id, d.title] as const)]}
        />
      </div>
      <div className="w-36 flex-auto sm:flex-none">
        <Choice
          label={t('note.tag')}
          hidden
          value={asked.tag}
          onChange={event => onChange({ tag: event.target.value })}
          options={[['', t('note.anyTag')], ...(tags?.tags ?? []).map(tag => [tag.name, tag.name] as const)]}
        />
      </div>
      <div className="w-40 flex-auto sm:flex-none">
        <Choice
          label={t('note.state')}
          hidden
          value={asked.state}
          onChange={event => onChange({ state: event.target.value as NoteState | '' })}
          options={[['', t('note.anyState')], ...STATES.map(state => [state, t(`note.${state}`)] as const)]}
        />
      </div>
    </div>
  )
}

function Results({
  asked,
  onChange,
  scroller,
}: {
  asked: Asked
  onChange(part: Partial<Asked>): void
  scroller: RefObject<HTMLDivElement | null>
}) {
  const t = useText()
  const used = { ...asked, query: useDeferredValue(asked.query.trim()) }
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...allNotes(used),
    placeholderData: before => before,
  })
  const rows = useMemo(() => rowsOf((data?.pages ?? []).flatMap(page => page.notes)), [data])
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const total = data.pages[0]?.total ?? 0
  const bound = <Bound hidden={Boolean(data.pages[0]?.notice)} uncapped={asked.uncapped} onChange={onChange} />
  if (!total)
    return (
      <>
        {bound}
        <Nothing filtered={isFiltered(asked)} onClear={() => onChange(EVERYTHING)} />
      </>
    )
  return (
    <>
      <p role="status" className="pb-1 text-sm text-muted">
        {t('note.count', { n: total })}
      </p>
      {bound}
      <Rows rows={rows} scroller={scroller} total={total} onEnd={onEnd}>
        {row => <Shown row={row} />}
      </Rows>
    </>
  )
}

function isFiltered({ query, doc, colors, tag, state }: Asked): boolean {
  return Boolean(query || doc || colors.length || tag || state)
}

function Shown({ row }: { row: Row }) {
  const [, navigate] = useLocation()
  const t = useText()
  const goTo = (note: string, document: string) =>
    navigate(`/read/${encodeURIComponent(document)}?note=${encodeURIComponent(note)}`)
  if (row.kind === 'document')
    return (
      <h2 className="truncate pb-2 pt-8 text-sm font-semibold text-muted">
        <Link href={`/read/${encodeURIComponent(row.id)}`} className="hover:text-accent">
          {row.title}
        </Link>
      </h2>
    )
  const { note } = row
  if (note.state === 'lost')
    return (
      <div className="py-3 pl-4">
        <p className="flex items-center gap-2 pb-1 text-xs font-medium text-warn">
          <MapPinOff size={14} aria-hidden />
          {t('note.lostOne')}
        </p>
        <LostNote
          note={note}
          selected={null}
          onGo={({ start, end }) =>
            navigate(`/read/${encodeURIComponent(note.document.id)}?at=${start}&end=${end}&panel=notes`)
          }
        >
          <Button kind="quiet" onClick={() => navigate(`/read/${encodeURIComponent(note.document.id)}?panel=notes`)}>
            {t('note.openToAttach')}
          </Button>
        </LostNote>
      </div>
    )
  return <Item note={note} onGo={() => goTo(note.id, note.document.id)} onGoTo={goTo} />
}

/** Whether something is hidden because its book is not read so far, and the switch that shows it. */
function Bound({
  hidden,
  uncapped,
  onChange,
}: {
  hidden: boolean
  uncapped: boolean
  onChange(part: Partial<Asked>): void
}) {
  const t = useText()
  if (!hidden && !uncapped) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      {t(uncapped ? 'note.shown' : 'note.hidden')}
      <button
        type="button"
        className="min-h-10 text-accent underline"
        onClick={() => onChange({ uncapped: !uncapped })}
      >
        {t(uncapped ? 'note.hideAgain' : 'note.showHidden')}
      </button>
    </p>
  )
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear(): void }) {
  const t = useText()
  if (filtered)
    return (
      <Empty title={t('note.noMatch')}>
        <Button onClick={onClear}>{t('note.clear')}</Button>
      </Empty>
    )
  return (
    <Empty title={t('note.none')}>
      <p>{t('note.noneAll')}</p>
      <Link href="/" className="text-accent underline">
        {t('common.toLibrary')}
      </Link>
    </Empty>
  )
}

/** Taking notes along, and bringing them in. */
function Transfers({ doc }: { doc: string }) {
  const t = useText()
  const [exporting, setExporting] = useState(false)
  const [importing, setImporting] = useState(false)
  return (
    <div className="flex gap-1">
      <IconButton label={t('note.export')} onClick={() => setExporting(true)}>
        <Download size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('note.import')} onClick={() => setImporting(true)}>
        <Upload size={18} aria-hidden />
      </IconButton>
      <Dialog open={importing} onClose={() => setImporting(false)} title={t('note.import')}>
        <Suspense fallback={<Loading />}>
          <Import />
        </Suspense>
      </Dialog>
      {exporting && (
        <Suspense>
          <Exports docs={doc ? [doc] : []} name={t('note.title')} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </div>
  )
}
