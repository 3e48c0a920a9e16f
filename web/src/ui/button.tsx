import type { ComponentProps } from 'react'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'
const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-md px-3 min-h-10 sm:min-h-9 text-sm font-medium transition-colors ' +
  'disabled:opacity-50 disabled:cursor-not-allowed'
const KINDS: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-edge bg-surface hover:bg-sunken',
  quiet: 'hover:bg-sunken',
  danger: 'border border-bad text-bad hover:bg-sunken',
}

export function Button({ kind = 'plain', className = '', ...rest }: ComponentProps<'button'> & { kind?: Kind }) {
  return <button type="button" className={`${SHAPE} ${KINDS[kind]} ${className}`} {...rest} />
}

/** A button that shows an icon only; `label` is its name for everyone who cannot see it, and its tooltip. */
export function IconButton({
  label,
  pressed,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string; pressed?: boolean }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      className={`inline-grid size-10 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent disabled:opacity-40 ${className}`}
      {...rest}
    />
  )
}
