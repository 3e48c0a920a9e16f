/** The page of a document that is read. It opens where it was read last, or where the address says. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { document as documentQuery, progress as progressQuery } from '../api/queries'
import { useText } from '../i18n'
import { Empty, Failed, Loading } from '../ui/states'
import { Reading } from './reading'
import { sourceOf } from './source'
import { wantedIn } from './wanted'

export default function ReaderPage({ id }: { id: string }) {
  const t = useText()
  const asked = useMemo(() => new URLSearchParams(location.search), [])
  const document = useQuery(documentQuery(id))
  const progress = useQuery({ ...progressQuery(id), staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always' })
  const source = useQuery({
    queryKey: ['source', id],
    queryFn: () => (document.data ? sourceOf(document.data) : null),
    enabled: document.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const wanted = useQuery({ queryKey: ['wanted', id, asked.toString()], queryFn: () => wantedIn(asked), gcTime: 0 })
  const queries = [document, progress, source, wanted]
  const failed = queries.find(query => query.error)
  if (failed) return <Failed error={failed.error} onRetry={() => queries.map(q => q.error && q.refetch())} />
  const ready = document.data && progress.isFetchedAfterMount && progress.data && wanted.data
  if (!ready || source.isPending) return <Loading label={t('reader.opening')} />
  if (!source.data)
    return (
      <Empty title={t('reader.noParts')}>
        <p>{t('reader.noPartsWhy')}</p>
        <Link href={`/document/${encodeURIComponent(id)}`} className="text-accent underline">
          {t('reader.details')}
        </Link>
      </Empty>
    )
  return <Reading document={document.data} source={source.data} progress={progress.data} wanted={wanted.data} />
}
