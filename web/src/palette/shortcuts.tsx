import { type Key, useText } from '../i18n'
import { Dialog } from '../ui/dialog'

const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
/** Keys of one line: pressed together with `+`, else one or the other. Words are translated, signs are not. */
type Line = readonly [what: Key, ...keys: (Key | string)[][]]
const GROUPS: readonly (readonly [Key, readonly Line[]])[] = [
  [
    'keys.anywhere',
    [
      ['keys.palette', [COMMAND, 'K']],
      ['keys.help', ['?']],
      ['keys.close', ['key.escape']],
      ['keys.tab', ['key.tab']],
    ],
  ],
  [
    'keys.reading',
    [
      ['keys.next', ['→'], ['key.space'], ['key.pageDown']],
      ['keys.previous', ['←'], ['key.shift', 'key.space'], ['key.pageUp']],
      ['keys.lines', ['↑'], ['↓']],
      ['keys.ends', ['key.home'], ['key.end']],
      ['keys.find', ['/'], [COMMAND, 'F']],
      ['keys.contents', ['C']],
      ['keys.selection', ['key.enter']],
      ['keys.zoom', ['+'], ['−'], ['0']],
    ],
  ],
  [
    'keys.library',
    [
      ['keys.move', ['←'], ['→'], ['↑'], ['↓']],
      ['keys.open', ['key.enter']],
    ],
  ],
  ['keys.search', [['keys.hits', ['↑'], ['↓']]]],
  [
    'keys.map',
    [
      ['keys.move', ['↑'], ['↓']],
      ['keys.fold', ['←'], ['→']],
      ['keys.go', ['key.enter']],
    ],
  ],
  [
    'keys.asking',
    [
      ['keys.send', ['key.enter']],
      ['keys.line', ['key.shift', 'key.enter']],
    ],
  ],
]

/** All keys that do something, by view. */
export default function Shortcuts({ onClose }: { onClose(): void }) {
  const t = useText()
  return (
    <Dialog open onClose={onClose} title={t('keys.title')}>
      <div
        data-testid="shortcuts"
        role="group"
        aria-label={t('keys.title')}
        tabIndex={0}
        className="gap-8 sm:columns-2"
      >
        {GROUPS.map(([group, lines]) => (
          <section key={group} className="break-inside-avoid pb-5">
            <h3 className="pb-1 text-sm font-medium text-muted">{t(group)}</h3>
            <dl>
              {lines.map(([what, ...ways]) => (
                <div key={what} className="flex items-baseline justify-between gap-4 py-1 text-sm">
                  <dt className="max-w-[55%] shrink-0">{t(what)}</dt>
                  <dd className="flex flex-wrap justify-end gap-1.5">
                    {ways.map(keys => (
                      <Keys key={keys.join()} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  const t = useText()
  return (
    <span className="inline-flex gap-0.5">
      {keys.map(key => (
        <kbd
          key={key}
          className="min-w-6 rounded border border-line bg-sunken px-1.5 text-center font-sans text-xs leading-6"
        >
          {key.startsWith('key.') ? t(key as Key) : key}
        </kbd>
      ))}
    </span>
  )
}
