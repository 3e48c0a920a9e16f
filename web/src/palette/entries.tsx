import {
  BarChart3,
  BookOpen,
  FileText,
  FolderOpen,
  Keyboard,
  Languages,
  type LucideIcon,
  MessageCircleQuestion,
  Network,
  Palette,
  Quote,
  Scale,
  Search,
  Settings,
  StickyNote,
  Text,
  Users,
} from 'lucide-react'
import type { DocumentEntry } from '../api/types'
import type { Key, Translate } from '../i18n'
import { change, type Language, type Theme } from '../preferences'
import { fitting } from './matching'

export type Entry = { id: string; name: string; also?: string; icon: LucideIcon; href?: string; run?(): void }
export type Group = { name: Key; entries: Entry[] }

const VIEWS: readonly (readonly [string, Key, LucideIcon])[] = [
  ['/', 'nav.library', BookOpen],
  ['/search', 'nav.search', Search],
  ['/chat', 'nav.chat', MessageCircleQuestion],
  ['/notes', 'nav.notes', StickyNote],
  ['/settings', 'nav.settings', Settings],
  ['/search?quote=', 'search.tab.quote', Quote],
  ['/search?claim=', 'search.tab.claim', Scale],
  ['/collections', 'sorting.title', FolderOpen],
  ['/statistics', 'stats.title', BarChart3],
]
const OF_DOCUMENT: readonly (readonly [string, string, Key, LucideIcon])[] = [
  ['read', '', 'palette.readIt', BookOpen],
  ['map', '', 'map.map', Network],
  ['map', '?view=summaries', 'map.summaries', Text],
  ['map', '?view=people', 'map.people', Users],
  ['document', '', 'palette.details', FileText],
]
const THEMES: readonly Theme[] = ['light', 'sepia', 'dark', 'system']
const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['zh', '中文'],
]
const MOST = { documents: 8, others: 6 }

/** Return what the palette offers for what is typed, at this address, in groups. */
export function offered(
  words: string,
  documents: readonly DocumentEntry[],
  address: string,
  t: Translate,
  onShortcuts: () => void,
): Group[] {
  const found: Group[] = [
    { name: 'palette.group.documents', entries: ofDocuments(words, documents) },
    { name: 'palette.group.here', entries: fitting(ofHere(address, t), words, MOST.others) },
    { name: 'palette.group.views', entries: fitting(ofViews(t), words, words ? MOST.others : VIEWS.length) },
    { name: 'palette.group.deeds', entries: words ? withWords(words.trim(), t) : [] },
  ]
  const deeds = fitting(ofLooks(t, onShortcuts), words, words ? MOST.others : 1)
  found.at(-1)?.entries.push(...deeds)
  return found.filter(group => group.entries.length > 0)
}

function ofDocuments(words: string, documents: readonly DocumentEntry[]): Entry[] {
  const recent = [...documents].sort(
    (a, b) => (b.read ?? '').localeCompare(a.read ?? '') || b.added.localeCompare(a.added),
  )
  const named = recent.map(one => ({ ...one, name: one.title, also: one.authors.join(', ') }))
  return fitting(named, words, words ? MOST.documents : 4).map(({ id, name, also }) => ({
    id: `document ${id}`,
    name,
    also,
    icon: BookOpen,
    href: `/read/${encodeURIComponent(id)}`,
  }))
}

function ofHere(address: string, t: Translate): Entry[] {
  const id = /^\/(?:read|map|document)\/([^/?]+)/.exec(address)?.[1]
  if (!id) return []
  return OF_DOCUMENT.map(([view, query, name, icon]) => ({
    id: `here ${name}`,
    name: t(name),
    icon,
    href: `/${view}/${id}${query}`,
  }))
}

function ofViews(t: Translate): Entry[] {
  return VIEWS.map(([href, name, icon]) => ({ id: `view ${href}`, name: t(name), icon, href }))
}

function ofLooks(t: Translate, onShortcuts: () => void): Entry[] {
  return [
    { id: 'shortcuts', name: t('palette.shortcuts'), icon: Keyboard, run: onShortcuts },
    ...THEMES.map(theme => ({
      id: `theme ${theme}`,
      name: t('palette.theme', { name: t(`theme.${theme}`) }),
      icon: Palette,
      run: () => change({ theme }),
    })),
    ...LANGUAGES.map(([language, name]) => ({
      id: `language ${language}`,
      name: t('palette.language', { name }),
      icon: Languages,
      run: () => change({ language }),
    })),
  ]
}

/** What can be done with the words themselves. */
function withWords(words: string, t: Translate): Entry[] {
  const query = encodeURIComponent(words)
  const made: readonly (readonly [Key, LucideIcon, string])[] = [
    ['palette.searchFor', Search, `/search?q=${query}`],
    ['palette.ask', MessageCircleQuestion, `/chat?q=${query}`],
    ['palette.quote', Quote, `/search?quote=${query}`],
    ['palette.claim', Scale, `/search?claim=${query}`],
  ]
  return made.map(([name, icon, href]) => ({ id: `words ${name}`, name: t(name, { words }), icon, href }))
}
