/** What the settings page asks of the server. */

import { queryOptions } from '@tanstack/react-query'
import { get, send } from './client'

export type Setting = {
  key: string
  value: string | number | null
  source: string
  help: string
  /** Whether it may be set here; what opens the machine is set on the command line only. */
  writable: boolean
}
export type Embedder = {
  name: string
  installed: boolean
  network: boolean
  languages?: string[]
  dimension?: number
  max_tokens?: number | null
  size_mb?: number
  licence?: string
  what?: string
  hint: string | null
}
/** A model that is set: `key` says whether one is there; without one a model over the network does not answer. */
export type Model = { name: string; model: string; remote: boolean; host: string; key: boolean; uses: string[] }
export type Checked = {
  name: string
  ok: boolean
  milliseconds: number
  detail: string | null
  error: { code: string; message: string; hint: string } | null
}
export type Check =
  | { what: 'model'; model: string }
  | { what: 'embedder'; embedder: string }
  | { what: 'folder'; path: string }
export type Memory = {
  id: string
  kind: string
  text: string
  document: { id: string; title: string } | null
  created: string
}
export type Diagnosis = { name: string; status: 'ok' | 'warning' | 'failed'; detail: string; hint: string | null }
export type Backup = { path: string; bytes: number; made: string; verified: string | null }
/** `problem`: why the folder cannot be used now. */
export type Backups = { path: string | null; backups: Backup[]; problem: { message: string; hint: string } | null }
export type Imported = {
  notes: { added: number; updated: number; unchanged: number; failed: number }
  problems: { line: number | null; message: string }[]
}

export const settings = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => get<{ settings: Setting[] }>('/api/settings', {}, signal),
  })

export const models = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => get<{ embedders: Embedder[]; configured: Model[] }>('/api/models', {}, signal),
  })

/** The models that are set, by the name under which they are. */
export const setModels = () => queryOptions({ ...models(), select: found => found.configured })

export const memories = () =>
  queryOptions({
    queryKey: ['memories'],
    queryFn: ({ signal }) => get<{ memories: Memory[] }>('/api/memory/list', { uncapped: true }, signal),
  })

export const backups = () =>
  queryOptions({
    queryKey: ['backups'],
    queryFn: ({ signal }) => get<Backups>('/api/backups', {}, signal),
  })

export const health = () =>
  queryOptions({
    queryKey: ['health'],
    queryFn: ({ signal }) => get<{ version: string; pid: number }>('/api/health', {}, signal),
  })

/** Try a model, an embedder or a folder with a real small call. */
export function check(wanted: Check, signal?: AbortSignal): Promise<Checked> {
  return send<Checked>('POST', '/api/settings/check', wanted, signal)
}

export function setSetting(key: string, value: string): Promise<Setting> {
  return send<Setting>('PUT', '/api/settings', { key, value })
}
