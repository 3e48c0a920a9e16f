/** Everything about one document: what it is, how far one is in it, what is in it, and how well it was read. */

import { useQuery } from '@tanstack/react-query'
import { BookOpen, Download, FolderOpen, MoreHorizontal, Network, Pencil, Tag, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { documents, document as one, progress } from '../api/queries'
import type { DocumentEntry, DocumentShown } from '../api/types'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { Failed, Loading } from '../ui/states'
import { Contents } from './contents'
import { Cover } from './cover'
import type { DeedKind } from './deeds'
import { Fold } from './fold'
import { dayOf, languageName, percentOf } from './format'
import { narrow } from './kept'
import { Reading } from './reading'
import { Report } from './report'
import { People, Story } from './story'

const Deeds = lazy(() => import('./deeds'))
const Metadata = lazy(() => import('./metadata'))
const Exports = lazy(() => import('./exports'))

export default function View({ id }: { id: string }) {
  const shown = useQuery(one(id))
  const list = useQuery(documents())
  const entry = list.data?.documents.find(found => found.id === shown.data?.id)
  if (shown.error) return <Failed error={shown.error} onRetry={() => void shown.refetch()} />
  if (list.error) return <Failed error={list.error} onRetry={() => void list.refetch()} />
  if (!shown.data || !entry) return <Loading />
  return <Page entry={entry} shown={shown.data} />
}

type Opened = DeedKind | 'metadata' | 'export' | null

function Page({ entry, shown }: { entry: DocumentEntry; shown: DocumentShown }) {
  const t = useText()
  const [, go] = useLocation()
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <article className="mx-auto grid max-w-5xl gap-x-12 gap-y-6 px-4 pb-24 pt-6 sm:px-8 sm:pt-10 md:grid-cols-[13rem_1fr]">
      <aside className="flex gap-5 md:sticky md:top-10 md:flex-col md:self-start">
        <Cover of={entry} className="w-28 shrink-0 self-start text-[11.2px] md:w-full md:text-[20.8px]" />
        <Doors entry={entry} onOpen={setOpened} />
      </aside>
      <div className="min-w-0">
        <Heading entry={entry} shown={shown} onOpen={setOpened} />
        {entry.status !== 'quarantined' && <Place id={entry.id} />}
        <div className="pt-8">
          <Fold title={t('doc.story')} aside={shown.spoilers === 'hide' ? t('doc.soFar') : undefined}>
            <Story id={entry.id} />
          </Fold>
          <Fold
            title={t('doc.contents')}
            aside={t('doc.entries', { n: shown.contents.length })}
            open={shown.contents.length < 40}
          >
            <Contents id={entry.id} entries={shown.contents} />
          </Fold>
          <Fold title={t('doc.people')}>
            <People id={entry.id} />
          </Fold>
          <Fold
            title={t('doc.report')}
            aside={t('doc.confidence', { percent: percentOf(shown.parse.confidence) })}
            open={entry.status === 'quarantined'}
          >
            <Report id={entry.id} shown={shown} status={entry.status} />
          </Fold>
        </div>
      </div>
      <Suspense>
        {(opened === 'collections' || opened === 'tags' || opened === 'remove') && (
          <Deeds deed={{ kind: opened, entries: [entry] }} onClose={close} onRemoved={() => go('/')} />
        )}
        {opened === 'metadata' && <Metadata shown={shown} onClose={close} />}
        {opened === 'export' && <Exports docs={[entry.id]} name={entry.title} onClose={close} />}
      </Suspense>
    </article>
  )
}

function Doors({ entry, onOpen }: { entry: DocumentEntry; onOpen(what: Opened): void }) {
  const t = useText()
  const id = encodeURIComponent(entry.id)
  const door = 'inline-flex min-h-10 items-center justify-center gap-2 rounded-full px-4 text-sm font-medium'
  return (
    <div className="grid flex-1 content-start gap-2">
      <Link href={`/read/${id}`} className={`${door} bg-accent text-on-accent hover:opacity-90`}>
        <BookOpen size={16} aria-hidden /> {t(entry.read && !entry.finished ? 'doc.goOn' : 'shelf.read')}
      </Link>
      <Link href={`/map/${id}`} className={`${door} border border-edge hover:bg-sunken`}>
        <Network size={16} aria-hidden /> {t('shelf.map')}
      </Link>
      <div className="flex items-center justify-center gap-1">
        <IconButton label={t('doc.edit')} onClick={() => onOpen('metadata')}>
          <Pencil size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('doc.export')} onClick={() => onOpen('export')}>
          <Download size={18} aria-hidden />
        </IconButton>
        <Menu
          entries={[
            { label: t('deed.collections'), icon: <FolderOpen size={14} />, onSelect: () => onOpen('collections') },
            { label: t('deed.tags'), icon: <Tag size={14} />, onSelect: () => onOpen('tags') },
            'line',
            { label: t('deed.remove'), icon: <Trash2 size={14} />, onSelect: () => onOpen('remove'), danger: true },
          ]}
        >
          <IconButton label={t('common.more')}>
            <MoreHorizontal size={18} aria-hidden />
          </IconButton>
        </Menu>
      </div>
    </div>
  )
}

function Heading({ entry, shown, onOpen }: { entry: DocumentEntry; shown: DocumentShown; onOpen(what: Opened): void }) {
  const t = useText()
  const [, go] = useLocation()
  const { published } = shown.metadata
  const facts = [
    entry.format.toUpperCase(),
    entry.language && languageName(entry.language),
    published && t('doc.published', { when: published.slice(0, 10) }),
    t('doc.added', { when: dayOf(entry.added) }),
    t('doc.characters', { n: shown.coverage.characters.toLocaleString() }),
  ]
  const jump = (part: { collection: string } | { tag: string }) => {
    narrow(part)
    go('/')
  }
  return (
    <header className="grid gap-3">
      <h1 className="text-balance font-serif text-3xl leading-tight" lang={entry.language ?? undefined}>
        {entry.title}
      </h1>
      {entry.authors.length > 0 && <p className="text-lg text-muted">{entry.authors.join(', ')}</p>}
      <p className="text-sm text-muted">{facts.filter(Boolean).join(' · ')}</p>
      <div className="flex flex-wrap gap-2">
        {entry.collections.map(name => (
          <Chip
            key={`c ${name}`}
            icon={<FolderOpen size={13} aria-hidden />}
            onClick={() => jump({ collection: name })}
          >
            {name}
          </Chip>
        ))}
        {entry.tags.map(name => (
          <Chip key={`t ${name}`} icon={<Tag size={13} aria-hidden />} onClick={() => jump({ tag: name })}>
            {name}
          </Chip>
        ))}
        {!entry.collections.length && !entry.tags.length && (
          <Button kind="quiet" className="-ml-3 text-accent" onClick={() => onOpen('collections')}>
            {t('doc.sortIn')}
          </Button>
        )}
      </div>
    </header>
  )
}

function Chip({ icon, onClick, children }: { icon: React.ReactNode; onClick(): void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-full bg-sunken px-3 text-sm hover:bg-accent-soft max-sm:min-h-10"
    >
      {icon} {children}
    </button>
  )
}

function Place({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(progress(id))
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  return data ? <Reading progress={data} /> : <div className="h-32" />
}
