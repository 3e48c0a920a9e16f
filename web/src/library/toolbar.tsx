/** Above the shelf: search as one types, what narrows it, its order and its view. */

import { CheckSquare, LayoutGrid, List, MoreHorizontal, Plus, Search } from 'lucide-react'
import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { Choice, Field } from '../ui/field'
import { MenuButton } from '../ui/menu-button'
import { openAdding } from './adding'
import type { Kept } from './kept'
import { counted, type Reading, type Sort } from './shelving'

const READINGS = ['', 'unread', 'reading', 'finished'] as const
const SORTS: Sort[] = ['read', 'added', 'title', 'author']

export function Toolbar({
  all,
  shown,
  filter,
  onFilter,
  selecting,
  onSelecting,
}: {
  all: DocumentEntry[]
  shown: number
  filter: Kept
  onFilter(part: Partial<Kept>): void
  selecting: boolean
  onSelecting(): void
}) {
  const t = useText()
  const [, go] = useLocation()
  return (
    <header className="pb-6 pt-5 sm:pt-8">
      <div className="flex items-center gap-2 pb-5">
        <h1 className="pr-6 font-serif text-2xl max-sm:sr-only">{t('nav.library')}</h1>
        <div className="relative min-w-0 flex-1 sm:max-w-lg">
          <Search
            size={16}
            aria-hidden
            className="pointer-events-none absolute left-3 top-1/2 -translate-y-1/2 text-muted"
          />
          <Field
            label={t('shelf.search')}
            hidden
            type="search"
            data-testid="shelf-search"
            className="min-h-10 rounded-full! pl-9!"
            placeholder={t('shelf.search')}
            value={filter.words}
            onChange={event => onFilter({ words: event.target.value })}
            onKeyDown={event =>
              event.key === 'Enter' && filter.words.trim() && go(`/search?q=${encodeURIComponent(filter.words.trim())}`)
            }
          />
        </div>
        <span className="flex-1 max-sm:hidden" />
        <Button
          kind="primary"
          className="min-h-10! rounded-full! max-sm:px-3"
          data-testid="add-button"
          onClick={openAdding}
        >
          <Plus size={16} aria-hidden /> <span className="max-sm:sr-only">{t('add.button')}</span>
        </Button>
        <MenuButton
          label={t('common.more')}
          entries={() => [
            { label: t('shelf.select'), icon: <CheckSquare size={14} />, onSelect: onSelecting, checked: selecting },
            'line',
            { label: t('sorting.title'), onSelect: () => go('/collections') },
            { label: t('stats.title'), onSelect: () => go('/statistics') },
          ]}
        >
          <MoreHorizontal size={20} aria-hidden />
        </MenuButton>
      </div>
      <Narrowing all={all} filter={filter} onFilter={onFilter} />
      <p role="status" className="sr-only">
        {t('shelf.shown', { n: shown })}
      </p>
    </header>
  )
}

function Narrowing({
  all,
  filter,
  onFilter,
}: {
  all: DocumentEntry[]
  filter: Kept
  onFilter(part: Partial<Kept>): void
}) {
  const t = useText()
  const { collections, tags, formats } = useMemo(
    () => ({
      collections: counted(all.flatMap(one => one.collections)),
      tags: counted(all.flatMap(one => one.tags)),
      formats: counted(all.map(one => one.format)),
    }),
    [all],
  )
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <fieldset className="flex rounded-full max-sm:w-full bg-sunken p-1" aria-label={t('shelf.reading')}>
        {READINGS.map(reading => (
          <button
            key={reading}
            type="button"
            aria-pressed={filter.reading === reading}
            className="min-h-8 rounded-full px-3 text-sm text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-(--shadow) max-sm:min-h-10 max-sm:flex-1"
            onClick={() => onFilter({ reading })}
          >
            {t(READING_NAMES[reading])}
          </button>
        ))}
      </fieldset>
      <div className="flex min-w-0 flex-1 items-center gap-2 overflow-x-auto p-1 max-sm:-mx-4 max-sm:basis-full max-sm:px-2">
        <Pick
          label={t('shelf.collection')}
          all={t('shelf.anyCollection')}
          value={filter.collection}
          values={collections}
          onPick={collection => onFilter({ collection })}
        />
        <Pick
          label={t('shelf.tag')}
          all={t('shelf.anyTag')}
          value={filter.tag}
          values={tags}
          onPick={tag => onFilter({ tag })}
        />
        {formats.length > 1 && (
          <Pick
            label={t('shelf.format')}
            all={t('shelf.anyFormat')}
            value={filter.format}
            values={formats}
            onPick={format => onFilter({ format })}
          />
        )}
        <span className="flex-1" />
        <div className="w-40 shrink-0">
          <Choice
            label={t('shelf.sort')}
            hidden
            className={QUIET}
            value={filter.sort}
            options={SORTS.map(sort => [sort, t(SORT_NAMES[sort])] as const)}
            onChange={event => onFilter({ sort: event.target.value as Sort })}
          />
        </div>
        <IconButton
          label={t(filter.view === 'grid' ? 'shelf.asList' : 'shelf.asGrid')}
          onClick={() => onFilter({ view: filter.view === 'grid' ? 'list' : 'grid' })}
        >
          {filter.view === 'grid' ? <List size={20} aria-hidden /> : <LayoutGrid size={20} aria-hidden />}
        </IconButton>
      </div>
    </div>
  )
}

const QUIET = 'border-transparent! bg-transparent! hover:bg-sunken! max-sm:min-h-10'
const READING_NAMES = {
  '': 'shelf.all',
  unread: 'shelf.unread',
  reading: 'shelf.reading.now',
  finished: 'shelf.finished',
} as const satisfies Record<Reading | '', string>
const SORT_NAMES = {
  read: 'shelf.byRead',
  added: 'shelf.byAdded',
  title: 'shelf.byTitle',
  author: 'shelf.byAuthor',
} as const

/** What can be chosen of what is there; nothing when nothing is. */
function Pick(it: {
  label: string
  all: string
  value: string
  values: [string, number][]
  onPick(value: string): void
}) {
  if (!it.values.length && !it.value) return null
  return (
    <div className="max-w-44 shrink-0">
      <Choice
        label={it.label}
        hidden
        className={it.value ? 'border-accent! bg-accent-soft! text-accent max-sm:min-h-10' : QUIET}
        value={it.value}
        options={[['', it.all], ...it.values.map(([name, n]) => [name, `${name} (${n})`] as const)]}
        onChange={event => it.onPick(event.target.value)}
      />
    </div>
  )
}
