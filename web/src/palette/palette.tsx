/** A list of everything one can go to or do, narrowed by what is typed. */

import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { documents } from '../api/queries'
import { useText } from '../i18n'
import { type Entry, offered } from './entries'

export default function Palette({ onClose, onShortcuts }: { onClose(): void; onShortcuts(): void }) {
  const t = useText()
  const id = useId()
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const [address, navigate] = useLocation()
  const known = useQuery(documents()).data?.documents
  const groups = useMemo(
    () => offered(words, known ?? [], address, t, onShortcuts),
    [words, known, address, t, onShortcuts],
  )
  const entries = groups.flatMap(group => group.entries)
  const chosen = entries[Math.min(at, entries.length - 1)]
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (chosen) list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const go = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    if (entry.href) navigate(entry.href)
    entry.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.nativeEvent.isComposing || (!step && event.key !== 'Enter')) return
    event.preventDefault()
    if (step) setAt((Math.min(at, entries.length - 1) + step + entries.length) % Math.max(1, entries.length))
    else go(chosen)
  }
  const option = (entry: Entry) => `${id}-${entry.id.replace(/[^\w]/g, '_')}`
  return (
    <Dialog.Root open onOpenChange={open => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          data-testid="palette"
          className="fixed inset-x-4 top-4 z-50 mx-auto flex max-h-[min(36rem,calc(100dvh-2rem))] max-w-xl flex-col overflow-hidden rounded-xl bg-surface shadow-(--shadow) sm:top-[12vh] sm:max-h-[70dvh]"
        >
          <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Search size={18} aria-hidden className="shrink-0 text-muted" />
            <input
              role="combobox"
              aria-label={t('palette.placeholder')}
              aria-expanded
              aria-controls={id}
              aria-activedescendant={chosen ? option(chosen) : undefined}
              aria-autocomplete="list"
              autoComplete="off"
              placeholder={t('palette.placeholder')}
              value={words}
              onChange={event => {
                setWords(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              className="min-h-14 w-full bg-transparent outline-none placeholder:text-muted"
            />
          </div>
          <div ref={list} id={id} role="listbox" aria-label={t('palette.title')} className="min-h-0 overflow-auto p-2">
            {groups.map(group => (
              <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
                <p id={`${id}-${group.name}`} className="px-3 pb-1 pt-3 text-xs text-muted">
                  {t(group.name)}
                </p>
                {group.entries.map(entry => (
                  <Option
                    key={entry.id}
                    id={option(entry)}
                    entry={entry}
                    chosen={entry === chosen}
                    onChosen={() => setAt(entries.indexOf(entry))}
                    onGo={() => go(entry)}
                  />
                ))}
              </div>
            ))}
          </div>
          {!entries.length && <p className="px-5 pb-4 text-muted">{t('palette.none')}</p>}
          <p className="hidden border-t border-line px-4 py-2 text-xs text-muted sm:block">{t('palette.hint')}</p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Option({
  id,
  entry,
  chosen,
  onChosen,
  onGo,
}: {
  id: string
  entry: Entry
  chosen: boolean
  onChosen(): void
  onGo(): void
}) {
  const Icon = entry.icon
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      onPointerMove={onChosen}
      onClick={onGo}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-sm aria-selected:bg-accent-soft"
    >
      <Icon size={17} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">{entry.name}</span>
      {entry.also && <span className="ml-auto min-w-0 shrink truncate pl-4 text-muted">{entry.also}</span>}
    </div>
  )
}
