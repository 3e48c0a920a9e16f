import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Mode } from '../api/finding'
import { collections, documents, tags } from '../api/queries'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Choice } from '../ui/field'
import { type Asked, COUNTS, filtersSet } from './address'
import type { Go } from './page'

/** Where and how to look. */
export function Filters({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  const id = useId()
  const set = filtersSet(asked)
  const [open, setOpen] = useState(() => set > 0 && !matchMedia('(max-width: 40rem)').matches)
  return (
    <div className="pb-4 pt-2">
      <div className="-ml-2 flex flex-wrap items-center gap-x-4">
        <Button
          kind="quiet"
          aria-expanded={open}
          aria-controls={id}
          className="min-h-10 text-muted"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal size={16} aria-hidden />
          {set ? t('search.filtersSet', { n: set }) : t('search.filters')}
        </Button>
        <Tick checked={asked.explain} onChange={explain => go({ explain }, { replace: true })}>
          {t('search.explain')}
        </Tick>
        <Tick checked={asked.uncapped} onChange={uncapped => go({ uncapped }, { replace: true })}>
          {t('search.uncapped')}
        </Tick>
      </div>
      {asked.uncapped && <p className="pt-1 text-sm text-warn">{t('search.uncappedOn')}</p>}
      <div id={id} hidden={!open}>
        {open && <Choices asked={asked} go={go} />}
      </div>
    </div>
  )
}

function Choices({ asked, go }: { asked: Asked; go: Go }) {
  const t = useText()
  const any = ['', t('search.any')] as const
  const modes: readonly (readonly [Mode, string])[] = [
    ['hybrid', t('search.mode.hybrid')],
    ['lexical', t('search.mode.lexical')],
    ['vector', t('search.mode.vector')],
  ]
  const groups = useQuery(collections()).data?.collections ?? []
  const marks = useQuery(tags()).data?.tags ?? []
  const set = (next: Partial<Asked>) => go(next, { replace: true })
  return (
    <div className="grid grid-cols-2 gap-3 rounded-xl bg-sunken p-4 sm:grid-cols-3">
      <div className="col-span-2 sm:col-span-1">
        <DocumentChoice
          label={t('search.doc')}
          none={t('search.any')}
          value={asked.doc}
          onChange={doc => set({ doc })}
        />
      </div>
      <Choice
        label={t('search.collection')}
        value={asked.collection}
        options={[any, ...groups.map(g => [g.name, g.name] as const)]}
        onChange={event => set({ collection: event.target.value })}
      />
      <Choice
        label={t('search.tag')}
        value={asked.tag}
        options={[any, ...marks.map(one => [one.name, one.name] as const)]}
        onChange={event => set({ tag: event.target.value })}
      />
      <Choice
        label={t('search.mode')}
        value={asked.mode}
        options={modes}
        onChange={event => set({ mode: event.target.value as Mode })}
      />
      <Choice
        label={t('search.count')}
        value={String(asked.k)}
        options={COUNTS.map(n => [String(n), String(n)] as const)}
        onChange={event => set({ k: Number(event.target.value) })}
      />
      {filtersSet(asked) > 0 && (
        <div className="flex items-end">
          <Button
            className="min-h-9 w-full"
            onClick={() => set({ doc: '', collection: '', tag: '', mode: 'hybrid', k: 10 })}
          >
            {t('search.reset')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A choice among the documents of the library. */
export function DocumentChoice({
  label,
  none,
  value,
  hidden,
  onChange,
}: {
  label: string
  none: string
  value: string
  hidden?: boolean
  onChange(id: string): void
}) {
  const found = useQuery(documents()).data?.documents ?? []
  const named = found.map(one => [one.id, one.title] as const).sort((a, b) => a[1].localeCompare(b[1]))
  return (
    <Choice
      label={label}
      hidden={hidden}
      value={value}
      options={[['', none], ...named]}
      onChange={event => onChange(event.target.value)}
    />
  )
}

export function Tick({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange(checked: boolean): void
  children: ReactNode
}) {
  return (
    <label className="inline-flex min-h-10 cursor-pointer items-center gap-2 px-2 text-sm text-muted">
      <input
        type="checkbox"
        className="size-4 accent-(--accent)"
        checked={checked}
        onChange={event => onChange(event.target.checked)}
      />
      {children}
    </label>
  )
}
