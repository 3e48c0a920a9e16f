/** The conversations of the library: open one, save it as a file, remove it. */

import { useQuery } from '@tanstack/react-query'
import { Download, MoreHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import * as api from '../api/chat'
import { queryClient, sessions as sessionsQuery } from '../api/queries'
import type { SessionEntry } from '../api/types'
import { useText } from '../i18n'
import { languageOf, usePreferences } from '../preferences'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Menu } from '../ui/menu'
import { Failed, Loading } from '../ui/states'
import { notify, notifyError } from '../ui/toast'
import { forget } from './conversations'

export function Sessions({
  current,
  onOpen,
  onRemoved,
}: {
  current: string | null
  onOpen(session: string): void
  onRemoved(session: string): void
}) {
  const t = useText()
  const found = useQuery(sessionsQuery())
  const [removing, remove] = useState<SessionEntry | null>(null)
  if (found.isPending) return <Loading />
  if (found.error) return <Failed error={found.error} onRetry={() => found.refetch()} />
  const shown = found.data.sessions.filter(one => one.messages > 0 || one.title)
  if (!shown.length) return <p className="px-3 py-6 text-sm text-muted">{t('chat.noHistory')}</p>
  return (
    <>
      <ul className="grid gap-0.5" data-testid="chat-sessions">
        {shown.map(one => (
          <Row key={one.id} session={one} current={one.id === current} onOpen={onOpen} onRemove={() => remove(one)} />
        ))}
      </ul>
      {removing && <Removing session={removing} onClose={() => remove(null)} onRemoved={onRemoved} />}
    </>
  )
}

function useTitle(session: SessionEntry): string {
  const t = useText()
  return session.title || t(session.messages > 0 ? 'chat.hiddenTitle' : 'chat.untitled')
}

function Row({
  session,
  current,
  onOpen,
  onRemove,
}: {
  session: SessionEntry
  current: boolean
  onOpen(session: string): void
  onRemove(): void
}) {
  const t = useText()
  const language = languageOf(usePreferences())
  const title = useTitle(session)
  const when = new Date(session.updated).toLocaleDateString(language, { day: 'numeric', month: 'short' })
  return (
    <li
      className={`flex items-center rounded-md hover:bg-sunken [content-visibility:auto] [contain-intrinsic-size:auto_3.5rem] ${current ? 'bg-sunken' : ''}`}
    >
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        onClick={() => onOpen(session.id)}
        className="grid min-h-12 min-w-0 flex-1 content-center rounded-md px-3 py-1.5 text-left"
      >
        <span className="truncate text-sm">{title}</span>
        <span className="text-xs text-muted">
          {when} · {t('chat.messages', { n: session.messages })}
        </span>
      </button>
      <Menu
        entries={[
          {
            label: t('chat.export.markdown'),
            icon: <Download size={14} />,
            onSelect: () => save(session.id, 'markdown'),
          },
          { label: t('chat.export.json'), icon: <Download size={14} />, onSelect: () => save(session.id, 'json') },
          { label: t('chat.remove'), icon: <Trash2 size={14} />, onSelect: onRemove, danger: true },
        ]}
      >
        <IconButton label={t('chat.deeds', { title })}>
          <MoreHorizontal size={16} aria-hidden />
        </IconButton>
      </Menu>
    </li>
  )
}

function Removing({
  session,
  onClose,
  onRemoved,
}: {
  session: SessionEntry
  onClose(): void
  onRemoved(session: string): void
}) {
  const t = useText()
  const title = useTitle(session)
  const remove = async () => {
    await api.removeSession(session.id)
    forget(session.id)
    await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    notify(t('chat.removed'))
    onClose()
    onRemoved(session.id)
  }
  return (
    <Dialog open onClose={onClose} title={t('chat.removeTitle')}>
      <p>{t('chat.removeWhat', { title })}</p>
      <div className="mt-4 flex justify-end gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="danger" onClick={() => remove().catch(notifyError)}>
          {t('common.remove')}
        </Button>
      </div>
    </Dialog>
  )
}

/** Save a session with all of its messages, tool results too; the browser asks where, or keeps it among its downloads. */
function save(session: string, format: 'markdown' | 'json'): void {
  Object.assign(document.createElement('a'), { href: api.exportOf(session, format), download: '' }).click()
}
