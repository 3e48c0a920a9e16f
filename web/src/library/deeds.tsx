/** The dialogs behind the menu of a document, or of several: its collections, its tags, its removal. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../api/client'
import { collections, queryClient, tags } from '../api/queries'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { Failed, Loading } from '../ui/states'
import { notify, notifyError } from '../ui/toast'

export type DeedKind = 'collections' | 'tags' | 'remove'
type One = Pick<DocumentEntry, 'id' | 'title' | 'collections' | 'tags'>
export type Deed = { kind: DeedKind; entries: One[] }
type Done = { deed: Deed; onClose(): void; onRemoved?(): void }

/** Everything that shows documents asks for them again. */
export async function refresh(...ids: string[]): Promise<void> {
  const keys = [['documents'], ['collections'], ['tags'], ['stats'], ...ids.map(id => ['document', id])]
  await Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey })))
}

export default function Deeds(given: Done) {
  return given.deed.kind === 'remove' ? <Remove {...given} /> : <Labels key={given.deed.kind} {...given} />
}

function Labels({ deed, onClose }: Done) {
  const t = useText()
  const inCollections = deed.kind === 'collections'
  const shelves = useQuery({ ...collections(), enabled: inCollections })
  const labels = useQuery({ ...tags(), enabled: !inCollections })
  const known = inCollections ? shelves : labels
  const names = inCollections ? shelves.data?.collections : labels.data?.tags
  return (
    <Dialog open onClose={onClose} title={t(inCollections ? 'deed.collections' : 'deed.tags')}>
      <p className="pb-3 text-sm text-muted">{named(deed.entries, t('shelf.chosen', { n: deed.entries.length }))}</p>
      {known.error ? (
        <Failed error={known.error} onRetry={() => void known.refetch()} />
      ) : names ? (
        <Boxes deed={deed} known={names.map(one => one.name)} path={inCollections ? 'collections' : 'tags'} />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

function Boxes({ deed, known, path }: { deed: Deed; known: string[]; path: 'collections' | 'tags' }) {
  const t = useText()
  const [on, setOn] = useState(
    () => new Map(known.map(name => [name, deed.entries.filter(one => one[path].includes(name)).length])),
  )
  const [fresh, setFresh] = useState('')
  const ids = deed.entries.map(one => one.id)
  const put = async (name: string, wanted: boolean) => {
    const before = on.get(name) ?? 0
    setOn(now => new Map(now).set(name, wanted ? ids.length : 0))
    const address = `/api/${path}/${encodeURIComponent(name)}/documents`
    try {
      if (wanted) {
        if (path === 'collections' && !known.includes(name)) await send('POST', '/api/collections', { name, docs: ids })
        else await send('POST', address, { docs: ids })
      } else {
        const those = deed.entries.filter(one => one[path].includes(name) || before === ids.length)
        await Promise.all(those.map(one => send('DELETE', `${address}/${encodeURIComponent(one.id)}`)))
      }
    } catch (error) {
      setOn(now => new Map(now).set(name, before))
      notifyError(error)
    }
    await refresh(...ids)
  }
  return (
    <div className="grid gap-4">
      {on.size > 0 && (
        <ul className="-mx-2 max-h-72 overflow-auto">
          {[...on].map(([name, count]) => (
            <li key={name}>
              <label className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-sunken">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  ref={box => {
                    if (box) box.indeterminate = count > 0 && count < ids.length
                  }}
                  checked={count === ids.length}
                  onChange={event => void put(name, event.target.checked)}
                />
                <span className="min-w-0 truncate">{name}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <form
        className="flex items-end gap-2"
        onSubmit={event => {
          event.preventDefault()
          const name = fresh.trim()
          if (name) void put(name, true)
          setFresh('')
        }}
      >
        <div className="flex-1">
          <Field
            label={t(path === 'collections' ? 'deed.newCollection' : 'deed.newTag')}
            value={fresh}
            maxLength={200}
            onChange={event => setFresh(event.target.value)}
          />
        </div>
        <Button type="submit" disabled={!fresh.trim()}>
          {t('deed.put')}
        </Button>
      </form>
    </div>
  )
}

function Remove({ deed, onClose, onRemoved }: Done) {
  const t = useText()
  const [notes, setNotes] = useState<'keep' | 'delete'>('keep')
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      for (const one of deed.entries)
        await send('DELETE', `/api/documents/${encodeURIComponent(one.id)}?notes=${notes}`)
      notify(t('deed.removed', { n: deed.entries.length }))
      onClose()
      onRemoved?.()
    } catch (error) {
      notifyError(error)
      setBusy(false)
    }
    await refresh()
    await queryClient.invalidateQueries({ queryKey: ['notes'] })
  }
  const choices = [
    ['keep', t('deed.keepNotes')],
    ['delete', t('deed.deleteNotes')],
  ] as const
  return (
    <Dialog open onClose={onClose} title={t('deed.removeTitle', { n: deed.entries.length })}>
      <p className="font-serif">{named(deed.entries, t('shelf.chosen', { n: deed.entries.length }))}</p>
      <p className="py-3 text-sm text-muted">{t('deed.removeMeans')}</p>
      <fieldset className="grid gap-1 pb-4">
        <legend className="sr-only">{t('nav.notes')}</legend>
        {choices.map(([value, name]) => (
          <label key={value} className="flex min-h-10 items-center gap-3">
            <input
              type="radio"
              name="notes"
              className="size-4 accent-accent"
              checked={notes === value}
              onChange={() => setNotes(value)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="danger" disabled={busy} onClick={() => void remove()}>
          {t('common.remove')}
        </Button>
      </div>
    </Dialog>
  )
}

function named(entries: One[], many: string): string {
  return entries.length === 1 ? (entries[0]?.title ?? '') : many
}
