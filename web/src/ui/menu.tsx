import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

export type Entry =
  | { label: string; icon?: ReactNode; onSelect(): void; danger?: boolean; disabled?: boolean; checked?: boolean }
  | 'line'

/** A menu under `children`, which must be one button; `open`: from the beginning. */
export function Menu({ entries, open = false, children }: { entries: Entry[]; open?: boolean; children: ReactNode }) {
  return (
    <DropdownMenu.Root defaultOpen={open} modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-44 rounded-lg border border-line bg-surface p-1 shadow-(--shadow)"
        >
          {entries.map((entry, n) =>
            entry === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own
              <DropdownMenu.Separator key={n} className="my-1 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                key={entry.label}
                disabled={entry.disabled ?? false}
                onSelect={entry.onSelect}
                role={entry.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
                aria-checked={entry.checked}
                className={`flex min-h-10 sm:min-h-9 cursor-pointer items-center gap-2 rounded-md px-3 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-sunken ${entry.danger ? 'text-bad' : ''}`}
              >
                <span className="w-4" aria-hidden>
                  {entry.checked ? '✓' : entry.icon}
                </span>
                {entry.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
