/** How far the adding is, in a corner of every view; what needs a look stays until it is closed. */

import { AlertTriangle, Check, ChevronDown, ChevronUp, LoaderCircle, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Translate, useText } from '../i18n'
import { IconButton } from '../ui/button'
import { notifyError } from '../ui/toast'
import { type Adding, cancel, clearEnded, underWork, useAdding } from './adding'

const STAYS = 8_000 // ms after everything went well

export default function Tray() {
  const t = useText()
  const { items } = useAdding()
  const [address] = useLocation()
  const [folded, setFolded] = useState(false)
  const open = items.filter(underWork).length
  const fine = items.every(item => item.state === 'cancelled' || (item.state === 'done' && !flaw(item)))
  useEffect(() => {
    if (open || !fine) return
    const timer = setTimeout(clearEnded, STAYS)
    return () => clearTimeout(timer)
  }, [open, fine])
  if (address.startsWith('/read/') && fine) return null // quiet while one reads
  return (
    <section
      aria-label={t('tray.label')}
      data-testid="tray"
      className="fixed inset-x-2 bottom-18 z-30 overflow-hidden rounded-xl border border-line bg-surface shadow-(--shadow) sm:inset-x-auto sm:bottom-4 sm:right-4 sm:w-96"
    >
      <header className="flex items-center py-1 pl-4 pr-1">
        <p role="status" className="flex-1 text-sm font-medium">
          {open
            ? t('tray.adding', { done: items.length - open, n: items.length })
            : t('tray.done', { n: items.length })}
        </p>
        <IconButton label={t(folded ? 'tray.unfold' : 'tray.fold')} onClick={() => setFolded(!folded)}>
          {folded ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
        </IconButton>
        {!open && (
          <IconButton label={t('common.close')} onClick={clearEnded}>
            <X size={18} aria-hidden />
          </IconButton>
        )}
      </header>
      {!folded && (
        <ul className="max-h-72 overflow-auto border-t border-line py-1">
          {items.map(item => (
            <Row key={item.key} item={item} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ item }: { item: Adding }) {
  const t = useText()
  const only = item.documents.length === 1 ? item.documents[0] : undefined
  const name = only?.title || item.name || t(NAMES[item.kind] ?? 'tray.unnamed')
  return (
    <li className="flex items-start gap-3 px-4 py-2 text-sm" data-testid="tray-item" data-state={item.state}>
      <Mark item={item} />
      <div className="min-w-0 flex-1">
        {only?.id && only.status !== 'failed' ? (
          <Link
            href={`/document/${encodeURIComponent(only.id)}`}
            className="block truncate font-medium hover:underline"
          >
            {name}
          </Link>
        ) : (
          <p className="truncate font-medium">{name}</p>
        )}
        <p className={item.state === 'failed' ? 'text-bad' : 'text-muted'}>{said(item, t)}</p>
        {item.trouble?.hint && <p className="text-muted">{item.trouble.hint}</p>}
        {item.state === 'running' && item.progress && (
          <progress
            className="sr-only"
            max={Math.max(1, item.progress.total)}
            value={item.progress.done}
            aria-label={name}
          />
        )}
      </div>
      {underWork(item) && (
        <IconButton
          label={t('tray.cancel', { name })}
          className="-my-2 -mr-2"
          onClick={() => cancel(item).catch(notifyError)}
        >
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}

function Mark({ item }: { item: Adding }) {
  const shape = 'mt-0.5 shrink-0'
  if (item.state === 'failed' || flaw(item))
    return (
      <AlertTriangle
        size={16}
        aria-hidden
        className={`${shape} ${item.state === 'failed' ? 'text-bad' : 'text-warn'}`}
      />
    )
  if (item.state === 'done') return <Check size={16} aria-hidden className={`${shape} text-good`} />
  if (item.state === 'cancelled') return <X size={16} aria-hidden className={`${shape} text-muted`} />
  return <LoaderCircle size={16} aria-hidden className={`${shape} animate-spin text-muted`} />
}

/** Whether something that was added needs a look. */
function flaw(item: Adding): boolean {
  return item.documents.some(one => one.status === 'quarantined' || one.status === 'failed')
}

function said(item: Adding, t: Translate): string {
  if (item.trouble) return item.trouble.message
  if (item.state === 'running' && item.progress) return stageOf(item.progress.stage, t, item.progress)
  if (item.state !== 'done') return t(STATES[item.state])
  if (item.kind === 'repair' || item.kind === 'backup') return t('tray.ended')
  if (item.documents.length > 1) return t('tray.documents', { n: item.documents.length })
  const status = item.documents[0]?.status
  return t(status ? OUTCOMES[status] : 'tray.nothing')
}

function stageOf(stage: string, t: Translate, slots: { done: number; total: number }): string {
  const name = stage in STAGES ? STAGES[stage as keyof typeof STAGES] : 'tray.running'
  return slots.total > 1 ? `${t(name)} ${slots.done} / ${slots.total}` : t(name)
}

const NAMES: Record<string, 'work.scan' | 'work.repair' | 'work.backup'> = {
  scan: 'work.scan',
  repair: 'work.repair',
  backup: 'work.backup',
}
const STATES = {
  sending: 'tray.sending',
  queued: 'tray.queued',
  running: 'tray.running',
  failed: 'tray.failed',
  cancelled: 'tray.cancelled',
} as const
const STAGES = {
  reading: 'tray.reading',
  parsing: 'tray.reading',
  indexing: 'tray.indexing',
  embedding: 'tray.embedding',
  packing: 'tray.packing',
  proving: 'tray.proving',
} as const
const OUTCOMES = {
  added: 'tray.added',
  updated: 'tray.updated',
  unchanged: 'tray.unchanged',
  quarantined: 'tray.quarantined',
  failed: 'tray.failed',
} as const
