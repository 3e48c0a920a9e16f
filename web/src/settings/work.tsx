/** Long work of the server, and how the library is. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { AlertTriangle, CheckCircle2, XCircle } from 'lucide-react'
import { get, send } from '../api/client'
import { jobs, queryClient } from '../api/queries'
import type { Diagnosis } from '../api/settings'
import type { Job } from '../api/types'
import { useText } from '../i18n'
import { takeUp } from '../library/adding'
import { momentOf } from '../library/format'
import { Button } from '../ui/button'
import { Failed, Loading } from '../ui/states'
import { notifyError } from '../ui/toast'
import { Row, Section } from './parts'

const SHOWN = 10
const OPEN = new Set<Job['state']>(['queued', 'running'])

export function Work() {
  const t = useText()
  return (
    <Section id="work" title={t('settings.work')} means={t('work.means')}>
      <Health />
      <Jobs />
    </Section>
  )
}

function Health() {
  const t = useText()
  const look = useMutation({ mutationFn: () => get<{ ok: boolean; checks: Diagnosis[] }>('/api/doctor') })
  const repair = useMutation({
    mutationFn: () => send<Job>('POST', '/api/jobs', { kind: 'repair' }),
    onSuccess: () => void takeUp(),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobs().queryKey }),
  })
  const wrong = look.data?.checks.filter(one => one.status !== 'ok') ?? []
  return (
    <div className="grid gap-3">
      <Row name={t('doctor.title')} means={t('doctor.means')}>
        <div className="flex gap-2">
          <Button disabled={look.isPending} onClick={() => look.mutate()}>
            {t(look.isPending ? 'check.running' : 'doctor.look')}
          </Button>
          {wrong.length > 0 && (
            <Button disabled={repair.isPending} onClick={() => repair.mutate()}>
              {t('doctor.repair')}
            </Button>
          )}
        </div>
      </Row>
      <div role="status" className="grid gap-2 text-sm">
        {look.error && <Failed error={look.error} />}
        {look.data && !wrong.length && (
          <p className="flex items-center gap-1.5 text-good">
            <CheckCircle2 size={15} aria-hidden /> {t('doctor.fine', { n: look.data.checks.length })}
          </p>
        )}
        {wrong.map(one => (
          <div key={one.name} className="flex items-start gap-1.5">
            {one.status === 'failed' ? (
              <XCircle size={15} aria-hidden className="mt-0.5 shrink-0 text-bad" />
            ) : (
              <AlertTriangle size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />
            )}
            <p>
              {one.detail}
              {one.hint && <span className="block text-muted">{one.hint}</span>}
            </p>
          </div>
        ))}
      </div>
    </div>
  )
}

function Jobs() {
  const t = useText()
  const { data, error, refetch } = useQuery({
    ...jobs(),
    refetchInterval: query => (query.state.data?.jobs.some(job => OPEN.has(job.state)) ? 2_000 : false),
  })
  const stop = useMutation({
    mutationFn: (id: string) => send('DELETE', `/api/jobs/${id}`),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: jobs().queryKey }),
  })
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <div className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">{t('work.jobs')}</h3>
      {data.jobs.length === 0 && <p className="text-muted">{t('work.none')}</p>}
      <ul className="text-sm">
        {data.jobs.slice(0, SHOWN).map(job => (
          <Line key={job.id} job={job} busy={stop.isPending} onStop={() => stop.mutate(job.id)} />
        ))}
      </ul>
    </div>
  )
}

function Line({ job, busy, onStop }: { job: Job; busy: boolean; onStop(): void }) {
  const t = useText()
  const name = named(job)
  const failed = job.result?.documents?.filter(one => one.status === 'failed') ?? []
  const nothing = failed.length > 0 && failed.length === job.result?.documents?.length
  const trouble = job.error?.message ?? failed.map(one => one.error?.message ?? '').join(' ')
  const bad = job.state === 'failed' || nothing
  return (
    <li className="flex items-center gap-3 border-b border-line py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate">
          {t(KINDS[job.kind] ?? 'work.other')}
          {name && <span className="text-muted">: {name}</span>}
        </p>
        <p className={bad ? 'text-bad' : 'text-muted'}>
          {t(bad ? 'work.failed' : `work.${job.state}`)} · {momentOf(job.updated)}
          {trouble && <span className="block break-words">{trouble}</span>}
        </p>
      </div>
      {OPEN.has(job.state) && (
        <Button disabled={busy} onClick={onStop}>
          {t('common.cancel')}
        </Button>
      )}
    </li>
  )
}

const KINDS: Record<string, 'work.add' | 'work.scan' | 'work.repair' | 'work.backup' | 'work.analysis'> = {
  add: 'work.add',
  scan: 'work.scan',
  repair: 'work.repair',
  backup: 'work.backup',
  summary: 'work.analysis',
  people: 'work.analysis',
  compare: 'work.analysis',
  map: 'work.analysis',
}

function named(job: Job): string {
  return (job.result?.documents ?? [])
    .map(one => one.title)
    .filter(Boolean)
    .join(', ')
}
