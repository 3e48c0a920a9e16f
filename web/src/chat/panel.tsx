/** The conversation beside a document. */

import { History, SquarePen } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { selectionIn } from './asking'
import type { Conversation } from './conversation'
import { beginAnew, conversation } from './conversations'
import { keepSession, keptSession } from './kept'
import { Sessions } from './sessions'
import { Thread } from './thread'

export function ChatPanel({ handle, session }: { handle: ReaderHandle | null; session?: string | null }) {
  const t = useText()
  const id = handle?.document ?? ''
  const [chosen, choose] = useState<string | null>(() => session ?? keptSession(id))
  const [listed, list] = useState(false)
  const talk = conversation(chosen, id)
  const state = useSyncExternalStore(talk.subscribe, talk.snapshot)
  useEffect(() => {
    if (id && state.session) keepSession(id, state.session)
    if (!state.session) return
    beginAnew(id)
    choose(state.session)
  }, [id, state.session])
  const { scope } = state.choices
  useEffect(() => {
    if (id && scope.kind === 'library' && !state.touched) talk.choose({ scope: { kind: 'book', document: id } })
  }, [id, scope.kind, state.touched, talk])
  usePinned(talk, handle)
  const open = (next: string | null) => {
    if (next === null) keepSession(id, null)
    choose(next)
    list(false)
  }
  return (
    <section
      aria-label={t('chat.label')}
      data-testid="chat-panel"
      data-session={state.session ?? ''}
      className="flex h-full min-h-0 flex-col"
    >
      <header className="flex items-center justify-end px-1">
        <IconButton label={t('chat.history')} onClick={() => list(true)}>
          <History size={17} aria-hidden />
        </IconButton>
        <IconButton label={t('chat.new')} onClick={() => open(null)} disabled={!state.messages.length}>
          <SquarePen size={17} aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1">
        <Thread key={talk.key} conversation={talk} handle={handle} />
      </div>
      <Dialog open={listed} onClose={() => list(false)} title={t('chat.history')} side>
        <Sessions
          current={state.session}
          onOpen={open}
          onRemoved={removed => removed === state.session && open(null)}
        />
      </Dialog>
    </section>
  )
}

/**
 * What is selected in the document is what the next question is about. It stays so when the question is being written,
 * which takes the selection of some documents away, and goes when it is given up in the document itself.
 */
function usePinned(talk: Conversation, handle: ReaderHandle | null): void {
  const selected = handle?.selected ?? null
  const id = handle?.document ?? ''
  useEffect(() => {
    const { scope } = talk.snapshot().choices
    if (selected) talk.choose({ scope: selectionIn(id, selected) })
    else if (scope.kind === 'selection' && !document.activeElement?.closest('[data-testid=chat-panel]'))
      talk.choose({ scope: { kind: 'book', document: id } })
  }, [selected, id, talk])
}
