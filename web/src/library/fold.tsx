import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

/** A part of a page under its title; what is folded is not even asked for. */
export function Fold({
  title,
  aside,
  open = false,
  children,
}: {
  title: string
  aside?: ReactNode
  open?: boolean
  children: ReactNode
}) {
  const [seen, setSeen] = useState(open)
  return (
    <details
      open={open}
      className="group border-t border-line"
      onToggle={event => setSeen(seen || event.currentTarget.open)}
    >
      <summary className="-mx-2 flex min-h-13 list-none items-center gap-2 rounded-md px-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden className="text-muted transition-transform group-open:rotate-90" />
        <h2 className="flex-1 font-medium">{title}</h2>
        {aside && <span className="text-sm text-muted">{aside}</span>}
      </summary>
      <div className="pb-6 pl-6 pr-1 pt-1">{seen && children}</div>
    </details>
  )
}
