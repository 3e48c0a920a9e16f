import { Link } from 'wouter'
import type { ContentsEntry } from '../api/types'
import { useText } from '../i18n'

/** The contents; what lies beyond the bound keeps its number and says why it has no title. */
export function Contents({ id, entries }: { id: string; entries: ContentsEntry[] }) {
  const t = useText()
  if (!entries.length) return <p className="text-muted">{t('doc.noContents')}</p>
  const top = Math.min(...entries.map(entry => entry.level))
  return (
    <ol className="-ml-2">
      {entries.map(entry => (
        <li key={entry.number} style={{ paddingLeft: `${Math.min(4, entry.level - top) * 1.25}rem` }}>
          {entry.start === null ? (
            <p className="flex min-h-9 items-center px-2 text-muted">
              <span className="tabular-nums">{entry.number}</span>
              <span className="pl-3 italic">{t('doc.hidden')}</span>
            </p>
          ) : (
            <Link
              href={`/read/${encodeURIComponent(id)}?at=${entry.start}`}
              className="flex min-h-9 items-center justify-between gap-4 rounded-md px-2 hover:bg-sunken max-sm:min-h-10"
            >
              <span className="font-serif">{entry.title || t('doc.untitled')}</span>
              {entry.page !== null && <span className="text-sm tabular-nums text-muted">{entry.page}</span>}
            </Link>
          )}
        </li>
      ))}
    </ol>
  )
}
