/** Collections and tags: made, looked into, removed. Documents stay where they are. */

import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, FolderOpen, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { send } from '../api/client'
import { collections, tags } from '../api/queries'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { Failed, Loading } from '../ui/states'
import { notifyError } from '../ui/toast'
import { refresh } from './deeds'
import { narrow } from './kept'

export function BackHome() {
  const t = useText()
  return (
    <Link
      href="/"
      className="-ml-2 inline-flex min-h-10 items-center gap-2 rounded-md px-2 text-sm text-muted hover:text-ink"
    >
      <ArrowLeft size={16} aria-hidden /> {t('nav.library')}
    </Link>
  )
}

export default function View() {
  const t = useText()
  const shelves = useQuery(collections())
  const labels = useQuery(tags())
  const error = shelves.error ?? labels.error
  return (
    <div className="mx-auto max-w-3xl px-4 pb-24 pt-4 sm:px-8">
      <BackHome />
      <h1 className="pb-6 pt-2 font-serif text-2xl">{t('sorting.title')}</h1>
      {error ? (
        <Failed
          error={error}
          onRetry={() => {
            void shelves.refetch()
            void labels.refetch()
          }}
        />
      ) : shelves.data && labels.data ? (
        <div className="grid gap-10">
          <Group kind="collections" rows={shelves.data.collections} />
          <Group kind="tags" rows={labels.data.tags} />
        </div>
      ) : (
        <Loading />
      )}
    </div>
  )
}

type Row = { name: string; description?: string | null; documents: number }

function Group({ kind, rows }: { kind: 'collections' | 'tags'; rows: Row[] }) {
  const t = useText()
  const [, go] = useLocation()
  const [removing, setRemoving] = useState<string | null>(null)
  const Icon = kind === 'collections' ? FolderOpen : Tag
  const remove = async (name: string) => {
    setRemoving(null)
    try {
      await send('DELETE', `/api/${kind}/${encodeURIComponent(name)}`)
    } catch (error) {
      notifyError(error)
    }
    await refresh()
  }
  return (
    <section aria-labelledby={`group-${kind}`} className="grid gap-3">
      <h2 id={`group-${kind}`} className="font-medium">
        {t(`deed.${kind}`)}
      </h2>
      {rows.length === 0 && <p className="text-muted">{t(`sorting.no.${kind}`)}</p>}
      <ul>
        {rows.map(row => (
          <li key={row.name} className="flex items-center gap-2 border-b border-line">
            <button
              type="button"
              className="flex min-h-13 min-w-0 flex-1 items-center gap-3 rounded-md px-2 text-left hover:bg-sunken"
              onClick={() => {
                narrow(kind === 'collections' ? { collection: row.name } : { tag: row.name })
                go('/')
              }}
            >
              <Icon size={16} aria-hidden className="shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{row.name}</span>
                {row.description && <span className="block truncate text-sm text-muted">{row.description}</span>}
              </span>
              <span className="shrink-0 text-sm text-muted">{t('shelf.shown', { n: row.documents })}</span>
            </button>
            <IconButton label={t('sorting.remove', { name: row.name })} onClick={() => setRemoving(row.name)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {kind === 'collections' && <NewCollection />}
      {removing !== null && (
        <Dialog open onClose={() => setRemoving(null)} title={t('sorting.remove', { name: removing })}>
          <p className="pb-4 text-muted">{t('sorting.removeMeans')}</p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setRemoving(null)}>{t('common.cancel')}</Button>
            <Button kind="danger" onClick={() => void remove(removing)}>
              {t('common.remove')}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  )
}

function NewCollection() {
  const t = useText()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const make = async () => {
    try {
      await send('POST', '/api/collections', { name: name.trim(), description: description.trim() || null })
      setName('')
      setDescription('')
    } catch (error) {
      notifyError(error)
    }
    await refresh()
  }
  return (
    <form
      className="grid items-end gap-2 pt-2 sm:grid-cols-[1fr_1fr_auto]"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim()) void make()
      }}
    >
      <Field
        label={t('deed.newCollection')}
        value={name}
        maxLength={200}
        onChange={event => setName(event.target.value)}
      />
      <Field
        label={t('sorting.description')}
        value={description}
        maxLength={500}
        onChange={event => setDescription(event.target.value)}
      />
      <Button type="submit" disabled={!name.trim()}>
        {t('sorting.make')}
      </Button>
    </form>
  )
}
