/**
 * What is being brought into the library: sent, then followed as a job. It goes on whatever view is open; what another
 * window or an earlier visit began is followed, too. Jobs run one after another, so one stream of events is enough.
 */

import { useSyncExternalStore } from 'react'
import { checked, events, get, Problem, send, url } from '../api/client'
import { queryClient } from '../api/queries'
import type { AddedDocument, Job, JobProgress } from '../api/types'

export type Trouble = { message: string; hint: string }
export type Adding = {
  key: string
  /** The kind of the job: `add` brings documents, others are told of in general words. */
  kind: string
  name: string
  state: 'sending' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  job: string | null
  progress: JobProgress | null
  documents: AddedDocument[]
  trouble: Trouble | null
}
export type State = { open: boolean; items: readonly Adding[] }
type Told = JobProgress | Job

const KEPT_AS = /^\S*[0-9a-f]{64}\.\w+: / // how the server keeps an upload: nothing that a person called it
const SENDERS = 2 // files that are sent at a time
let state: State = { open: false, items: [] }
let last = 0
let following = false
const listeners = new Set<() => void>()
const waiting: { key: string; file: File; collection: string }[] = []
const stops = new Map<string, AbortController>()

export function useAdding(): State {
  return useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, adding)
}

/** The same outside of a view. */
export function adding(): State {
  return state
}

function set(part: Partial<State>): void {
  state = { ...state, ...part }
  for (const listener of listeners) listener()
}

function update(key: string, part: Partial<Adding>): void {
  set({ items: state.items.map(item => (item.key === key ? { ...item, ...part } : item)) })
}

export function openAdding(): void {
  set({ open: true })
}

export function closeAdding(): void {
  set({ open: false })
}

/** Whether something is still to come of an item. */
export function underWork(item: Adding): boolean {
  return item.state === 'sending' || item.state === 'queued' || item.state === 'running'
}

/** Forget what has ended. */
export function clearEnded(): void {
  set({ items: state.items.filter(underWork) })
}

function begun(name: string, part: Partial<Adding> = {}): Adding {
  const key = `a${++last}`
  return { key, kind: 'add', name, state: 'sending', job: null, progress: null, documents: [], trouble: null, ...part }
}

/** Send files, a few at a time; each becomes a job of its own. */
export function addFiles(files: readonly File[], collection = ''): void {
  const items = files.map(file => begun(file.name))
  set({ items: [...state.items, ...items], open: false })
  items.forEach((item, n) => {
    const file = files[n]
    if (file) waiting.push({ key: item.key, file, collection })
  })
  for (let n = 0; n < SENDERS; n++) void sendNext()
}

async function sendNext(): Promise<void> {
  const next = waiting.shift()
  if (!next) return
  const stop = new AbortController()
  stops.set(next.key, stop)
  try {
    const body = new FormData()
    body.append('file', next.file, next.file.name)
    const path = url('/api/documents', { wait: 0, collection: next.collection || null })
    const response = await checked(await fetch(path, { method: 'POST', body, signal: stop.signal }))
    const { job } = (await response.json()) as { job: Job }
    update(next.key, { state: job.state, job: job.id })
    void follow()
  } catch (error) {
    update(next.key, stop.signal.aborted ? { state: 'cancelled' } : { state: 'failed', trouble: troubleOf(error) })
  }
  stops.delete(next.key)
  await sendNext()
}

/** Add what stands at an address or a path of this machine. */
export async function addPath(path: string, collection = ''): Promise<void> {
  const body = { kind: 'add', paths: [path], ...(collection ? { collection } : {}) }
  const job = await send<Job>('POST', '/api/jobs', body)
  set({ items: [...state.items, begun(path, { state: job.state, job: job.id })], open: false })
  void follow()
}

/** Stop one; what it finished stays. */
export async function cancel(item: Adding): Promise<void> {
  const at = waiting.findIndex(one => one.key === item.key)
  if (at >= 0) waiting.splice(at, 1)
  stops.get(item.key)?.abort()
  if (item.job === null) {
    update(item.key, { state: 'cancelled' })
    return
  }
  const job = await send<Job>('DELETE', `/api/jobs/${item.job}`)
  if (job.state === 'cancelled') update(item.key, { state: 'cancelled' })
}

const ANALYSES = new Set(['summary', 'people', 'compare', 'map']) // what a model reads is told where it was asked for

function isOpen({ state }: Job): boolean {
  return state === 'queued' || state === 'running'
}

/** Take up what was begun elsewhere and is not done. */
export async function takeUp(): Promise<void> {
  const { jobs } = await get<{ jobs: Job[] }>('/api/jobs', { limit: 100 })
  const known = new Set(state.items.map(item => item.job))
  const open = jobs.filter(job => isOpen(job) && !ANALYSES.has(job.kind) && !known.has(job.id)).reverse()
  if (open.length)
    set({ items: [...state.items, ...open.map(job => begun('', { kind: job.kind, state: job.state, job: job.id }))] })
  void follow()
}

/** Follow the jobs, the oldest first, until none is left. */
async function follow(): Promise<void> {
  if (following) return
  following = true
  try {
    for (let item = oldest(); item?.job; item = oldest()) await followOne(item.key, item.job)
  } finally {
    following = false
  }
}

function oldest(): Adding | undefined {
  return state.items.find(item => item.job !== null && underWork(item))
}

async function followOne(key: string, job: string): Promise<void> {
  try {
    for await (const told of events<Told>(`/api/jobs/${job}/events`, new AbortController().signal)) hear(key, told)
    if (state.items.some(item => item.key === key && underWork(item))) end(key, await get<Job>(`/api/jobs/${job}`))
  } catch (error) {
    update(key, { state: 'failed', trouble: troubleOf(error) })
  }
  await Promise.all(
    ['documents', 'collections', 'stats', 'jobs', 'backups'].map(one =>
      queryClient.invalidateQueries({ queryKey: [one] }),
    ),
  )
}

function hear(key: string, told: Told): void {
  if ('stage' in told) update(key, { state: 'running', progress: told })
  else end(key, told)
}

function end(key: string, job: Job): void {
  const documents = job.result?.documents ?? []
  const failed = documents.length > 0 && documents.every(one => one.status === 'failed')
  const error = job.error ?? (failed ? documents[0]?.error : null)
  const name = state.items.find(item => item.key === key)?.name ?? ''
  const trouble = error ? { ...error, message: error.message.replace(KEPT_AS, '').replace(`${name}: `, '') } : null
  update(key, { state: failed ? 'failed' : job.state, documents, trouble })
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof Problem) return { message: error.message, hint: error.hint }
  return { message: error instanceof Error ? error.message : String(error), hint: '' }
}
