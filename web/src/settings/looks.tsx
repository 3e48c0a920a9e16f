/** Language, colours and the page one reads on, with a page to look at. */

import { useText } from '../i18n'
import { change, type Language, languageOf, type Reading, type Theme, usePreferences } from '../preferences'
import { Switch } from '../ui/switch'
import { Row, Section, Segments } from './parts'

export function Looks() {
  const t = useText()
  const chosen = usePreferences()
  const { reading } = chosen
  const set = (part: Partial<Reading>) => change({ reading: part })
  return (
    <Section id="looks" title={t('settings.looks')} means={t('settings.looksMeans')}>
      <Row name={t('language.label')}>
        <Segments<Language>
          label={t('language.label')}
          value={languageOf(chosen)}
          options={[
            ['en', 'English'],
            ['zh', '中文'],
          ]}
          onChange={language => change({ language })}
        />
      </Row>
      <Row name={t('theme.label')}>
        <Segments<Theme>
          label={t('theme.label')}
          value={chosen.theme}
          options={(['system', 'light', 'sepia', 'dark'] as const).map(theme => [theme, t(`theme.${theme}`)] as const)}
          onChange={theme => change({ theme })}
        />
      </Row>
      <h3 className="pt-3 font-medium">{t('settings.page')}</h3>
      <Sample reading={reading} />
      <Row name={t('settings.flow')}>
        <Segments
          label={t('settings.flow')}
          value={reading.flow}
          options={[
            ['paginated', t('settings.paginated')],
            ['scrolled', t('settings.scrolled')],
          ]}
          onChange={flow => set({ flow })}
        />
      </Row>
      <Row name={t('settings.font')}>
        <Segments
          label={t('settings.font')}
          value={reading.font}
          options={(['serif', 'sans', 'publisher'] as const).map(font => [font, t(`settings.font.${font}`)] as const)}
          onChange={font => set({ font })}
        />
      </Row>
      <Slider
        name={t('settings.size')}
        value={reading.size}
        from={13}
        to={32}
        step={1}
        shown={`${reading.size} px`}
        onChange={size => set({ size })}
      />
      <Slider
        name={t('settings.lineHeight')}
        value={reading.lineHeight}
        from={1.2}
        to={2.2}
        step={0.05}
        shown={reading.lineHeight.toFixed(2)}
        onChange={lineHeight => set({ lineHeight })}
      />
      <Slider
        name={t('settings.margin')}
        value={reading.margin}
        from={0}
        to={0.25}
        step={0.01}
        shown={`${Math.round(reading.margin * 100)} %`}
        onChange={margin => set({ margin })}
      />
      <Row name={t('settings.columns')}>
        <Segments
          label={t('settings.columns')}
          value={String(reading.columns)}
          options={[
            ['1', t('settings.oneColumn')],
            ['2', t('settings.twoColumns')],
          ]}
          onChange={columns => set({ columns: columns === '2' ? 2 : 1 })}
        />
      </Row>
      <Row name={<span id="justify">{t('settings.justify')}</span>}>
        <Switch labelledBy="justify" checked={reading.justify} onChange={justify => set({ justify })} />
      </Row>
    </Section>
  )
}

function Sample({ reading }: { reading: Reading }) {
  const t = useText()
  return (
    <p
      className={`overflow-hidden rounded-lg bg-surface py-6 shadow-(--shadow) ${reading.font === 'sans' ? 'font-sans' : 'font-serif'}`}
      style={{
        fontSize: reading.size,
        lineHeight: reading.lineHeight,
        paddingInline: `${Math.max(4, reading.margin * 100)}%`,
        textAlign: reading.justify ? 'justify' : 'start',
        columns: reading.columns,
        columnGap: '2.5em',
      }}
    >
      {t('settings.sample')}
    </p>
  )
}

function Slider(it: {
  name: string
  value: number
  from: number
  to: number
  step: number
  shown: string
  onChange(value: number): void
}) {
  return (
    <Row name={it.name}>
      <div className="flex items-center gap-4">
        <input
          type="range"
          aria-label={it.name}
          aria-valuetext={it.shown}
          className="h-10 w-52 accent-accent"
          min={it.from}
          max={it.to}
          step={it.step}
          value={it.value}
          onChange={event => it.onChange(Number(event.target.value))}
        />
        <output className="w-14 text-right text-sm tabular-nums text-muted">{it.shown}</output>
      </div>
    </Row>
  )
}
