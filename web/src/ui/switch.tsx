/** On or off; what it switches stands beside it, under the id `labelledBy`. */
export function Switch({
  checked,
  onChange,
  labelledBy,
  describedBy,
  disabled = false,
}: {
  checked: boolean
  onChange(next: boolean): void
  labelledBy: string
  describedBy?: string
  disabled?: boolean
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className="group inline-grid h-10 w-12 shrink-0 place-items-center disabled:opacity-60"
    >
      <span className="flex h-6 w-10 items-center rounded-full border border-edge bg-sunken px-0.5 transition-colors group-aria-checked:border-accent group-aria-checked:bg-accent">
        <span className="size-4.5 rounded-full bg-edge transition-transform group-aria-checked:translate-x-4 group-aria-checked:bg-on-accent" />
      </span>
    </button>
  )
}
