/** The map as markmap draws it: loaded when a map is looked at. Nodes are items of a tree for the keyboard. */

import { Markmap } from 'markmap-view'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import { branchColor } from './drawing'
import { drawn, type Placed } from './tree'

type INode = NonNullable<Markmap['state']['data']>
export type Controls = { fit(): void; zoom(by: number): void }

const READABLE = 0.7 // the least scale at which a whole map is shown at once
const START = 0.85
const STYLE = (id: string) => `
.${id} { --markmap-font: 400 15px/21px var(--font-sans); --markmap-text-color: var(--ink); --markmap-a-color: var(--ink);
  --markmap-a-hover-color: var(--accent); --markmap-circle-open-bg: var(--ground);
  --markmap-highlight-node-bg: var(--accent-soft); }
.${id} .markmap-foreign { overflow: visible; }
.${id} a { text-decoration: none; display: inline-block; border-radius: 3px; }
.${id} a:hover { text-decoration: underline; }
.${id} a.point { font-family: var(--font-serif); }
.${id} .markmap-node[data-depth="1"] a { font-weight: 600; }`

export default function Canvas({
  tree,
  document,
  depth,
  here,
  label,
  onGo,
  ref,
}: {
  tree: Placed
  document: string
  /** Branches below are folded. */
  depth: number
  /** The path of the node where the reader is. */
  here: string | null
  label: string
  onGo(path: string): void
  ref: Ref<Controls>
}) {
  const host = useRef<SVGSVGElement>(null)
  const view = useRef<Markmap>(null)
  useEffect(() => {
    if (!host.current) return
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    const made = new Markmap(host.current, {
      autoFit: false,
      duration: still ? 0 : 250,
      maxWidth: 300,
      paddingX: 8,
      spacingVertical: 8,
      maxInitialScale: 1.1,
      scrollForPan: false,
      style: STYLE,
      color: node => (node.state.depth > 1 ? branchColor(Number(node.payload?.branch ?? 0)) : 'var(--edge)'),
    })
    view.current = made
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])
  useEffect(() => {
    void view.current?.setData(drawn(tree, document, depth)).then(() => {
      if (view.current) show(view.current)
      update(host.current, view.current)
    })
  }, [tree, document, depth])
  useEffect(() => {
    const node = here === null ? undefined : nodeOf(view.current, here)
    if (view.current?.state.data) void view.current.setHighlight(node ?? null)
  }, [here])
  useImperativeHandle(ref, () => ({
    fit: () => void view.current?.fit(),
    zoom: by => void view.current?.rescale(by),
  }))
  const onClick = (event: MouseEvent) => {
    const path = pathOf(event.target)
    if (path === null || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onGo(path)
  }
  const onFocus = (event: FocusEvent) => {
    if (pathOf(event.target) !== null && host.current) only(host.current, event.target as HTMLElement)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const path = pathOf(event.target)
    if (path === null || !view.current || !host.current) return
    if (event.key.startsWith('Arrow')) event.preventDefault()
    void onArrow(event.key, path, host.current, view.current)
  }
  return (
    <svg
      ref={host}
      role="tree"
      aria-label={label}
      className="h-full w-full"
      onFocus={onFocus}
      onClick={onClick}
      onKeyDown={onKeyDown}
    />
  )
}

/** The whole map where that can be read, else its root at a scale that can. */
function show(map: Markmap): void {
  const { width, height } = map.svg.node()?.getBoundingClientRect() ?? { width: 1, height: 1 }
  const { x1, y1, x2, y2 } = map.state.rect
  const scale = Math.min(width / (x2 - x1), height / (y2 - y1)) * 0.95
  const root = map.state.data
  void map.fit().then(() => {
    if (scale >= READABLE || !root) return
    void map.rescale(START / scale).then(() => map.centerNode(root, { right: width * 0.55 }))
  })
}

async function onArrow(key: string, path: string, host: SVGSVGElement, map: Markmap): Promise<void> {
  const node = nodeOf(map, path)
  if (!node) return
  const folded = Boolean(node.payload?.fold)
  if ((key === 'ArrowRight' && folded) || (key === 'ArrowLeft' && !folded && node.children.length)) {
    await map.toggleNode(node)
    update(host, map)
    return
  }
  const visible = [...host.querySelectorAll<HTMLElement>('a[data-path]')].sort((a, b) => order(a, b))
  const now = visible.findIndex(one => one.dataset.path === path)
  const parent = path.slice(0, path.lastIndexOf('.'))
  const next = {
    ArrowDown: visible[now + 1],
    ArrowUp: visible[now - 1],
    ArrowRight: visible.find(one => one.dataset.path === `${path}.0`),
    ArrowLeft: visible.find(one => one.dataset.path === parent),
    Home: visible[0],
    End: visible.at(-1),
  }[key]
  if (next) focusOn(next, map)
}

function focusOn(link: HTMLElement, map: Markmap): void {
  link.focus({ preventScroll: true })
  const node = nodeOf(map, link.dataset.path ?? '')
  if (node) void map.ensureVisible(node, { left: 24, right: 24, top: 24, bottom: 24 })
}

/** Let Tab come back to this item. */
function only(host: SVGSVGElement, link: HTMLElement): void {
  for (const one of host.querySelectorAll<HTMLElement>('a[tabindex="0"]')) one.tabIndex = -1
  link.tabIndex = 0
}

/** Say of each item what it is and whether it is unfolded; one of them is reached by Tab. */
function update(host: SVGSVGElement | null, map: Markmap | null): void {
  const links = [...(host?.querySelectorAll<HTMLElement>('a[data-path]') ?? [])]
  for (const link of links) {
    const path = link.dataset.path ?? ''
    const node = nodeOf(map, path)
    link.setAttribute('role', 'treeitem')
    link.setAttribute('aria-level', String(path.split('.').length))
    if (node?.children.length) link.setAttribute('aria-expanded', String(!node.payload?.fold))
    if (!link.hasAttribute('tabindex')) link.tabIndex = -1
  }
  const root = links.find(link => link.dataset.path === '0')
  if (root && !links.some(link => link.tabIndex === 0)) root.tabIndex = 0
}

function nodeOf(map: Markmap | null, path: string): INode | undefined {
  const steps = path.split('.').slice(1)
  let node: INode | undefined = map?.state.data
  for (const step of steps) node = node?.children[Number(step)]
  return node
}

function pathOf(target: EventTarget | null): string | null {
  return (target instanceof Element && target.closest<HTMLElement>('a[data-path]')?.dataset.path) || null
}

function order(a: HTMLElement, b: HTMLElement): number {
  const [left, right] = [a, b].map(one => (one.dataset.path ?? '').split('.').map(Number))
  for (let n = 0; n < Math.max(left?.length ?? 0, right?.length ?? 0); n++) {
    const difference = (left?.[n] ?? -1) - (right?.[n] ?? -1)
    if (difference) return difference
  }
  return 0
}
