/** What can be done with several documents at once. */

import { FolderPlus, Tag, Trash2, X } from 'lucide-react'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { Button, IconButton } from '../ui/button'
import type { Chosen } from './books'
import type { Deed, DeedKind } from './deeds'

export function Bulk({
  chosen,
  shown,
  onSelected,
  onDeed,
}: {
  chosen: DocumentEntry[]
  shown: DocumentEntry[]
  onSelected(next: Chosen): void
  onDeed(deed: Deed): void
}) {
  const t = useText()
  const act = (kind: DeedKind) => () => onDeed({ kind, entries: chosen })
  return (
    <div
      role="toolbar"
      aria-label={t('shelf.select')}
      className="fixed inset-x-2 bottom-18 z-30 mx-auto flex w-fit items-center gap-1 rounded-full border border-line bg-surface py-1 pl-4 pr-1 shadow-(--shadow) sm:bottom-4"
    >
      <span role="status" className="whitespace-nowrap pr-2 text-sm">
        {t('shelf.chosen', { n: chosen.length })}
      </span>
      {chosen.length < shown.length && (
        <Button
          kind="quiet"
          className="min-h-10! max-sm:hidden"
          onClick={() => onSelected(new Set(shown.map(one => one.id)))}
        >
          {t('shelf.chooseAll')}
        </Button>
      )}
      <IconButton label={t('deed.collections')} disabled={!chosen.length} onClick={act('collections')}>
        <FolderPlus size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('deed.tags')} disabled={!chosen.length} onClick={act('tags')}>
        <Tag size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('deed.remove')} disabled={!chosen.length} onClick={act('remove')} className="text-bad!">
        <Trash2 size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('shelf.selectEnd')} onClick={() => onSelected(null)}>
        <X size={18} aria-hidden />
      </IconButton>
    </div>
  )
}
