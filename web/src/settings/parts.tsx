/** What the sections of the settings are made of. */

import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

export function Section({
  id,
  title,
  means,
  children,
}: {
  id: string
  title: string
  means?: string
  children: ReactNode
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-6 border-t border-line py-8 first:border-t-0 first:pt-2"
    >
      <h2 id={`${id}-title`} className="font-serif text-xl">
        {title}
      </h2>
      {means && <p className="max-w-prose pt-1 text-sm text-muted">{means}</p>}
      <div className="grid grid-cols-1 gap-5 pt-5">{children}</div>
    </section>
  )
}

/** A name with what it means on the left, its control on the right (below on a phone). */
export function Row({ name, means, children }: { name: ReactNode; means?: ReactNode; children?: ReactNode }) {
  return (
    <div className="grid items-center gap-x-8 gap-y-2 sm:grid-cols-[1fr_minmax(0,20rem)]">
      <div className="min-w-0">
        <p>{name}</p>
        {means && <p className="text-sm text-muted">{means}</p>}
      </div>
      <div className="min-w-0 sm:justify-self-end">{children}</div>
    </div>
  )
}

/** One of a few, all in sight. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: T
  options: readonly (readonly [value: T, name: string])[]
  onChange(value: T): void
}) {
  return (
    <fieldset aria-label={label} className="flex flex-wrap rounded-full bg-sunken p-1 max-sm:rounded-2xl">
      {options.map(([one, name]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onClick={() => onChange(one)}
          className="min-h-8 flex-1 whitespace-nowrap rounded-full px-3 text-sm text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-(--shadow) max-sm:min-h-10"
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

/** A command to be typed in a terminal. */
export function Command({ children }: { children: string }) {
  return <code className="select-all break-words rounded bg-sunken px-1.5 py-0.5 font-mono text-sm">{children}</code>
}

/** What is of interest to a few, under one line. */
export function Unfold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="-ml-1 flex min-h-10 w-fit list-none items-center gap-1 rounded-md pr-2 text-sm text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden className="transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  )
}
