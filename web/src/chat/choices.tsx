/** What the next question is asked of, how far it may see, and who answers. */

import { useQuery } from '@tanstack/react-query'
import { BookOpen, Eye, EyeOff, Microscope, Sparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import * as queries from '../api/queries'
import { type Model, setModels } from '../api/settings'
import type { ContentsEntry, Progress } from '../api/types'
import { type Translate, useText } from '../i18n'
import type { ReaderHandle } from '../reader/handle'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field } from '../ui/field'
import { type Entry, Menu } from '../ui/menu'
import { type Choices, chapterAt, documentOf, isHiding, readTo, type Scope, sameScope, selectionIn } from './asking'
import { PickScope } from './pick'

const SHAPE =
  'inline-flex min-h-9 max-w-full min-w-0 items-center gap-1.5 rounded-full px-2.5 text-xs text-muted hover:bg-sunken hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:min-h-10'

export type Choosing = { choices: Choices; choose(part: Partial<Choices>): void; handle: ReaderHandle | null }

/** Return the reading progress of the document that is asked, if one is. */
export function useProgress(scope: Scope): Progress | undefined {
  const document = documentOf(scope)
  return useQuery({ ...queries.progress(document ?? ''), enabled: document !== null }).data
}

export function ScopeChoice({ choices, choose, handle }: Choosing) {
  const t = useText()
  const [picking, pick] = useState(false)
  const entries = useScopes({ choices, choose, handle }, () => pick(true))
  const name = useScopeName(choices, handle)
  return (
    <>
      <Menu entries={entries}>
        <button type="button" className={SHAPE} aria-label={`${t('chat.scope')}: ${name}`} data-testid="chat-scope">
          <BookOpen size={14} aria-hidden className="shrink-0" />
          <span className="max-w-44 truncate">{name}</span>
        </button>
      </Menu>
      {picking && (
        <PickScope
          onClose={() => pick(false)}
          onPick={scope => {
            choose({ scope, spoilers: null })
            pick(false)
          }}
        />
      )}
    </>
  )
}

function useScopeName(choices: Choices, handle: ReaderHandle | null): string {
  const t = useText()
  const { scope } = choices
  const progress = useProgress(scope)
  const documents = useQuery({ ...queries.documents(), enabled: handle === null && scope.kind === 'book' })
  switch (scope.kind) {
    case 'selection':
      return t('chat.scope.selection')
    case 'chapter':
      return t('chat.scope.chapterNamed', { title: scope.title })
    case 'collection':
      return t('chat.scope.collection', { name: scope.name })
    case 'library':
      return t('chat.scope.library')
    case 'book':
      if (handle?.document === scope.document)
        return t(isHiding(choices, progress) ? 'chat.scope.sofar' : 'chat.scope.book')
      return documents.data?.documents.find(one => one.id === scope.document)?.title ?? '…'
  }
}

/** Return the entries of the menu: what there is to ask about from here. */
function useScopes({ choices, choose, handle }: Choosing, onOther: () => void): Entry[] {
  const t = useText()
  const here = handle?.document ?? documentOf(choices.scope)
  const progress = useQuery({ ...queries.progress(here ?? ''), enabled: here !== null }).data
  const shown = useQuery({ ...queries.document(here ?? ''), enabled: here !== null }).data
  const entry = (label: string, scope: Scope, spoilers = choices.spoilers): Entry => ({
    label,
    checked: sameScope(scope, choices.scope),
    onSelect: () => choose({ scope, spoilers }),
  })
  const collections = (shown?.collections ?? []).map(name =>
    entry(t('chat.scope.collection', { name }), { kind: 'collection', name }),
  )
  return [
    ...withinDocument(choices.scope, handle, shown?.contents ?? []).map(scope => entry(nameWithin(scope, t), scope)),
    ...(here ? bookEntries(here, choices, progress, choose, t) : []),
    ...collections,
    entry(t('chat.scope.library'), { kind: 'library' }, null),
    'line',
    { label: t('chat.scope.other'), onSelect: onOther },
  ]
}

type Within = Extract<Scope, { kind: 'selection' | 'chapter' }>

/** Return the selection and the chapter of the reading place, as far as there are such. */
function withinDocument(scope: Scope, handle: ReaderHandle | null, contents: readonly ContentsEntry[]): Within[] {
  const found: Within[] = []
  if (scope.kind === 'selection') found.push(scope)
  else if (handle?.selected) found.push(selectionIn(handle.document, handle.selected))
  const chapter = chapterAt(contents, handle?.place?.start ?? null)
  if (handle && chapter?.start != null && chapter.end !== null) {
    const span = { start: chapter.start, end: chapter.end }
    found.push({ kind: 'chapter', document: handle.document, span, title: chapter.title ?? '' })
  }
  return found
}

function nameWithin(scope: Within, t: Translate): string {
  return scope.kind === 'selection' ? t('chat.scope.selection') : t('chat.scope.chapterNamed', { title: scope.title })
}

