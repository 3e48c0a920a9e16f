/** A map with what can be done with it; the page and the panel beside the reader show the same. */

import { useQuery } from '@tanstack/react-query'
import {
  ChevronsDownUp,
  ChevronsUpDown,
  Download,
  List as ListIcon,
  Maximize,
  Minus,
  Network,
  Plus,
} from 'lucide-react'
import { lazy, type Ref, Suspense, useMemo, useRef, useState } from 'react'
import { type DocumentMap, map } from '../api/finding'
import { useText } from '../i18n'
import { IconButton } from '../ui/button'
import { Menu } from '../ui/menu'
import { noticeText } from '../ui/notice'
import { Empty, Failed, Loading } from '../ui/states'
import { notifyError } from '../ui/toast'
import type { Controls } from './canvas'
import { List } from './list'
import { foundBy, useMaking, type Wanted } from './making'
import type { Format } from './save'
import { nodeAt, type Placed, placed, walk } from './tree'
import { WithModel } from './with-model'

const Canvas = lazy(() => import('./canvas'))
const AT_ONCE = 40 // nodes that are unfolded from the start

export type Gone = { start: number; end: number }

export function MapView({
  document,
  uncapped,
  position,
  narrow,
  onGo,
}: {
  document: string
  uncapped: boolean
  /** Where the reader is. */
  position: number | null
  /** There is little room: a list to begin with. */
  narrow: boolean
  onGo(span: Gone): void
}) {
  const wanted: Wanted = { kind: 'map', doc: document, ...(uncapped ? { uncapped } : {}) }
  const found = useQuery(map(document, uncapped ? { uncapped } : {}))
  const made = foundBy<DocumentMap>(useMaking(wanted))
  const { error, refetch } = found
  const data = made ?? found.data
  const tree = useMemo(() => (data ? placed(data) : null), [data])
  const t = useText()
  if (error) return <Failed error={error} onRetry={() => void refetch()} />
  if (!tree) return <Loading />
  if (!tree.children.length)
    return (
      <Empty title={t('map.empty')}>
        <p>{data?.notice ? noticeText(data.notice, t) : t('map.emptyHint')}</p>
      </Empty>
    )
  return (
    <Tree
      tree={tree}
      document={document}
      notice={data?.notice ?? null}
      wanted={wanted}
      made={made !== null}
      here={position === null ? null : nodeAt(tree, position).path}
      narrow={narrow}
      onGo={onGo}
    />
  )
}

type Shown = {
  tree: Placed
  document: string
  notice: string | null
  wanted: Wanted
  /** A model named its nodes. */
  made: boolean
  here: string | null
  narrow: boolean
  onGo(span: Gone): void
}

function Tree({ tree, document, notice, wanted, made, here, narrow, onGo }: Shown) {
  const t = useText()
  const first = useMemo(() => firstDepth(tree), [tree])
  const [depth, setDepth] = useState(first)
  const [asList, setAsList] = useState(narrow)
  const controls = useRef<Controls>(null)
  const go = (path: string) => {
    for (const node of walk(tree)) if (node.path === path) onGo({ start: node.start, end: node.end })
  }
  const shown = { tree, document, depth, here, onGo: go }
  return (
    <div data-testid="map-view" className="flex h-full min-h-0 flex-col">
      <Tools tree={tree} asList={asList} controls={controls} depth={depth} onDepth={setDepth} onList={setAsList} />
      <div className="min-h-0 flex-1 overflow-auto">
        {asList ? (
          <List key={depth} {...shown} />
        ) : (
          <Suspense fallback={<Loading />}>
            <Canvas ref={controls as Ref<Controls>} label={t('map.of', { title: tree.title })} {...shown} />
          </Suspense>
        )}
      </div>
      <footer className="grid gap-1 px-4 py-2 text-sm text-muted">
        <p>
          {notice && `${noticeText(notice, t)} `}
          {!made && `${t('map.extractive')} `}
          {!asList && t('map.keys')}
        </p>
        <WithModel wanted={wanted} />
      </footer>
    </div>
  )
}

function Tools({
  tree,
  asList,
  controls,
  depth,
  onDepth,
  onList,
}: {
  tree: Placed
  asList: boolean
  controls: { current: Controls | null }
  depth: number
  onDepth(depth: number): void
  onList(asList: boolean): void
}) {
  const t = useText()
  const save = (format: Format) => void load(tree, format)
  const all = depth > 99
  return (
    <div role="toolbar" aria-label={t('map.title')} className="flex shrink-0 flex-wrap items-center gap-1 px-2 py-1">
      <IconButton label={t(asList ? 'map.asMap' : 'map.asList')} onClick={() => onList(!asList)}>
        {asList ? <Network size={18} aria-hidden /> : <ListIcon size={18} aria-hidden />}
      </IconButton>
      <IconButton label={t(all ? 'map.fold' : 'map.unfold')} onClick={() => onDepth(all ? firstDepth(tree) : 100)}>
        {all ? <ChevronsDownUp size={18} aria-hidden /> : <ChevronsUpDown size={18} aria-hidden />}
      </IconButton>
      {!asList && (
        <>
          <IconButton label={t('map.fit')} onClick={() => controls.current?.fit()}>
            <Maximize size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('map.out')} onClick={() => controls.current?.zoom(1 / 1.25)}>
            <Minus size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('map.in')} onClick={() => controls.current?.zoom(1.25)}>
            <Plus size={18} aria-hidden />
          </IconButton>
        </>
      )}
      <Menu
        entries={[
          { label: t('map.svg'), onSelect: () => save('svg') },
          { label: t('map.png'), onSelect: () => save('png') },
          { label: t('map.markdown'), onSelect: () => save('markdown') },
        ]}
      >
        <IconButton label={t('map.export')}>
          <Download size={18} aria-hidden />
        </IconButton>
      </Menu>
    </div>
  )
}

async function load(tree: Placed, format: Format): Promise<void> {
  try {
    await (await import('./save')).save(tree, format)
  } catch (error) {
    notifyError(error)
  }
}

/** How deep a tree is unfolded, so that not too much stands there at once. */
function firstDepth(tree: Placed): number {
  const counts: number[] = []
  for (const node of walk(tree)) counts[node.depth] = (counts[node.depth] ?? 0) + 1
  let total = 0
  const last = counts.findIndex(count => {
    total += count
    return total > AT_ONCE
  })
  return last < 0 ? 100 : Math.max(1, last - 1)
}
