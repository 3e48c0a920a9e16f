/** Analyses by a language model: begun as long work of the server, followed, stopped; they go on when a view is left. */

import { useSyncExternalStore } from 'react'
import { events, get, send } from '../api/client'
import type { Usage } from '../api/types'

export type Wanted = {
  kind: 'summary' | 'people' | 'compare' | 'map'
  doc?: string
  collection?: string
  section?: number
  claim?: string
  uncapped?: boolean
}
/** What a model made: the answer of the command, and what it took. */
export type Made = { model: string; usage: Usage; stopped: string | null }
type Work = {
  id: string
  state: string
  result: unknown
  error: { code: string; message: string; hint: string } | null
}
type Told = (Work & { event: string }) | { event: 'progress'; file: string; done: number; total: number }
export type Making =
  | { state: 'running'; job: string | null; done: number; total: number }
  | { state: 'done'; found: unknown }
  | { state: 'failed'; message: string; hint: string }

const known = new Map<string, Making>()
const listeners = new Set<() => void>()

function set(key: string, making: Making | null): void {
  if (making) known.set(key, making)
  else known.delete(key)
  for (const listener of listeners) listener()
}

/** Return how an analysis stands; null when none was asked for. */
export function useMaking(wanted: Wanted): Making | null {
  const key = JSON.stringify(wanted)
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => known.get(key) ?? null,
  )
}

/** Let the model begin; what it finds is kept until the window is closed. */
export async function begin(wanted: Wanted): Promise<void> {
  const key = JSON.stringify(wanted)
  set(key, { state: 'running', job: null, done: 0, total: 0 })
  try {
    const job = await send<Work>('POST', '/api/analysis', wanted)
    set(key, { state: 'running', job: job.id, done: 0, total: 0 })
    const making = ended(await followed(key, job.id))
    if (known.has(key)) set(key, making) // else it was put away meanwhile
  } catch (error) {
    set(key, failed(error))
  }
}

/** Stop an analysis, or put away what it found. */
export async function end(wanted: Wanted): Promise<void> {
  const key = JSON.stringify(wanted)
  const making = known.get(key)
  set(key, null)
  if (making?.state === 'running' && making.job) await send('DELETE', `/api/jobs/${making.job}`)
}

async function followed(key: string, job: string): Promise<Work> {
  for await (const told of events<Told>(`/api/jobs/${job}/events`, new AbortController().signal)) {
    if (!('done' in told)) continue
    if (known.has(key)) set(key, { state: 'running', job, done: told.done, total: told.total })
  }
  return get<Work>(`/api/jobs/${job}`)
}

function ended({ state, result, error }: Work): Making | null {
  if (state === 'done') return { state: 'done', found: result }
  if (state === 'cancelled') return null
  return { state: 'failed', message: error?.message ?? state, hint: error?.hint ?? '' }
}

function failed(error: unknown): Making {
  const hint = error instanceof Error && 'hint' in error ? String(error.hint) : ''
  return { state: 'failed', message: error instanceof Error ? error.message : String(error), hint }
}

/** Return what a model found, once it did. */
export function foundBy<T>(making: Making | null): (T & Made) | null {
  return making?.state === 'done' ? (making.found as T & Made) : null
}
