import { useQuery } from '@tanstack/react-query'
import { setModels } from '../api/settings'
import { useText } from '../i18n'
import { Button } from '../ui/button'
import { notifyError } from '../ui/toast'
import { begin, end, foundBy, type Making, useMaking, type Wanted } from './making'

/** Lets a language model do better what is shown without one: which, where it is, how far it is, what it took. */
export function WithModel({ wanted }: { wanted: Wanted }) {
  const t = useText()
  const making = useMaking(wanted)
  const { data } = useQuery(setModels())
  const set = data ?? []
  const model = set.find(one => one.uses.includes('book')) ?? set.find(one => one.name === 'main') ?? set[0]
  if (!model && !making) return null
  const stop = () => void end(wanted).catch(notifyError)
  return (
    <div data-testid="with-model" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {making?.state === 'running' && (
        <>
          <Reading making={making} />
          <Button onClick={stop}>{t('summary.stop')}</Button>
        </>
      )}
      {making?.state === 'done' && (
        <>
          <Account making={making} />
          <Button kind="quiet" className="text-accent" onClick={stop}>
            {t('made.without')}
          </Button>
        </>
      )}
      {making?.state === 'failed' && (
        <p role="alert" className="text-bad">
          {making.message}
          {making.hint && <span className="text-muted"> {making.hint}</span>}
        </p>
      )}
      {model && (!making || making.state === 'failed') && (
        <>
          <Button onClick={() => void begin(wanted)}>
            {making ? t('common.retry') : t('made.by', { model: model.model })}
          </Button>
          <span>{model.remote ? t('made.remote', { host: model.host ?? '' }) : t('made.local')}</span>
        </>
      )}
    </div>
  )
}

function Reading({ making }: { making: Extract<Making, { state: 'running' }> }) {
  const t = useText()
  const { done, total } = making
  return (
    <span role="status" className="flex items-center gap-3">
      {total > 0 && (
        <span
          role="progressbar"
          aria-label={t('made.reading')}
          aria-valuemax={total}
          aria-valuenow={done}
          className="h-2 w-32 overflow-hidden rounded-full bg-line"
        >
          <span className="block h-full bg-accent" style={{ width: `${(100 * done) / total}%` }} />
        </span>
      )}
      {total > 0 ? t('made.readingPart', { done, total }) : t('made.reading')}
    </span>
  )
}

function Account({ making }: { making: Making }) {
  const t = useText()
  const made = foundBy<unknown>(making)
  if (!made) return null
  const { model, usage, stopped } = made
  const cost = usage.cost ? ` · $${usage.cost.toFixed(usage.cost < 0.1 ? 4 : 2)}` : ''
  return (
    <span>
      {t('made.account', { model, n: usage.requests })}
      {cost}
      {stopped && <span className="text-warn"> · {t('made.stopped')}</span>}
    </span>
  )
}
