/** What was begun and not finished, to go on with one click. */

import { Link } from 'wouter'
import type { DocumentEntry } from '../api/types'
import { useText } from '../i18n'
import { addressOf, readingLabel } from './book'
import { Cover, ReadLine } from './cover'

export function UnderWay({ entries }: { entries: DocumentEntry[] }) {
  const t = useText()
  return (
    <section aria-labelledby="under-way" className="pb-8">
      <h2 id="under-way" className="pb-3 text-sm font-medium text-muted">
        {t('shelf.underWay')}
      </h2>
      <ul className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 sm:-mx-8 sm:scroll-px-8 sm:px-8">
        {entries.map(entry => (
          <li key={entry.id} className="w-72 shrink-0 snap-start">
            <Link
              href={addressOf(entry)}
              className="flex h-full gap-4 rounded-lg border border-line bg-surface p-3 hover:border-edge"
            >
              <Cover of={entry} className="w-16 shrink-0 text-[6.4px]" />
              <span className="flex min-w-0 flex-1 flex-col justify-between">
                <span>
                  <span className="line-clamp-2 font-serif font-medium leading-snug">{entry.title}</span>
                  <span className="line-clamp-1 text-sm text-muted">{entry.authors.join(', ')}</span>
                </span>
                <span className="grid gap-1 text-xs text-muted">
                  {readingLabel(entry, t)}
                  <ReadLine fraction={entry.progress ?? 0} label={readingLabel(entry, t)} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
