import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as queries from '../api/queries'
import { useText } from '../i18n'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { Failed, Loading } from '../ui/states'
import type { Scope } from './asking'

const MOST = 100 // documents that are listed at once

/** A dialog in which a document or a collection is found by its name. */
export function PickScope({ onPick, onClose }: { onPick(scope: Scope): void; onClose(): void }) {
  const t = useText()
  const [words, find] = useState('')
  const documents = useQuery(queries.documents())
  const collections = useQuery(queries.collections())
  const fits = (name: string) => name.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())
  const found = documents.data?.documents.filter(one => fits(`${one.title} ${one.authors.join(' ')}`)).slice(0, MOST)
  const kept = collections.data?.collections.filter(one => fits(one.name)) ?? []
  return (
    <Dialog open onClose={onClose} title={t('chat.scope.pick')}>
      <div className="grid gap-4">
        <Field
          label={t('chat.scope.filter')}
          type="search"
          value={words}
          onChange={event => find(event.target.value)}
        />
        {documents.isPending && <Loading />}
        {documents.error && <Failed error={documents.error} onRetry={() => documents.refetch()} />}
        {kept.length > 0 && <Heading>{t('chat.scope.collections')}</Heading>}
        {kept.map(({ name, documents: n }) => (
          <Choice key={name} name={name} more={String(n)} onClick={() => onPick({ kind: 'collection', name })} />
        ))}
        {found && found.length > 0 && <Heading>{t('chat.scope.documents')}</Heading>}
        {found?.map(({ id, title, authors }) => (
          <Choice
            key={id}
            name={title}
            more={authors.join(', ')}
            onClick={() => onPick({ kind: 'book', document: id })}
          />
        ))}
        {found?.length === 0 && kept.length === 0 && <p className="text-muted">{t('chat.scope.nothing')}</p>}
      </div>
    </Dialog>
  )
}

function Heading({ children }: { children: string }) {
  return <h3 className="-mb-3 text-xs font-medium text-muted">{children}</h3>
}

function Choice({ name, more, onClick }: { name: string; more: string; onClick(): void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="-mx-2 -my-1.5 flex min-h-10 items-baseline gap-3 rounded-md px-2 py-2 text-left hover:bg-sunken"
    >
      <span className="min-w-0 flex-1">{name}</span>
      <span className="max-w-1/3 truncate text-sm text-muted">{more}</span>
    </button>
  )
}
