import type { Coverage } from '../api/finding'
import { useText } from '../i18n'
import { type Share, shares } from './shares'

/** Which spans were read for a summary, as a bar and in words; ticks show where its sentences stand. */
export function CoverageBar({ coverage, at }: { coverage: Coverage; at: readonly number[] }) {
  const t = useText()
  const { read, ticks, part } = shares(coverage, at)
  const percent = Math.floor(part * 100)
  const words = coverage.missing.length
    ? t('summary.readPart', { percent, n: coverage.missing.length })
    : t('summary.read')
  return (
    <div className="grid gap-1 pt-2">
      <div role="img" aria-label={words} className="relative h-2 overflow-hidden rounded-full bg-line">
        {read.map(one => (
          <span key={one.from} className="absolute inset-y-0 bg-good/50" style={across(one)} />
        ))}
        {ticks.map(tick => (
          <span key={tick} className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: `${tick * 100}%` }} />
        ))}
      </div>
      <p className="text-sm text-muted">{words}</p>
    </div>
  )
}

function across({ from, to }: Share) {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}
