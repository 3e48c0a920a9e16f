/** Every setting with its value and where that comes from, for those who want to know. */

import type { Setting } from '../api/settings'
import { useText } from '../i18n'
import { Failed, Loading } from '../ui/states'
import { TextSetting, useSettings } from './change'
import { Command, Row, Section, Unfold } from './parts'

export function All() {
  const t = useText()
  const { data, error, refetch } = useSettings()
  return (
    <Section id="all" title={t('settings.all')} means={t('all.means')}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <Unfold title={t('all.show', { n: data.settings.length })}>
          <div className="grid gap-5">
            {data.settings.map(setting => (
              <Row
                key={setting.key}
                name={<span className="font-mono text-sm">{setting.key}</span>}
                means={setting.help}
              >
                {setting.writable ? <TextSetting of={setting} label={setting.key} /> : <Shown of={setting} />}
              </Row>
            ))}
          </div>
        </Unfold>
      )}
    </Section>
  )
}

function Shown({ of }: { of: Setting }) {
  return (
    <div className="grid gap-1 sm:w-72">
      {of.value !== null && <p className="break-all text-sm">{of.value}</p>}
      {of.key !== 'library' && <Command>{`glossator config set ${of.key} …`}</Command>}
    </div>
  )
}
