/** Notes out and in, and backups of everything. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { checked, Problem, send } from '../api/client'
import { jobs, queryClient } from '../api/queries'
import { backups, type Imported } from '../api/settings'
import type { Job } from '../api/types'
import { useText } from '../i18n'
import { takeUp } from '../library/adding'
import { ExportChoices } from '../library/exports'
import { bytes, momentOf } from '../library/format'
import { Button } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { notify, notifyError } from '../ui/toast'
import { Command, Row, Section, Unfold } from './parts'

export function Data() {
  const t = useText()
  return (
    <Section id="data" title={t('settings.data')} means={t('data.means')}>
      <Unfold title={t('export.title')}>
        <ExportChoices docs={[]} name="glossator" />
      </Unfold>
      <Import />
      <Backups />
    </Section>
  )
}

export function Import() {
  const t = useText()
  const file = useRef<HTMLInputElement>(null)
  const take = useMutation({
    mutationFn: async (given: File) => {
      const body = new FormData()
      body.append('file', given, given.name)
      return (await (await checked(await fetch('/api/import', { method: 'POST', body }))).json()) as Imported
    },
    onSuccess: () =>
      Promise.all(
        ['notes', 'documents', 'stats', 'tags'].map(key => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  })
  return (
    <div className="grid gap-2">
      <Row name={t('import.title')} means={t('import.means')}>
        <Button disabled={take.isPending} onClick={() => file.current?.click()}>
          {t(take.isPending ? 'import.running' : 'import.choose')}
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          aria-label={t('import.title')}
          onChange={event => {
            const given = event.target.files?.[0]
            if (given) take.mutate(given)
            event.target.value = ''
          }}
        />
      </Row>
      <div role="status" className="text-sm">
        {take.data && <Outcome of={take.data} />}
        {take.error && (
          <p className="text-bad">
            {take.error.message} <span className="text-muted">{take.error instanceof Problem && take.error.hint}</span>
          </p>
        )}
      </div>
    </div>
  )
}

function Outcome({ of }: { of: Imported }) {
  const t = useText()
  const { added, updated, unchanged, failed } = of.notes
  return (
    <>
      <p className={failed ? 'text-warn' : 'text-good'}>{t('import.done', { added, updated, unchanged, failed })}</p>
      <ul className="list-disc pl-5 text-muted">
        {of.problems.slice(0, 20).map(problem => (
          <li key={`${problem.line} ${problem.message}`}>
            {problem.line !== null && `${t('import.line', { n: problem.line })}: `}
            {problem.message}
          </li>
        ))}
      </ul>
    </>
  )
}

function Backups() {
  const t = useText()
  const { data, error, refetch } = useQuery(backups())
  const make = useMutation({
    mutationFn: () => send<Job>('POST', '/api/jobs', { kind: 'backup' }),
    onSuccess: () => {
      notify(t('backup.begun'))
      void takeUp()
      return queryClient.invalidateQueries({ queryKey: jobs().queryKey })
    },
    onError: notifyError,
  })
  const last = data?.backups[0]
  return (
    <div className="grid gap-3">
      <Row name={t('backup.title')} means={t('backup.means')}>
        <Button disabled={!data?.path || make.isPending} onClick={() => make.mutate()}>
          {t('backup.make')}
        </Button>
      </Row>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : !data.path ? (
        <p className="text-sm text-muted">
          {t('backup.noFolder')} <Command>glossator config set backup.path /path/to/folder</Command>
        </p>
      ) : (
        <div className="text-sm text-muted">
          <p className="break-all font-mono">{data.path}</p>
          {data.problem && (
            <p className="text-bad">
              {data.problem.message} <span className="text-muted">{data.problem.hint}</span>
            </p>
          )}
          <p>{last ? lastly(last.verified ?? last.made, t, last.bytes) : t('backup.noneYet')}</p>
        </div>
      )}
    </div>
  )
}

function lastly(when: string, t: ReturnType<typeof useText>, size: number): string {
  return t('backup.last', { when: momentOf(when), size: bytes(size) })
}
