/** Conversations over the whole library, a collection, or one document. */

import { History, SquarePen } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { beginAnew, conversation } from './conversations'
import { Sessions } from './sessions'
import { Thread } from './thread'

const NAME = 'page'

export default function ChatPage({ session }: { session: string | null }) {
  const t = useText()
  const [, navigate] = useLocation()
  const [listed, list] = useState(false)
  const talk = conversation(session, NAME)
  const state = useSyncExternalStore(talk.subscribe, talk.snapshot)
  useEffect(() => {
    if (session !== null || !state.session) return
    beginAnew(NAME)
    talk.writing = document.activeElement instanceof HTMLTextAreaElement // the page is made anew at another address
    navigate(`/chat/${encodeURIComponent(state.session)}`, { replace: true })
  }, [session, state.session, navigate, talk])
  useEffect(() => {
    if (session !== null) return
    const asked = new URLSearchParams(location.search)
    const [id, words] = [asked.get('doc'), asked.get('q')]
    if (id) talk.choose({ scope: { kind: 'book', document: id } })
    // not asked by itself: an address alone must send nothing to a model
    if (words) talk.set({ draft: words })
  }, [session, talk])
  const open = (next: string | null) => {
    list(false)
    if (next === null) beginAnew(NAME)
    navigate(next === null ? '/chat' : `/chat/${encodeURIComponent(next)}`)
  }
  const sessions = (
    <Sessions current={state.session} onOpen={open} onRemoved={one => one === state.session && open(null)} />
  )
  return (
    <div className="flex h-full min-h-0" data-testid="chat-page">
      <aside
        aria-label={t('chat.history')}
        className="hidden w-64 shrink-0 flex-col gap-2 border-r border-line p-3 lg:flex"
      >
        <Button onClick={() => open(null)} className="min-h-10">
          <SquarePen size={16} aria-hidden />
          {t('chat.new')}
        </Button>
        <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">{sessions}</div>
      </aside>
      <section aria-label={t('chat.label')} className="flex min-w-0 flex-1 flex-col" data-testid="chat-panel">
        <h1 className="sr-only">{t('chat.label')}</h1>
        <header className="flex justify-end px-1 lg:hidden">
          <IconButton label={t('chat.history')} onClick={() => list(true)}>
            <History size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('chat.new')} onClick={() => open(null)} disabled={!state.messages.length}>
            <SquarePen size={18} aria-hidden />
          </IconButton>
        </header>
        <div className="min-h-0 flex-1">
          <Thread key={talk.key} conversation={talk} handle={null} />
        </div>
      </section>
      <Dialog open={listed} onClose={() => list(false)} title={t('chat.history')} side>
        {sessions}
      </Dialog>
    </div>
  )
}
