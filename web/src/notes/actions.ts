/** What is done with notes. Each action says what went wrong by itself, and brings every list up to date. */

import { send } from '../api/client'
import { queryClient } from '../api/queries'
import type { Color, Note, Relation } from '../api/types'
import type { Span } from '../book/viewer'
import { translate } from '../i18n'
import { notify, notifyError } from '../ui/toast'

export type Change = { body?: string; color?: Color; tags?: string[] }

function at(note: string): string {
  return `/api/notes/${encodeURIComponent(note)}`
}

/** Run something that changes notes; return whether it worked. */
async function changed(run: () => Promise<unknown>, said?: () => void): Promise<boolean> {
  try {
    await run()
    said?.()
    return true
  } catch (error) {
    notifyError(error)
    return false
  } finally {
    await Promise.all(['notes', 'note', 'tags'].map(key => queryClient.invalidateQueries({ queryKey: [key] })))
  }
}

export function edit(note: Note, change: Change): Promise<boolean> {
  return changed(() => send('PATCH', at(note.id), { ...change, uncapped: true }))
}

/** Remove a note; one that has a place can be made again for a while, with its links. */
export function remove(note: Note): Promise<boolean> {
  const again = { label: translate('note.undo'), run: () => void restore(note) }
  return changed(
    () => send('DELETE', `${at(note.id)}?uncapped=true`),
    () => notify(translate('note.removed'), note.locator ? again : undefined),
  )
}

function restore({ document, locator, body, color, tags, links }: Note): Promise<boolean> {
  return changed(async () => {
    if (!locator) return
    const span = [locator.start, locator.end]
    const made = { doc: document.id, span, body, color, tags, uncapped: true }
    const { id } = await send<Note>('POST', '/api/notes', made)
    for (const link of links) {
      const [from, to] = link.direction === 'in' ? [link.id, id] : [id, link.id]
      await send('POST', `${at(from)}/links`, { note: to, relation: link.relation, uncapped: true })
    }
  })
}

export function link(note: string, other: string, relation: Relation): Promise<boolean> {
  return changed(
    () => send('POST', `${at(note)}/links`, { note: other, relation, uncapped: true }),
    () => notify(translate('note.linked')),
  )
}

export function unlink(note: string, other: string, relation: Relation): Promise<boolean> {
  const path = `${at(note)}/links/${encodeURIComponent(other)}?relation=${relation}&uncapped=true`
  return changed(
    () => send('DELETE', path),
    () => notify(translate('note.unlinked')),
  )
}

export function attach(note: Note, span: Span): Promise<boolean> {
  return changed(
    () =>
      send('POST', `${at(note.id)}/attach`, { doc: note.document.id, span: [span.start, span.end], uncapped: true }),
    () => notify(translate('note.attached')),
  )
}

/** Copy a note as Markdown: the quotation with where it stands, then what was written. */
export async function copy(note: Note): Promise<void> {
  const page = note.locator?.page_label ?? note.locator?.page
  const section = note.locator?.section?.path.at(-1)
  const place = [note.document.title, section, page && translate('note.page', { page })].filter(Boolean).join(', ')
  const quote = (note.quote ?? '').replace(/\n+/g, '\n> ')
  try {
    await navigator.clipboard.writeText([quote ? `> ${quote}\n>\n> — ${place}` : place, note.body].join('\n\n').trim())
    notify(translate('note.copied'))
  } catch (error) {
    notifyError(error)
  }
}
