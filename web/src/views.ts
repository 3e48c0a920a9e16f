/** The code of each view, and what an address will need: asked for at once, while the frame is still being read. */

import { document, documents, parts, progress, queryClient } from './api/queries'

export const VIEWS = {
  shelf: () => import('./library/shelf'),
  reader: () => import('./reader/page'),
  document: () => import('./library/document'),
  sorting: () => import('./library/sorting'),
  statistics: () => import('./library/statistics'),
  search: () => import('./search/page'),
  chat: () => import('./chat/page'),
  notes: () => import('./notes/page'),
  map: () => import('./map/page'),
  settings: () => import('./settings/page'),
}

const VALID = /^(?:[^%]|%[0-7][0-9a-f])+$/i // what can be decoded for sure

/** Begin to load what the view at a path shows. What fails is told by the view when it asks again. */
export function ahead(path: string): void {
  const [, place = '', name = ''] = path.split('/')
  if (place === '') {
    void VIEWS.shelf()
    void queryClient.prefetchQuery(documents())
  }
  if (place === 'read' && VALID.test(name)) {
    const id = decodeURIComponent(name)
    void VIEWS.reader()
    void queryClient.prefetchQuery(document(id))
    void queryClient.prefetchQuery(parts(id))
    void queryClient.prefetchQuery(progress(id))
    void import('./book/reflowable')
  }
}
