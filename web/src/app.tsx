/** The frame around every view: where one can go, and which view an address means. Views are loaded when they are met. */

import { BookOpen, Command, type LucideIcon, MessageCircleQuestion, Search, Settings, StickyNote } from 'lucide-react'
import { Component, lazy, type ReactNode, Suspense, useRef } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { useFrame } from './frame'
import { type Key, useText } from './i18n'
import { AddingAnywhere } from './library/drop'
import { Commands, openCommands } from './palette/commands'
import { IconButton } from './ui/button'
import { Empty, Failed, Loading } from './ui/states'
import { Notices } from './ui/toast'
import { VIEWS } from './views'

const Shelf = lazy(VIEWS.shelf)
const Reader = lazy(VIEWS.reader)
const DocumentPage = lazy(VIEWS.document)
const Sorting = lazy(VIEWS.sorting)
const Statistics = lazy(VIEWS.statistics)
const SearchPage = lazy(VIEWS.search)
const ChatPage = lazy(VIEWS.chat)
const NotesPage = lazy(VIEWS.notes)
const MapPage = lazy(VIEWS.map)
const SettingsPage = lazy(VIEWS.settings)

const PLACES: [string, Key, LucideIcon][] = [
  ['/', 'nav.library', BookOpen],
  ['/search', 'nav.search', Search],
  ['/chat', 'nav.chat', MessageCircleQuestion],
  ['/notes', 'nav.notes', StickyNote],
  ['/settings', 'nav.settings', Settings],
]

const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
const SHELVES = /^\/$|^\/(document|collections|statistics)/ // addresses that belong to the library

function isHere(path: string, address: string): boolean {
  return path === '/' ? SHELVES.test(address) : address.startsWith(path)
}

export function App() {
  const t = useText()
  const [address] = useLocation()
  const reading = address.startsWith('/read/')
  const main = useRef<HTMLElement>(null)
  const place = PLACES.find(([path]) => isHere(path, address))
  useFrame(address, place ? t(place[1]) : '', main)
  return (
    <div className="flex h-full flex-col sm:flex-row-reverse">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:left-2 focus:top-2 focus:z-50 focus:bg-surface focus:p-2"
      >
        {t('nav.skip')}
      </a>
      <main ref={main} id="main" tabIndex={-1} className="min-h-0 min-w-0 flex-1 overflow-auto outline-none">
        <Boundary key={address}>
          <Suspense fallback={<Loading />}>
            <Views />
          </Suspense>
        </Boundary>
      </main>
      {!reading && <Navigation address={address} />}
      <AddingAnywhere />
      <Commands />
      <Notices />
    </div>
  )
}

function Views() {
  const t = useText()
  return (
    <Switch>
      <Route path="/" component={Shelf} />
      <Route path="/read/:id">{({ id }) => <Reader key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/document/:id">{({ id }) => <DocumentPage key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/map/:id">{({ id }) => <MapPage key={id} id={decodeURIComponent(id)} />}</Route>
      <Route path="/collections" component={Sorting} />
      <Route path="/statistics" component={Statistics} />
      <Route path="/search" component={SearchPage} />
      <Route path="/chat/:session?">{({ session }) => <ChatPage session={session ?? null} />}</Route>
      <Route path="/notes" component={NotesPage} />
      <Route path="/settings" component={SettingsPage} />
      <Route>
        <Empty title={t('common.notFound')}>
          <Link href="/" className="text-accent underline">
            {t('common.toLibrary')}
          </Link>
        </Empty>
      </Route>
    </Switch>
  )
}

function Navigation({ address }: { address: string }) {
  const t = useText()
  return (
    <nav
      aria-label={t('nav.label')}
      className="flex shrink-0 justify-around border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:w-20 sm:flex-col sm:justify-start sm:gap-1 sm:border-r sm:border-t-0 sm:pt-3"
    >
      {PLACES.map(([path, name, Icon]) => (
        <Link
          key={path}
          href={path}
          aria-current={isHere(path, address) ? 'page' : undefined}
          className="grid min-h-14 min-w-14 place-items-center content-center gap-1 rounded-md text-xs text-muted hover:text-ink aria-[current]:text-accent"
        >
          <Icon size={20} aria-hidden />
          {t(name)}
        </Link>
      ))}
      <IconButton
        label={`${t('palette.title')} (${COMMAND} K)`}
        className="mx-auto mb-3 mt-auto max-sm:hidden"
        onClick={() => openCommands('palette')}
      >
        <Command size={18} aria-hidden />
      </IconButton>
    </nav>
  )
}

/** Keeps a defect of one view from taking the frame with it. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  /** Code that could not be loaded was made anew since this page was opened: only a new page finds it. */
  again() {
    const { error } = this.state
    if (error instanceof TypeError && /module/i.test(error.message)) location.reload()
    else this.setState({ error: null })
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return <Failed error={this.state.error} onRetry={() => this.again()} />
  }
}
