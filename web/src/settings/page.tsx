/** All settings on one page: how it looks, who answers, what is kept, and what the server may do. */

import { type Key, useText } from '../i18n'
import { About } from './about'
import { All } from './all'
import { Data } from './data'
import { Embedders } from './embedders'
import { Folders } from './folders'
import { Looks } from './looks'
import { Memories } from './memories'
import { Models } from './models'
import { Work } from './work'

const SECTIONS: [id: string, name: Key, View: () => React.ReactNode][] = [
  ['looks', 'settings.looks', Looks],
  ['models', 'settings.models', Models],
  ['embedders', 'settings.embedders', Embedders],
  ['folders', 'settings.folders', Folders],
  ['memories', 'settings.memories', Memories],
  ['data', 'settings.data', Data],
  ['work', 'settings.work', Work],
  ['all', 'settings.all', All],
  ['about', 'settings.about', About],
]

export default function View() {
  const t = useText()
  return (
    <div className="mx-auto grid max-w-5xl gap-x-12 px-4 pb-24 pt-6 sm:px-8 sm:pt-10 lg:grid-cols-[11rem_1fr]">
      <nav
        aria-label={t('nav.settings')}
        className="min-w-0 max-lg:-mx-4 max-lg:overflow-x-auto max-lg:px-4 lg:sticky lg:top-10 lg:self-start"
      >
        <h1 className="pb-4 font-serif text-2xl">{t('nav.settings')}</h1>
        <ul className="flex gap-1 pb-4 lg:-ml-3 lg:grid">
          {SECTIONS.map(([id, name]) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex min-h-10 items-center whitespace-nowrap rounded-md px-3 text-sm text-muted hover:bg-sunken hover:text-ink"
                onClick={event => {
                  event.preventDefault()
                  const section = document.getElementById(id)
                  section?.scrollIntoView({ behavior: 'smooth' })
                  section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
                }}
              >
                {t(name)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        {SECTIONS.map(([id, , Part]) => (
          <Part key={id} />
        ))}
      </div>
    </div>
  )
}
