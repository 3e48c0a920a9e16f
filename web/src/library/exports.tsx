import { useState } from 'react'
import { checked, url } from '../api/client'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Failed } from '../ui/states'
import { notify } from '../ui/toast'
import { download, fileName } from './format'

const FORMATS = [
  { name: 'markdown', suffix: 'md' },
  { name: 'obsidian', suffix: 'zip' },
  { name: 'json', suffix: 'json' },
  { name: 'w3c', suffix: 'jsonld' },
  { name: 'csv', suffix: 'csv' },
  { name: 'bibtex', suffix: 'bib' },
] as const

/** Notes and references to take along; of all documents when none are named. */
export default function Exports({ docs, name, onClose }: { docs: string[]; name: string; onClose(): void }) {
  const t = useText()
  return (
    <Dialog open onClose={onClose} title={t('export.title')}>
      <ExportChoices docs={docs} name={name} />
    </Dialog>
  )
}

export function ExportChoices({ docs, name }: { docs: string[]; name: string }) {
  const t = useText()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState('')
  const take = async ({ name: format, suffix }: (typeof FORMATS)[number]) => {
    setBusy(format)
    setError(null)
    try {
      const path = url('/api/export/file', { format, doc: docs, uncapped: true })
      download(`${fileName(name)}.${suffix}`, await (await checked(await fetch(path))).blob())
      notify(t('export.done'))
    } catch (problem) {
      setError(problem)
    }
    setBusy('')
  }
  return (
    <div className="grid gap-3">
      <ul className="grid gap-1">
        {FORMATS.map(format => (
          <li key={format.name} className="flex items-center gap-4 py-1">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{t(`export.${format.name}`)}</p>
              <p className="text-sm text-muted">{t(`export.${format.name}For`)}</p>
            </div>
            <Button
              disabled={busy !== ''}
              aria-label={`${t('export.take')}: ${t(`export.${format.name}`)}`}
              onClick={() => void take(format)}
            >
              {t('export.take')}
            </Button>
          </li>
        ))}
      </ul>
      {error !== null && <Failed error={error} />}
    </div>
  )
}
