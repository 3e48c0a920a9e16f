/** A document under the eyes: the text in the middle, the bars around it, panels beside it, cards over it. */

import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { send } from '../api/client'
import { document as documentQuery, progress as progressQuery, queryClient } from '../api/queries'
import type { ContentsEntry, DocumentShown, Note, Progress } from '../api/types'
import type { Selected } from '../book/viewer'
import { useText } from '../i18n'
import { Failed, Loading } from '../ui/states'
import { notify, notifyError } from '../ui/toast'
import { Looks } from './appearance'
import { Cards } from './cards'
import { Contents } from './contents'
import type { Finding } from './find'
import { FindPanel } from './find-panel'
import { FootBar, WayBack } from './foot-bar'
import { citation, percentOf, sectionAt } from './place'
import { type Doings, SelectionMenu } from './selection-menu'
import { Side } from './side'
import { TopBar } from './top-bar'
import { refresh } from './use-journey'
import { addNote, useNotes } from './use-notes'
import { type Opening, type Reader, useReader } from './use-reader'

const NotesPanel = lazy(() => import('../notes/panel').then(found => ({ default: found.NotesPanel })))
const ChatPanel = lazy(() => import('../chat/panel').then(found => ({ default: found.ChatPanel })))
const MapPanel = lazy(() => import('../map/panel').then(found => ({ default: found.MapPanel })))

export function Reading(opening: Opening) {
  const { source } = opening
  const reader = useReader(opening)
  const { viewer, place, book } = reader
  const { data: shown } = useQuery(documentQuery(book.id))
  const { data: whole } = useQuery({ ...documentQuery(book.id, { uncapped: true }), enabled: place !== null })
  const section = place && sectionAt(whole?.contents ?? [], place.start)
  const { notes, highlights } = useNotes(book.id, place !== null)
  useEffect(() => viewer?.setHighlights(highlights), [viewer, highlights])
  const [chosen, setChosen] = useState(opening.wanted.note)
  useTitle(book.title)
  const moved = reader.bars ? '' : 'max-sm:invisible max-sm:opacity-0'
  const bar = `pointer-events-none z-10 transition-[opacity,visibility] duration-150 max-sm:absolute max-sm:inset-x-0 max-sm:shadow-(--shadow) ${moved}`
  return (
    <div data-testid="reader-page" className="flex h-full">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <div className={`${bar} max-sm:top-0`}>
          <TopBar document={book} section={section?.title ?? null} tab={reader.tab} onTab={reader.setTab}>
            <Spoilers reader={reader} />
          </TopBar>
        </div>
        <Text reader={reader} />
        {reader.left !== null && (
          <div className="pointer-events-none absolute inset-x-0 bottom-16 z-10 grid justify-items-center">
            <WayBack onBack={reader.back} onStay={reader.stay} />
          </div>
        )}
        <div className={`${bar} max-sm:bottom-0 sm:h-12`}>
          {place && (
            <FootBar
              place={place}
              section={section}
              characters={source.characters}
              language={source.kind === 'reflowable' ? source.language : (shown?.metadata.language ?? null)}
              leftwards={viewer?.leftwards ?? false}
              onGo={reader.slide}
              onTurn={forward => reader.run(forward ? 'next' : 'previous')}
            />
          )}
        </div>
        <Whereabouts reader={reader} section={section} />
      </div>
      <Panels
        reader={reader}
        contents={masked(shown, whole)}
        section={section}
        words={opening.wanted.words}
        note={chosen}
      />
      <Doing reader={reader} section={section} />
      <Cards
        card={reader.card}
        notes={notes}
        onGo={reader.goTo}
        onNotes={() => {
          setChosen(reader.card?.kind === 'note' ? reader.card.id : null)
          reader.setCard(null)
          reader.setTab('notes')
        }}
        onClose={() => reader.setCard(null)}
      />
    </div>
  )
}

/** The contents with the places of all entries, and with the titles of those that may be seen. */
function masked(shown: DocumentShown | undefined, whole: DocumentShown | undefined): ContentsEntry[] {
  const seen = new Set((shown?.contents ?? []).filter(entry => entry.start !== null).map(entry => entry.number))
  return (whole?.contents ?? []).map(entry => (seen.has(entry.number) ? entry : { ...entry, title: null, page: null }))
}

/** The element that the viewer draws in; what it shows is told in attributes, for whoever looks from outside. */
function Text({ reader }: { reader: Reader }) {
  const t = useText()
  const { host, viewer, error, place, marked } = reader
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={host}
        aria-label={t('reader.text')}
        data-testid="reader-viewer"
        data-start={place?.start}
        data-end={place?.end}
        data-marked={marked}
        className="relative h-full overflow-hidden"
      />
      {!viewer && !error && (
        <div className="absolute inset-0">
          <Loading label={t('reader.opening')} />
        </div>
      )}
      {error !== null && (
        <div className="absolute inset-0 bg-ground">
          <Failed error={error} onRetry={() => reader.retry(place?.start ?? reader.at)} />
        </div>
      )}
    </div>
  )
}

