import { useQuery } from '@tanstack/react-query'
import { health } from '../api/settings'
import { useText } from '../i18n'
import { Failed } from '../ui/states'
import { useSettings } from './change'
import { Command, Row, Section, Unfold } from './parts'

const PARTS = [
  ['React', 'MIT'],
  ['foliate-js', 'MIT'],
  ['PDF.js', 'Apache-2.0'],
  ['AI SDK', 'Apache-2.0'],
  ['Radix UI', 'MIT'],
  ['TanStack Query, TanStack Virtual', 'MIT'],
  ['react-markdown, remark-gfm', 'MIT'],
  ['markmap', 'MIT'],
  ['Lucide', 'ISC'],
  ['Tailwind CSS', 'MIT'],
  ['wouter', 'Unlicense'],
] as const

export function About() {
  const t = useText()
  const { data, error } = useQuery(health())
  const { byKey } = useSettings()
  return (
    <Section id="about" title={t('settings.about')} means={t('about.means')}>
      {error ? <Failed error={error} /> : <Row name={t('about.version')}>{data?.version ?? '…'}</Row>}
      <Row name={t('folders.library')}>
        <span className="break-all font-mono text-sm">{String(byKey?.get('library')?.value ?? '…')}</span>
      </Row>
      <Row name={t('about.licence')}>Apache-2.0</Row>
      <Unfold title={t('about.parts')}>
        <ul className="grid gap-1 text-sm">
          {PARTS.map(([name, licence]) => (
            <li key={name} className="flex justify-between gap-4">
              <span>{name}</span>
              <span className="text-muted">{licence}</span>
            </li>
          ))}
        </ul>
      </Unfold>
      <p className="text-sm text-muted">
        {t('about.help')} <Command>glossator --help</Command>
      </p>
    </Section>
  )
}
