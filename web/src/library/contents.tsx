import { Link } from 'wouter'
import type { ContentsEntry } from '../api/types'
import { useText } from '../i18n'

/** The contents; what lies beyond the bound is counted only. */
export function Contents({ id, entries }: { id: string; entries: ContentsEntry[] }) {
  const t = useText()
  if (!entries.length) return <p className="text-muted">{t('doc.noContents')}</p>
  const hidden = entries.filter(entry => entry.start === null).length
  const top = Math.min(...entries.map(entry => entry.level))
  return (
    <ol className="-ml-2">
      {entries
        .filter(entry => entry.start !== null)
        .map(entry => (
          <li key={entry.number} style={{ paddingLeft: `${Math.min(4, entry.level - top) * 1.25}rem` }}>
            <Link
              href={`/read/${encodeURIComponent(id)}?at=${entry.start}`}
              className="flex min-h-9 items-center justify-between gap-4 rounded-md px-2 hover:bg-sunken max-sm:min-h-10"
            >
              <span className="font-serif">{entry.title || t('doc.untitled')}</span>
              {entry.page !== null && <span className="text-sm tabular-nums text-muted">{entry.page}</span>}
            </Link>
          </li>
        ))}
      {hidden > 0 && <li className="px-2 pt-2 italic text-muted">{t('doc.hidden', { n: hidden })}</li>}
    </ol>
  )
}
