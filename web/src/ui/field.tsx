import { type ComponentProps, type ReactNode, useId } from 'react'

const BOX = 'w-full rounded-md border border-edge bg-surface px-3 min-h-10 sm:min-h-9 text-sm placeholder:text-muted'

/** A labelled input; `hidden` keeps the label for readers of the screen only. */
export function Field({ label, hidden, hint, ...rest }: ComponentProps<'input'> & Labelled) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hidden={hidden} hint={hint}>
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        className={`${BOX} ${rest.className ?? ''}`}
      />
    </Labelled>
  )
}

export function Choice({
  label,
  hidden,
  hint,
  options,
  ...rest
}: ComponentProps<'select'> & Labelled & { options: readonly (readonly [value: string, name: string])[] }) {
  const id = useId()
  return (
    <Labelled id={id} label={label} hidden={hidden} hint={hint}>
      <select
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        className={`${BOX} ${rest.className ?? ''}`}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type Labelled = { label: string; hidden?: boolean | undefined; hint?: string | undefined }

function Labelled({ id, label, hidden, hint, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className={hidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}
