import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

const GAP = 10

/** Something that floats at a box of the text: over it where there is room, else under it, always inside the window. */
export function Floating({
  box,
  label,
  role,
  below = false,
  onClose,
  focus = false,
  testId,
  className = '',
  children,
}: {
  box: DOMRect
  label: string
  role: 'toolbar' | 'dialog'
  below?: boolean
  onClose(): void
  /** Take the focus when it appears. */
  focus?: boolean
  testId?: string
  className?: string
  children: ReactNode
}) {
  const self = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<{ left: number; top: number } | null>(null)
  useLayoutEffect(() => {
    const own = self.current?.getBoundingClientRect()
    if (own) setAt(placeFor(own, box, below))
  }, [box, below])
  useEffect(() => {
    if (focus) self.current?.querySelector<HTMLElement>('textarea, button')?.focus()
  }, [focus])
  return (
    <div
      ref={self}
      role={role}
      aria-label={label}
      data-testid={testId}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
      style={{ left: at?.left ?? 0, top: at?.top ?? 0, opacity: at ? 1 : 0 }} // not hidden: it could not take the focus
      className={`fixed z-30 max-w-[calc(100vw-1rem)] rounded-xl border border-line bg-surface shadow-(--shadow) ${className}`}
    >
      {children}
    </div>
  )
}

function placeFor(own: DOMRect, box: DOMRect, below: boolean): { left: number; top: number } {
  const { innerWidth: width, innerHeight: height } = window
  const over = box.top - own.height - GAP
  const under = box.bottom + GAP
  const fits = under + own.height < height - GAP
  const top = below ? (fits ? under : over) : over > GAP ? over : under
  const left = box.left + box.width / 2 - own.width / 2
  return {
    left: Math.max(8, Math.min(left, width - own.width - 8)),
    top: Math.max(8, Math.min(top, height - own.height - 8)),
  }
}
