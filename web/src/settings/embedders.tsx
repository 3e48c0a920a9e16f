/** What turns text into vectors, so that passages are found by meaning. */

import { useQuery } from '@tanstack/react-query'
import { type Embedder, models } from '../api/settings'
import { type Translate, useText } from '../i18n'
import { languageName } from '../library/format'
import { Failed, Loading } from '../ui/states'
import { ChoiceSetting, useSettings } from './change'
import { Checking } from './checking'
import { Row, Section, Unfold } from './parts'

export function Embedders() {
  const t = useText()
  const found = useQuery(models())
  const { byKey, error } = useSettings()
  const trouble = found.error ?? error
  if (trouble) return <Failed error={trouble} onRetry={() => void found.refetch()} />
  if (!found.data || !byKey) return <Loading />
  const setting = byKey.get('embedder')
  const installed = found.data.embedders.filter(one => one.installed && one.name !== 'none')
  const others = found.data.embedders.filter(one => !one.installed)
  const names = ['none', ...installed.map(one => one.name)]
  const value = setting?.value === null || setting === undefined ? '' : String(setting.value)
  return (
    <Section id="embedders" title={t('settings.embedders')} means={t('embedders.means')}>
      {setting && (
        <Row name={t('embedders.chosen')} means={t('embedders.chosenMeans')}>
          <ChoiceSetting
            of={setting}
            label={t('embedders.chosen')}
            options={[
              ...(value === '' ? ([['', t('embedders.auto')]] as const) : []),
              ...(value && !names.includes(value) ? ([[value, value]] as const) : []),
              ...names.map(name => [name, name === 'none' ? t('embedders.none') : name] as const),
            ]}
          />
        </Row>
      )}
      {installed.map(one => (
        <Row key={one.name} name={<span className="font-mono text-sm">{one.name}</span>} means={factsOf(one, t)}>
          <Checking what={{ what: 'embedder', embedder: one.name }} name={one.name} />
        </Row>
      ))}
      {others.length > 0 && (
        <Unfold title={t('embedders.others')}>
          <ul className="grid gap-3 text-sm">
            {others.map(one => (
              <li key={one.name}>
                <span className="font-mono">{one.name}</span>
                <span className="text-muted"> {[one.what, one.hint].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
        </Unfold>
      )}
    </Section>
  )
}

function factsOf(one: Embedder, t: Translate): string {
  const languages = one.languages?.includes('*') ? t('embedders.all') : one.languages?.map(languageName).join(', ')
  return [
    languages,
    t(one.network ? 'embedders.network' : 'embedders.here'),
    one.size_mb && `${one.size_mb} MB`,
    one.licence,
  ]
    .filter(Boolean)
    .join(' · ')
}
