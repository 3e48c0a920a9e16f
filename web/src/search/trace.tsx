import type { Trace, WhyNot } from '../api/finding'
import { useText } from '../i18n'
import { noticeText } from '../ui/notice'
import type { Asked } from './address'
import { DocumentChoice } from './filters'
import type { Go } from './page'

/** How a passage came to its place: its rank in each way of looking, and what was made of them. */
export function TraceOf({ trace }: { trace: Trace }) {
  const t = useText()
  const { lexical, vector } = trace.arms
  const within = [...(trace.filtered?.document ?? []), ...(trace.filtered?.collection ?? [])]
  return (
    <details data-testid="search-trace" open className="mx-3 mb-2 rounded-lg bg-sunken px-3 text-sm">
      <summary className="min-h-10 py-2.5 font-medium">{t('trace.title')}</summary>
      <table className="mb-2 w-full tabular-nums">
        <thead className="text-left text-muted">
          <tr>
            <th className="py-1 font-normal">{t('trace.way')}</th>
            <th className="w-28 py-1 text-right font-normal">{t('trace.rank')}</th>
            <th className="w-20 py-1 text-right font-normal">{t('trace.score')}</th>
          </tr>
        </thead>
        <tbody>
          <Line name={t('trace.words')} rank={lexical?.rank ?? null} score={lexical?.score ?? null} />
          {vector.map(one => (
            <Line key={one.model} name={t('trace.meaning', one)} rank={one.rank} score={one.score} />
          ))}
          <Line name={t('trace.fusion', { method: trace.fusion.method })} score={trace.fusion.score} />
          {trace.rerank && <Line name={t('trace.rerank')} score={JSON.stringify(trace.rerank)} />}
        </tbody>
      </table>
      {within.length > 0 && <p className="pb-1 text-muted">{t('trace.within', { names: within.join(', ') })}</p>}
      <p className="pb-3 text-muted">{t('trace.scores')}</p>
    </details>
  )
}

function Line({ name, rank, score }: { name: string; rank?: number | null; score: number | string | null }) {
  const t = useText()
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1 text-left font-normal">
        {name}
      </th>
      <td className="text-right">{rank === null ? <span className="text-muted">{t('trace.notFound')}</span> : rank}</td>
      <td className="text-right">{typeof score === 'number' ? score.toFixed(3) : score}</td>
    </tr>
  )
}

/** Asks why a document is not among the hits, and tells it in the server's words. */
export function WhyNotHere({ asked, go, whyNot }: { asked: Asked; go: Go; whyNot: WhyNot | null }) {
  const t = useText()
  return (
    <div className="mb-6 grid gap-3 rounded-xl bg-sunken p-4">
      <DocumentChoice
        label={t('whyNot.label')}
        none={t('whyNot.choose')}
        value={asked.whyNot}
        onChange={id => go({ whyNot: id }, { replace: true })}
      />
      {whyNot && (
        <div role="status" className="grid gap-2 text-sm">
          <p className="first-letter:uppercase">{noticeText(whyNot.reason, t)}</p>
          {whyNot.trace && (
            <>
              <p className="text-muted">{t('whyNot.best')}</p>
              <TraceOf trace={whyNot.trace} />
            </>
          )}
        </div>
      )}
    </div>
  )
}