/** Where the reader is, in words: read out, and at the foot of a phone's page. */
function Whereabouts({ reader, section }: { reader: Reader; section: ContentsEntry | null }) {
  const t = useText()
  if (!reader.place) return null
  const { page, fraction, atEnd } = reader.place
  const percent = t('reader.percent', { percent: percentOf(atEnd ? 1 : fraction) })
  const told = [section?.title, page === null ? null : t('reader.page', { page }), percent].filter(Boolean).join(' · ')
  return (
    <>
      <p data-testid="reader-place" aria-live="polite" className="sr-only">
        {told}
        {reader.menu === 'shown' && ` ${t('selection.hint')}`}
      </p>
      {!reader.bars && (
        <p
          aria-hidden
          className="pointer-events-none absolute inset-x-0 bottom-1 text-center text-[0.6875rem] text-muted sm:hidden"
        >
          {percent}
        </p>
      )}
    </>
  )
}

function Panels({
  reader,
  contents,
  section,
  words,
  note,
}: {
  reader: Reader
  contents: readonly ContentsEntry[]
  section: ContentsEntry | null
  words: string
  /** The note that is to be shown among the others. */
  note: string | null
}) {
  const { tab, setTab, place, goTo, book } = reader
  const [finding, setFinding] = useState<Finding>({ words, matchCase: false, wholeWords: false })
  const { data: progress } = useQuery(progressQuery(book.id))
  if (!tab) return null
  return (
    <Side tab={tab} onTab={setTab} onClose={() => setTab(null)}>
      {tab === 'contents' && (
        <Contents
          entries={contents}
          here={section?.number ?? null}
          onGo={entry => entry.start !== null && goTo({ start: entry.start, end: entry.start + 1 })}
        />
      )}
      {tab === 'notes' && (
        <Suspense fallback={<Loading />}>
          <NotesPanel handle={reader.handle} chosen={note} />
        </Suspense>
      )}
      {tab === 'ask' && (
        <Suspense fallback={<Loading />}>
          <ChatPanel handle={reader.handle} />
        </Suspense>
      )}
      {tab === 'map' && (
        <Suspense fallback={<Loading />}>
          <MapPanel handle={reader.handle} />
        </Suspense>
      )}
      {tab === 'find' && (
        <FindPanel
          document={book.id}
          capped={progress?.spoilers === 'hide'}
          finding={finding}
          at={place?.start ?? 0}
          onFinding={setFinding}
          onGo={span => goTo(span, { mark: true })}
        />
      )}
    </Side>
  )
}

/** The menu of what is selected. */
function Doing({ reader, section }: { reader: Reader; section: ContentsEntry | null }) {
  const t = useText()
  const [, navigate] = useLocation()
  const { selected, menu, book, setMenu } = reader
  if (!selected || !menu) return null
  const made = async (run: () => Promise<Note | null>, open: boolean) => {
    const note = await run()
    reader.close()
    if (note && open) reader.setCard({ kind: 'note', id: note.id, box: selected.box })
  }
  const where = section?.title ?? (reader.place?.page ? t('reader.page', { page: reader.place.page }) : null)
  const doings: Doings = {
    highlight: color => void made(() => addNote(book.id, selected.span, color), false),
    note: () => void made(() => addNote(book.id, selected.span, 'yellow'), true),
    ask: () => {
      setMenu(null)
      reader.setTab('ask')
    },
    copy: () => void copy(book, selected, where, t('selection.copied')).then(() => setMenu(null)),
    search: () => navigate(`/search?q=${encodeURIComponent(selected.text)}`),
    compare: () => navigate(`/search?claim=${encodeURIComponent(selected.text)}`),
  }
  return (
    <SelectionMenu
      key={`${selected.span.start}:${selected.span.end}`}
      selected={selected}
      doings={doings}
      focus={menu === 'focused'}
      onClose={() => {
        setMenu(null)
        reader.viewer?.focus()
      }}
    />
  )
}

async function copy(book: Reader['book'], selected: Selected, where: string | null, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(citation(book, selected.span, selected.text, where))
    notify(said)
  } catch (error) {
    notifyError(error)
  }
}

function Spoilers({ reader }: { reader: Reader }) {
  const { data: progress } = useQuery(progressQuery(reader.book.id))
  const zoom = reader.viewer?.zoom ?? null
  const set = async (hide: boolean) => {
    const body = { doc: reader.book.id, spoilers: hide ? 'hide' : 'show' }
    try {
      queryClient.setQueryData(['progress', reader.book.id], await send<Progress>('POST', '/api/progress', body))
      refresh(reader.book.id)
    } catch (error) {
      notifyError(error)
    }
  }
  return <Looks zoom={zoom} hiding={progress?.spoilers === 'hide'} onHiding={hide => void set(hide)} />
}

function useTitle(title: string): void {
  const whole = useMemo(() => `${title} – glossator`, [title])
  useEffect(() => {
    const before = document.title
    document.title = whole
    return () => {
      document.title = before
    }
  }, [whole])
}
