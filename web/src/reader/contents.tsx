import { useEffect, useRef } from 'react'
import type { ContentsEntry } from '../api/types'
import { useText } from '../i18n'
import { Empty } from '../ui/states'

/** The contents of a document; of what is not read yet, as far as that is to stay hidden, only the number. */
export function Contents({
  entries,
  here,
  onGo,
}: {
  entries: readonly ContentsEntry[]
  /** Number of the entry that is on the screen. */
  here: number | null
  onGo(entry: ContentsEntry): void
}) {
  const t = useText()
  const current = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'center' }) // returns a promise in newer browsers
  }, [])
  if (!entries.length) return <Empty title={t('reader.noContents')}>{t('reader.noContentsHow')}</Empty>
  return (
    <nav aria-label={t('reader.contents')} data-testid="contents-panel" className="overflow-auto p-2">
      <ol>
        {entries.map(entry => (
          <li key={entry.number} style={{ paddingInlineStart: `${(entry.level - 1) * 0.9}rem` }}>
            <button
              type="button"
              ref={entry.number === here ? current : undefined}
              aria-current={entry.number === here ? 'location' : undefined}
              disabled={entry.start === null}
              onClick={() => onGo(entry)}
              className="flex min-h-10 w-full items-center justify-between gap-3 rounded-md px-3 py-1 text-left text-sm hover:bg-sunken disabled:cursor-default disabled:text-muted disabled:hover:bg-transparent aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent"
            >
              <span className={entry.title === null ? 'text-muted' : ''}>
                {entry.title === null
                  ? t('reader.unread', { n: entry.number })
                  : entry.title || t('reader.untitled', { n: entry.number })}
              </span>
              {entry.page !== null && <span className="text-xs text-muted tabular-nums">{entry.page}</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
