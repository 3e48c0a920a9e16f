import { Minus, Plus, Type } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import type { Zoom } from '../book/viewer'
import { useText } from '../i18n'
import { change, type Reading, type Theme, usePreferences } from '../preferences'
import { IconButton } from '../ui/button'

const THEMES: readonly Theme[] = ['system', 'light', 'sepia', 'dark']

/** How the text looks, and what of it stays hidden. A document with pages of its own has a zoom instead of type. */
export function Looks({
  zoom,
  hiding,
  onHiding,
}: {
  zoom: Zoom | null
  /** Whether what is not read yet is hidden. */
  hiding: boolean
  onHiding(hide: boolean): void
}) {
  const t = useText()
  const { theme } = usePreferences()
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton label={t('reader.appearance')}>
          <Type size={19} aria-hidden />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('reader.appearance')}
          className="z-40 grid max-h-[80dvh] w-80 max-w-[calc(100vw-1rem)] gap-3 overflow-auto rounded-xl border border-line bg-surface p-4 shadow-(--shadow)"
        >
          <Row label={t('theme.label')}>
            <Picks
              label={t('theme.label')}
              options={THEMES.map(name => [name, t(`theme.${name}`)] as const)}
              chosen={theme}
              onChoose={name => change({ theme: name })}
            />
          </Row>
          {zoom ? <ZoomRow zoom={zoom} /> : <TypeRows />}
          <label className="flex min-h-10 cursor-pointer items-center gap-3 border-t border-line pt-3 text-sm">
            <input
              type="checkbox"
              checked={hiding}
              onChange={event => onHiding(event.target.checked)}
              className="size-5 accent-(--accent)"
            />
            <span>
              <span className="block font-medium">{t('look.spoilers')}</span>
              <span className="text-muted">{t('look.spoilersWhy')}</span>
            </span>
          </label>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function TypeRows() {
  const t = useText()
  const { reading } = usePreferences()
  const set = (part: Partial<Reading>) => change({ reading: part })
  return (
    <>
      <Row label={t('look.size')}>
        <Stepper label={t('look.size')} value={reading.size} range={[12, 36]} onSet={size => set({ size })} />
      </Row>
      <Row label={t('look.font')}>
        <Picks
          label={t('look.font')}
          options={(['serif', 'sans', 'publisher'] as const).map(name => [name, t(`look.${name}`)] as const)}
          chosen={reading.font}
          onChoose={font => set({ font })}
        />
      </Row>
      <Row label={t('look.flow')}>
        <Picks
          label={t('look.flow')}
          options={(['paginated', 'scrolled'] as const).map(name => [name, t(`look.${name}`)] as const)}
          chosen={reading.flow}
          onChoose={flow => set({ flow })}
        />
      </Row>
      {reading.flow === 'paginated' && (
        <Row label={t('look.columns')}>
          <Picks
            label={t('look.columns')}
            options={[
              ['1', t('look.one')],
              ['2', t('look.two')],
            ]}
            chosen={String(reading.columns)}
            onChoose={columns => set({ columns: columns === '2' ? 2 : 1 })}
          />
        </Row>
      )}
      <Range
        label={t('look.lineHeight')}
        value={reading.lineHeight}
        range={[1.2, 2.2, 0.05]}
        onSet={lineHeight => set({ lineHeight })}
      />
      <Range
        label={t('look.margin')}
        value={reading.margin}
        range={[0, 0.25, 0.01]}
        onSet={margin => set({ margin })}
      />
      <label className="flex min-h-10 cursor-pointer items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={reading.justify}
          onChange={event => set({ justify: event.target.checked })}
          className="size-5 accent-(--accent)"
        />
        {t('look.justify')}
      </label>
    </>
  )
}

function ZoomRow({ zoom }: { zoom: Zoom }) {
  const t = useText()
  return (
    <Row label={t('look.zoom')}>
      <div className="flex flex-wrap items-center gap-1">
        <IconButton label={t('look.smaller')} onClick={() => zoom.set('out')}>
          <Minus size={16} aria-hidden />
        </IconButton>
        <span className="w-14 text-center text-sm tabular-nums">{Math.round(zoom.factor * 100)} %</span>
        <IconButton label={t('look.larger')} onClick={() => zoom.set('in')}>
          <Plus size={16} aria-hidden />
        </IconButton>
        <Picks
          label={t('look.zoom')}
          options={[
            ['page-width', t('look.width')],
            ['page-fit', t('look.whole')],
          ]}
          chosen={zoom.level}
          onChoose={level => zoom.set(level)}
        />
      </div>
    </Row>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <span className="text-xs text-muted">{label}</span>
      {children}
    </div>
  )
}

function Picks<T extends string>({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly (readonly [T, string])[]
  chosen: T
  onChoose(option: T): void
}) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap gap-1">
      {options.map(([value, name]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
          className="min-h-10 rounded-md bg-sunken px-3 text-sm hover:text-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

function Stepper({
  label,
  value,
  range: [least, most],
  onSet,
}: {
  label: string
  value: number
  range: [number, number]
  onSet(value: number): void
}) {
  const t = useText()
  return (
    <fieldset aria-label={label} className="flex items-center gap-1">
      <IconButton label={t('look.smaller')} disabled={value <= least} onClick={() => onSet(value - 1)}>
        <Minus size={16} aria-hidden />
      </IconButton>
      <output className="w-10 text-center text-sm tabular-nums">{value}</output>
      <IconButton label={t('look.larger')} disabled={value >= most} onClick={() => onSet(value + 1)}>
        <Plus size={16} aria-hidden />
      </IconButton>
    </fieldset>
  )
}

function Range({
  label,
  value,
  range: [min, max, step],
  onSet,
}: {
  label: string
  value: number
  range: [number, number, number]
  onSet(value: number): void
}) {
  return (
    <label className="grid gap-1">
      <span className="text-xs text-muted">{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        onChange={event => onSet(Number(event.target.value))}
        className="h-8 w-full accent-(--accent)"
      />
    </label>
  )
}
