/** The page of a document that is read. It opens where it was read last, or where the address says. */

import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { document as documentQuery, parts as partsQuery, progress as progressQuery } from '../api/queries'
import type { Progress } from '../api/types'
import { useText } from '../i18n'
import { Empty, Failed, Loading } from '../ui/states'
import { Reading } from './reading'
import { sourceOf } from './source'
import { wantedIn } from './wanted'

const RECENT = 2_000 // ms that a place is taken for the last one

export default function ReaderPage({ id }: { id: string }) {
  const t = useText()
  const asked = useMemo(() => new URLSearchParams(location.search), [])
  const document = useQuery(documentQuery(id))
  const progress = useQuery({ ...progressQuery(id), staleTime: RECENT, refetchOnWindowFocus: false })
  const began = useRef<Progress | null>(null) // where it was read last when the page opened, whatever it is now
  if (!began.current && progress.data && !progress.isFetching) began.current = progress.data
  const parts = useQuery(partsQuery(id))
  const both = document.data !== undefined && parts.data !== undefined
  const source = useQuery({
    queryKey: ['source', id],
    queryFn: () => (document.data && parts.data ? sourceOf(document.data, parts.data.parts) : null),
    enabled: both,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const wanted = useQuery({ queryKey: ['wanted', id, asked.toString()], queryFn: () => wantedIn(asked), gcTime: 0 })
  const queries = [document, progress, parts, source, wanted]
  const failed = queries.find(query => query.error && query.data === undefined)
  if (failed) return <Failed error={failed.error} onRetry={() => queries.map(q => q.error && q.refetch())} />
  if (!document.data || !began.current || !wanted.data || source.isPending)
    return <Loading label={t('reader.opening')} />
  if (!source.data)
    return (
      <Empty title={t('reader.noParts')}>
        <p>{t('reader.noPartsWhy')}</p>
        <Link href={`/document/${encodeURIComponent(id)}`} className="text-accent underline">
          {t('reader.details')}
        </Link>
      </Empty>
    )
  return <Reading document={document.data} source={source.data} progress={began.current} wanted={wanted.data} />
}
