/** A document as the viewers want it, from what the server tells. The text that is read in knows no bound. */

import { get } from '../api/client'
import { queryClient } from '../api/queries'
import type { DocumentShown, Part } from '../api/types'
import type { Paged, PlacedBlock, PlacedLine, ReflowablePart, Source } from '../book/viewer'

/** Return the source of a document with its parts, none of which a paged one has; null when there is nothing to show. */
export async function sourceOf(shown: DocumentShown, found: readonly Part[]): Promise<Source | null> {
  const { characters } = shown.coverage
  const flowing = found.filter((part): part is ReflowablePart & typeof part => part.href !== null)
  return flowing.length ? flowingSource(shown, flowing, characters) : pagedSource(shown.id, characters)
}

function flowingSource(shown: DocumentShown, flowing: ReflowablePart[], characters: number): Source {
  const base = at(shown.id)
  const addresses = new Map(
    flowing.map(({ number, href }) => [
      number,
      `${base}/uncapped/${href.split('/').map(encodeURIComponent).join('/')}`,
    ]),
  )
  return {
    kind: 'reflowable',
    language: shown.metadata.language,
    characters,
    parts: flowing,
    partUrl: number => addresses.get(number) ?? `${base}/parts/${number}?uncapped=true`,
    places: number =>
      kept(['places', shown.id, number], async () => {
        const told = await get<{ blocks: PlacedBlock[] }>(`${base}/parts/${number}/places`, { uncapped: true })
        return told.blocks
      }),
  }
}

async function pagedSource(id: string, characters: number): Promise<Source | null> {
  const { pages } = await get<{ pages: Paged['pages'] }>(`${at(id)}/pages`, { uncapped: true })
  if (!pages.length) return null
  return {
    kind: 'paged',
    characters,
    fileUrl: `${at(id)}/file?uncapped=true`,
    pages,
    lines: page =>
      kept(['lines', id, page], async () => {
        const told = await get<{ lines: PlacedLine[] }>(`${at(id)}/pages/${page}/lines`, { uncapped: true })
        return told.lines
      }),
  }
}

function at(id: string): string {
  return `/api/documents/${encodeURIComponent(id)}`
}

function kept<T>(queryKey: unknown[], queryFn: () => Promise<T>): Promise<T> {
  return queryClient.fetchQuery({ queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
}
