import { ListTree, type LucideIcon, MessageCircleQuestion, Network, Search, StickyNote, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Key, useText } from '../i18n'
import { IconButton } from '../ui/button'

export type Tab = 'contents' | 'find' | 'notes' | 'ask' | 'map'
export const TABS: readonly [Tab, Key, LucideIcon][] = [
  ['contents', 'reader.contents', ListTree],
  ['find', 'reader.find', Search],
  ['notes', 'reader.notes', StickyNote],
  ['ask', 'reader.ask', MessageCircleQuestion],
  ['map', 'map.map', Network],
]

/** What stands beside the text, at the right or as a sheet at the bottom of a phone. */
export function Side({
  tab,
  onTab,
  onClose,
  children,
}: {
  tab: Tab
  onTab(tab: Tab): void
  onClose(): void
  children: ReactNode
}) {
  const t = useText()
  const self = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab takes the focus again
  useEffect(() => {
    if (!self.current?.contains(document.activeElement)) self.current?.focus()
  }, [tab])
  return (
    <aside
      ref={self}
      tabIndex={-1}
      aria-label={t('reader.panel')}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
      className="fixed inset-x-0 bottom-0 z-20 flex h-[70dvh] flex-col rounded-t-2xl border-t border-line bg-surface shadow-(--shadow) outline-none sm:static sm:z-auto sm:h-auto sm:w-96 sm:shrink-0 sm:rounded-none sm:border-l sm:border-t-0 sm:shadow-none"
    >
      <div className="flex items-center border-b border-line px-1 py-1">
        <div role="tablist" aria-label={t('reader.panel')} className="flex flex-1">
          {TABS.map(([name, label, Icon]) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === tab}
              aria-label={t(label)}
              title={t(label)}
              onClick={() => onTab(name)}
              className="grid size-10 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-selected:bg-accent-soft aria-selected:text-accent"
            >
              <Icon size={19} aria-hidden />
            </button>
          ))}
        </div>
        <IconButton label={t('common.close')} onClick={onClose}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div role="tabpanel" className="flex min-h-0 flex-1 flex-col">
        {children}
      </div>
    </aside>
  )
}
