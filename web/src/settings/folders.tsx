/** The folders that are used, and what the tools of a model may reach: shown here, set on the command line. */

import type { Setting } from '../api/settings'
import { useText } from '../i18n'
import { Failed, Loading } from '../ui/states'
import { useSettings } from './change'
import { Checking } from './checking'
import { Command, Row, Section } from './parts'

const REACHES = ['files', 'web', 'data', 'system', 'shell'] as const

export function Folders() {
  const t = useText()
  const { byKey, error, refetch } = useSettings()
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!byKey) return <Loading />
  const kept = (key: string) => valueIn(byKey, key)
  const allowed = listed(kept('tools.allow'))
  const folders = listed(kept('tools.folders'))
  return (
    <Section id="folders" title={t('settings.folders')} means={t('folders.means')}>
      <Row name={t('folders.library')} means={<span className="break-all font-mono">{kept('library')}</span>} />
      <Folder
        name={t('folders.backup')}
        path={kept('backup.path')}
        command="glossator config set backup.path /path/to/folder"
      />
      {folders.length > 0 ? (
        folders.map(path => <Folder key={path} name={t('folders.tools')} path={path} />)
      ) : (
        <Row name={t('folders.tools')} means={t('folders.anyTools')}>
          <Command>glossator config set tools.folders /path/to/folder</Command>
        </Row>
      )}
      <h3 className="pt-3 font-medium">{t('reach.title')}</h3>
      <p className="max-w-prose text-sm text-muted">{t('reach.means')}</p>
      <ul className="grid gap-3">
        {REACHES.map(reach => (
          <li key={reach}>
            <Row name={t(`reach.${reach}`)} means={t(`reach.${reach}Means`)}>
              <span className={allowed.includes(reach) ? 'font-medium text-warn' : 'text-muted'}>
                {t(allowed.includes(reach) ? 'reach.allowed' : 'reach.closed')}
              </span>
            </Row>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        {t('reach.how')} <Command>glossator config set tools.allow files,web</Command>
      </p>
    </Section>
  )
}

function Folder({ name, path, command = '' }: { name: string; path: string; command?: string }) {
  const t = useText()
  return (
    <Row name={name} means={<span className="break-all font-mono">{path || t('folders.unset')}</span>}>
      {path ? <Checking what={{ what: 'folder', path }} name={path} /> : <Command>{command}</Command>}
    </Row>
  )
}

function valueIn(byKey: ReadonlyMap<string, Setting>, key: string): string {
  const value = byKey.get(key)?.value
  return value === null || value === undefined ? '' : String(value)
}

function listed(value: string): string[] {
  return value
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)
}
