import { ChevronRight } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { useText } from '../i18n'
import type { Placed } from './tree'

type Shown = { document: string; depth: number; here: string | null; onGo(path: string): void }

/** The map as a nested list of links. */
export function List({ tree, ...shown }: { tree: Placed } & Shown) {
  return (
    <ul className="p-2">
      {tree.children.map(child => (
        <Item key={child.path} node={child} {...shown} />
      ))}
    </ul>
  )
}

function Item({ node, ...shown }: { node: Placed } & Shown) {
  const t = useText()
  const { document, depth, here, onGo } = shown
  const [open, setOpen] = useState(node.depth < depth || (here?.startsWith(`${node.path}.`) ?? false))
  const within = node.children.length > 0
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onGo(node.path)
  }
  return (
    <li>
      <div className="flex items-start">
        {within ? (
          <button
            type="button"
            aria-expanded={open}
            aria-label={t('map.open', { title: node.title })}
            className="grid size-10 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink"
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={18} aria-hidden className={`transition-transform ${open ? 'rotate-90' : ''}`} />
          </button>
        ) : (
          <span className="w-10 shrink-0" />
        )}
        <a
          href={`/read/${encodeURIComponent(document)}?at=${node.start}&end=${node.end}`}
          data-testid="map-node"
          data-path={node.path}
          data-start={node.start}
          data-end={node.end}
          aria-current={here === node.path ? 'location' : undefined}
          className={`min-h-10 flex-1 rounded-md px-2 py-2 leading-snug hover:bg-sunken aria-[current]:bg-accent-soft ${node.point ? 'font-serif' : node.depth === 1 ? 'font-medium' : ''}`}
          onClick={go}
        >
          {node.title}
        </a>
      </div>
      {within && open && (
        <ul className="ml-5 border-l border-line">
          {node.children.map(child => (
            <Item key={child.path} node={child} {...shown} />
          ))}
        </ul>
      )}
    </li>
  )
}
