/** Hits by the document they stand in. */

import type { Found } from '../api/finding'
import type { DocumentName } from '../api/types'

export type Hit = Found['hits'][number]
export type Group = { document: DocumentName; hits: Hit[] }

/** Return the hits of each document together, documents and hits in the order of the search. */
export function grouped(hits: readonly Hit[]): Group[] {
  const groups = new Map<string, Group>()
  for (const hit of hits) {
    const group = groups.get(hit.document.id)
    if (group) group.hits.push(hit)
    else groups.set(hit.document.id, { document: hit.document, hits: [hit] })
  }
  return [...groups.values()]
}
