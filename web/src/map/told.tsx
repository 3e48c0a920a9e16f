import { Link } from 'wouter'
import { type Point, passageHref } from '../api/finding'
import { useText } from '../i18n'
import { type Bit, lines } from './cited'

/** A summary in a model's words; the numbers behind each sentence lead to the words that bear it out. */
export function Told({ summary, points }: { summary: string; points: readonly Point[] }) {
  // biome-ignore-start lint/suspicious/noArrayIndexKey: lines and bits have no name but their place
  return (
    <div className="grid gap-3 font-serif leading-relaxed">
      {lines(summary).map((line, n) =>
        line.title ? (
          <h4 key={n} className="pt-2 font-sans font-medium">
            {line.bits.map(bit => ('text' in bit ? bit.text : ''))}
          </h4>
        ) : (
          <p key={n}>
            {line.bits.map((bit, m) => (
              <One key={m} bit={bit} points={points} />
            ))}
          </p>
        ),
      )}
    </div>
  )
  // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
}

function One({ bit, points }: { bit: Bit; points: readonly Point[] }) {
  const t = useText()
  if ('text' in bit) return bit.text
  return bit.points.map(number => {
    const point = points[number - 1]
    if (!point) return null
    const { locator } = point
    return (
      <Link
        key={number}
        href={passageHref(locator)}
        title={point.text}
        aria-label={t('made.source', { n: number })}
        data-testid="summary-point"
        data-document={locator.document}
        data-start={locator.start}
        data-end={locator.end}
        className="ml-1 inline-grid min-w-6 place-items-center rounded bg-accent-soft px-1 align-baseline font-sans text-xs leading-6 text-accent hover:underline"
      >
        {number}
      </Link>
    )
  })
}
