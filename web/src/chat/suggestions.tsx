import { type Key, useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { type Choices, isHiding } from './asking'
import { useProgress } from './choices'

function fitting({ scope }: Choices, hiding: boolean, handle: ReaderHandle | null): Key[] {
  if (scope.kind === 'selection') return ['chat.suggest.explain', 'chat.suggest.meaning']
  if (scope.kind === 'chapter') return ['chat.suggest.chapter', 'chat.suggest.quotes', 'chat.suggest.argument']
  if (scope.kind === 'book' && hiding && handle)
    return ['chat.suggest.sofar', 'chat.suggest.people', 'chat.suggest.quotes']
  if (scope.kind === 'book') return ['chat.suggest.about', 'chat.suggest.people', 'chat.suggest.argument']
  return ['chat.suggest.compare', 'chat.suggest.find']
}

/** What an empty conversation shows: what it is for, and a few questions to begin with. */
export function Suggestions({
  choices,
  handle,
  onAsk,
}: {
  choices: Choices
  handle: ReaderHandle | null
  onAsk(text: string): void
}) {
  const t = useText()
  const hiding = isHiding(choices, useProgress(choices.scope))
  return (
    <div className="grid gap-6 pt-4 sm:pt-[min(12vh,6rem)] text-center">
      <div className="grid gap-2">
        <h2 className="font-serif text-xl text-balance">
          {handle ? t('chat.emptyHere', { title: handle.title }) : t('chat.empty')}
        </h2>
        <p className="text-sm text-balance text-muted">{t('chat.emptyWhat')}</p>
      </div>
      <ul aria-label={t('chat.suggestions')} className="flex flex-wrap justify-center gap-2">
        {fitting(choices, hiding, handle).map(key => (
          <li key={key}>
            <button
              type="button"
              data-testid="chat-suggestion"
              onClick={() => onAsk(t(key))}
              className="min-h-10 rounded-full border border-line bg-surface px-4 text-sm hover:border-edge hover:bg-sunken"
            >
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
