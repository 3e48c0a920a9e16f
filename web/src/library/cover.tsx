/** The cover of a document: its own where it has one, else one set from its title and author. */

import { useState } from 'react'
import type { DocumentEntry } from '../api/types'
import { hueOf } from './shelving'

const COVERED = new Set(['epub', 'pdf', 'mobi', 'azw3', 'fb2', 'cbz'])
const bare = new Set<string>() // asked once: these have none

type Of = Pick<DocumentEntry, 'id' | 'title' | 'authors' | 'format'>

/** Decoration: the title stands beside it, so nothing here is read out. */
export function Cover({ of, className = '' }: { of: Of; className?: string }) {
  const [none, setNone] = useState(() => bare.has(of.id) || !COVERED.has(of.format))
  const [seen, setSeen] = useState(false)
  return (
    <div
      aria-hidden
      className={`@container relative aspect-2/3 overflow-hidden rounded-[3px] bg-sunken shadow-(--shadow) ${className}`}
    >
      {none ? (
        <Typeset of={of} />
      ) : (
        <img
          src={`/api/documents/${encodeURIComponent(of.id)}/cover`}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={() => setSeen(true)}
          onError={() => {
            bare.add(of.id)
            setNone(true)
          }}
          className={`size-full object-cover object-top transition-opacity duration-200 ${seen ? '' : 'opacity-0'}`}
        />
      )}
    </div>
  )
}

function Typeset({ of }: { of: Of }) {
  const hue = hueOf(of.title)
  return (
    <div
      className="flex size-full flex-col justify-between p-[9cqw] font-serif"
      style={{ background: `oklch(0.4 0.055 ${hue})`, color: `oklch(0.96 0.02 ${hue})` }}
    >
      <span className="h-px w-full shrink-0" style={{ background: `oklch(0.72 0.06 ${hue})` }} />
      <span className="line-clamp-5 shrink-0 text-balance break-words py-[4cqw] text-center text-[max(0.5rem,10.5cqw)] font-medium leading-[1.25]">
        {of.title}
      </span>
      <span className="line-clamp-2 min-h-0 text-center text-[max(0.4rem,6.5cqw)] leading-snug opacity-85">
        {of.authors.join(', ')}
      </span>
      <span className="h-px w-full shrink-0" style={{ background: `oklch(0.72 0.06 ${hue})` }} />
    </div>
  )
}

/** How far it was read, as a line; `label` says it in words. */
export function ReadLine({ fraction, label, className = '' }: { fraction: number; label: string; className?: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(fraction * 100)}
      className={`h-1 overflow-hidden rounded-full bg-line ${className}`}
    >
      <div className="h-full rounded-full bg-accent" style={{ width: `${Math.max(2, fraction * 100)}%` }} />
    </div>
  )
}