/** The book as far as it was read, where it is being read, and all of it. */
function bookEntries(
  document: string,
  choices: Choices,
  progress: Progress | undefined,
  choose: Choosing['choose'],
  t: Translate,
): Entry[] {
  const scope: Scope = { kind: 'book', document }
  const [here, hiding] = [sameScope(scope, choices.scope), isHiding({ ...choices, scope }, progress)]
  const whole: Entry = {
    label: t('chat.scope.book'),
    checked: here && !hiding,
    onSelect: () => choose({ scope, spoilers: 'show' }),
  }
  if (!progress || progress.read_to === 0 || progress.finished) return [whole]
  return [
    { label: t('chat.scope.sofar'), checked: here && hiding, onSelect: () => choose({ scope, spoilers: 'hide' }) },
    whole,
  ]
}

/** Return how far answers may see, in words; null where more than one document has a say. */
function boundInWords(progress: Progress | undefined, characters: number | undefined, t: Translate): string | null {
  const bound = readTo(progress, characters)
  if (progress?.read_to === 0) return t('chat.spoilers.nothing')
  if (!bound) return null
  return 'page' in bound ? t('chat.spoilers.upToPage', bound) : t('chat.spoilers.upTo', bound)
}

export function SpoilerChoice({ choices, choose }: Choosing) {
  const t = useText()
  const progress = useProgress(choices.scope)
  const here = documentOf(choices.scope)
  const shown = useQuery({ ...queries.document(here ?? ''), enabled: here !== null }).data
  if (progress?.finished) return null
  const hiding = isHiding(choices, progress)
  const bound = hiding ? boundInWords(progress, shown?.coverage.characters, t) : null
  const Icon = hiding ? EyeOff : Eye
  return (
    <button
      type="button"
      role="switch"
      aria-checked={hiding}
      title={t('chat.spoilers.hide')}
      data-testid="chat-spoilers"
      onClick={() => choose({ spoilers: hiding ? 'show' : 'hide' })}
      className={SHAPE}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className="truncate">
        {t(hiding ? 'chat.spoilers.on' : 'chat.spoilers.off')}
        {bound && ` · ${bound}`}
      </span>
    </button>
  )
}

type Models = { main: string | null; local: string | null; remote: string | null; known: boolean }

/** Return which models are set; `main` answers a question when none is chosen. */
export function useModels(): Models {
  const { data } = useQuery(setModels())
  const of = (fits: (model: Model) => boolean) => data?.find(fits)?.model ?? null
  return {
    main: of(model => model.uses.includes('question')),
    local: of(model => model.name === 'local'),
    remote: of(model => model.name === 'remote'),
    known: data !== undefined,
  }
}

export function ModelChoice({ choices, choose }: Choosing) {
  const t = useText()
  const models = useModels()
  const [own, write] = useState<string | null>(null)
  const { model } = choices
  const entry = (label: string, value: string | null): Entry => ({
    label,
    checked: model === value,
    onSelect: () => choose({ model: value }),
  })
  const entries: Entry[] = [
    entry(t('chat.choice.byDefault', { model: models.main ?? t('chat.choice.none') }), null),
    ...(models.local && models.local !== models.main
      ? [entry(t('chat.choice.local', { model: models.local }), 'local')]
      : []),
    ...(models.remote ? [entry(t('chat.choice.remote', { model: models.remote }), 'remote')] : []),
    ...(models.main ? [entry(t('chat.choice.none'), 'none')] : []),
    ...(model && !['local', 'remote', 'none'].includes(model) ? [entry(model, model)] : []),
    'line',
    { label: t('chat.choice.own'), onSelect: () => write(model?.includes(':') ? model : '') },
  ]
  const named = { local: models.local, remote: models.remote, none: t('chat.choice.none') }[model ?? '']
  const name = named ?? model ?? models.main ?? t('chat.choice.none')
  return (
    <>
      <Menu entries={entries}>
        <button
          type="button"
          className={SHAPE}
          aria-label={t('chat.choice.model', { model: name })}
          data-testid="chat-model"
        >
          <Sparkles size={14} aria-hidden className="shrink-0" />
          <span className="max-w-40 truncate">{name}</span>
        </button>
      </Menu>
      <Dialog open={own !== null} onClose={() => write(null)} title={t('chat.choice.ownTitle')}>
        <form
          className="grid gap-4"
          onSubmit={event => {
            event.preventDefault()
            event.stopPropagation() // the form around this dialog's place would ask
            choose({ model: own?.trim() || null })
            write(null)
          }}
        >
          <Field
            label={t('chat.choice.modelShort')}
            hint={t('chat.choice.ownHint')}
            value={own ?? ''}
            pattern="\s*[a-z\-]+:\S+\s*"
            onChange={event => write(event.target.value)}
          />
          <Button kind="primary" type="submit" className="justify-self-end">
            {t('chat.choice.use')}
          </Button>
        </form>
      </Dialog>
    </>
  )
}

export function ResearchChoice({ choices, choose }: Choosing): ReactNode {
  const t = useText()
  const models = useModels()
  if (choices.model === 'none' || !(choices.model ?? models.main)) return null
  return (
    <button
      type="button"
      aria-pressed={choices.research}
      title={t('chat.research.what')}
      data-testid="chat-research"
      onClick={() => choose({ research: !choices.research })}
      className={SHAPE}
    >
      <Microscope size={14} aria-hidden className="shrink-0" />
      {t('chat.research')}
    </button>
  )
}
