import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

/** A line that opens what is below it. Until a person touches it, it follows `open`. */
export function Fold({
  head,
  open = false,
  children,
  ...data
}: { head: ReactNode; open?: boolean; children: ReactNode } & Record<`data-${string}`, string>) {
  const id = useId()
  const [chosen, choose] = useState<boolean | null>(null)
  const shown = chosen ?? open
  return (
    <div {...data}>
      <button
        type="button"
        aria-expanded={shown}
        aria-controls={id}
        onClick={() => choose(!shown)}
        className="-mx-1 flex min-h-9 w-full items-center gap-2 rounded-md px-1 text-left text-sm text-muted hover:text-ink pointer-coarse:min-h-10"
      >
        <ChevronRight size={14} aria-hidden className={`shrink-0 transition-transform ${shown ? 'rotate-90' : ''}`} />
        {head}
      </button>
      {shown && (
        <div id={id} className="pl-5.5">
          {children}
        </div>
      )}
    </div>
  )
}
