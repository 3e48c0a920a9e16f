import type { Coverage } from '../api/finding'

/** A stretch of the whole: 0 to 1. */
export type Share = { from: number; to: number }

/** Return what of the whole was read, the part that is, and where some positions stand in it. */
export function shares(coverage: Coverage, at: readonly number[]): { read: Share[]; ticks: number[]; part: number } {
  const all = [...coverage.read, ...coverage.missing]
  const start = Math.min(...all.map(([a]) => a))
  const length = Math.max(...all.map(([, b]) => b)) - start
  if (!all.length || length <= 0) return { read: [], ticks: [], part: 0 }
  const share = (position: number) => Math.min(1, Math.max(0, (position - start) / length))
  const sum = (spans: readonly [number, number][]) => spans.reduce((total, [a, b]) => total + b - a, 0)
  return {
    read: coverage.read.map(([a, b]) => ({ from: share(a), to: share(b) })),
    ticks: [...new Set(at.map(share))],
    part: sum(coverage.read) / (sum(coverage.read) + sum(coverage.missing)),
  }
}
