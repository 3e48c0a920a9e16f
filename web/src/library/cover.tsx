/** The cover of a document: its own where it has one, else one set from its title and author. */

import { useState } from 'react'
import type { DocumentEntry } from '../api/types'
import { hueOf } from './shelving'

const COVERED = new Set(['epub', 'pdf', 'mobi', 'azw3', 'fb2', 'cbz'])
const bare = new Set<string>() // asked once: these have none

type Of = Pick<DocumentEntry, 'id' | 'title' | 'authors' | 'format'>

/** Decoration: the title stands beside it, so nothing is read out. Its font size must be a tenth of its width. */
export function Cover({ of, className = '' }: { of: Of; className?: string }) {
  const [none, setNone] = useState(() => bare.has(of.id) || !COVERED.has(of.format))
  const [seen, setSeen] = useState(false)
  return (
    <div
      aria-hidden
      className={`relative aspect-2/3 overflow-hidden rounded-[3px] bg-sunken shadow-(--shadow) ${className}`}
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

/** Sizes are in tenths of the width. */
function Typeset({ of }: { of: Of }) {
  const hue = hueOf(of.title)
  return (
    <div
      className="flex size-full flex-col items-center justify-between p-[0.9em] text-center font-serif wrap-anywhere"
      style={{ background: `oklch(0.4 0.055 ${hue})`, color: `oklch(0.96 0.02 ${hue})` }}
    >
      <span className="line-clamp-6 w-full border-t border-current/40 pt-[1.6em] leading-[1.25]">
        <span className="text-[1.1em] font-medium leading-[inherit]">{of.title}</span>
      </span>
      <span className="line-clamp-3 w-full border-b border-current/40 pb-[0.9em] leading-[1.3]">
        <span className="text-[0.7em] opacity-85">{of.authors.join(', ')}</span>
      </span>
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
