import type { LedgerEntry } from './message'

export type Sent = { host: string; requests: number; bytes: number; passages: number }

/** Return what left the machine, by host; a server on this machine is none that it leaves to. */
export function sentTo(entries: readonly LedgerEntry[]): Sent[] {
  const hosts = new Map<string, Sent>()
  for (const { host, remote, requests, bytes, passages } of entries) {
    if (!remote) continue
    const sent = hosts.get(host) ?? { host, requests: 0, bytes: 0, passages: 0 }
    hosts.set(host, {
      host,
      requests: sent.requests + requests,
      bytes: sent.bytes + bytes,
      passages: sent.passages + passages.length,
    })
  }
  return [...hosts.values()]
}

export function bytesInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
