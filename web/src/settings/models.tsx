/** The language models: which there are, which answers what, and whether each does. */

import { useQuery } from '@tanstack/react-query'
import { type Model, setModels } from '../api/settings'
import { type Translate, useText } from '../i18n'
import { Failed, Loading } from '../ui/states'
import { ChoiceSetting, TextSetting, useSettings } from './change'
import { Checking } from './checking'
import { Command, Row, Section } from './parts'

const KINDS = ['main', 'local', 'remote'] as const
const TASKS = ['question', 'research', 'book', 'rewrite'] as const
const EXAMPLES = { main: 'ollama:qwen3:8b', local: 'ollama:qwen3:8b', remote: 'anthropic:claude-sonnet-4-5' } as const

export function Models() {
  const t = useText()
  const { byKey, error, refetch } = useSettings()
  const found = useQuery(setModels())
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!byKey) return <Loading />
  const named = (kind: (typeof KINDS)[number]) => byKey.get(kind === 'main' ? 'model.model' : `model.${kind}.model`)
  const any = KINDS.some(kind => named(kind)?.value)
  return (
    <Section id="models" title={t('settings.models')} means={t('models.means')}>
      {!any && <p className="rounded-lg bg-sunken p-4 text-sm">{t('models.none')}</p>}
      {KINDS.map(kind => {
        const setting = named(kind)
        if (!setting) return null
        const model = found.data?.find(one => one.name === kind)
        return (
          <div key={kind} className="grid gap-2">
            <Row name={t(`models.${kind}`)} means={t(`models.${kind}Means`)}>
              <TextSetting of={setting} label={t(`models.${kind}`)} placeholder={EXAMPLES[kind]} />
            </Row>
            {setting.value !== null && setting.value !== 'none' && (
              <Row name="" means={model && <Facts of={model} t={t} />}>
                <Checking what={{ what: 'model', model: kind }} name={String(setting.value)} />
              </Row>
            )}
          </div>
        )
      })}
      <h3 className="pt-3 font-medium">{t('models.tasks')}</h3>
      {TASKS.map(task => {
        const setting = byKey.get(`model.use.${task}`)
        if (!setting) return null
        return (
          <Row key={task} name={t(`models.task.${task}`)} means={t(`models.task.${task}Means`)}>
            <ChoiceSetting
              of={setting}
              label={t(`models.task.${task}`)}
              options={[
                ...(setting.value === null ? ([['', t('models.main')]] as const) : []),
                ['local', t('models.local')],
                ['remote', t('models.remote')],
              ]}
            />
          </Row>
        )
      })}
      <p className="text-sm text-muted">
        {t('models.keys')} <Command>glossator config set-key anthropic</Command>
        <br />
        {t('models.addresses')} <Command>glossator config set model.base_url http://127.0.0.1:8080/v1</Command>
      </p>
    </Section>
  )
}

/** Where a model is, what it needs, and what it answers. */
function Facts({ of, t }: { of: Model; t: Translate }) {
  const uses = TASKS.filter(task => of.uses.includes(task)).map(task => t(`models.task.${task}`))
  return (
    <>
      <span className="block break-all">{t(of.remote ? 'models.away' : 'models.here', { host: of.host })}</span>
      {of.remote && !of.key && <span className="block text-warn">{t('models.noKey')}</span>}
      {uses.length > 0 && <span className="block">{t('models.uses', { tasks: uses.join(', ') })}</span>}
    </>
  )
}
