import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { useText } from '../i18n'
import { IconButton } from './button'

/** A dialog in the middle, or a sheet from the side (the bottom on a phone). The title is always there to be read out. */
export function Dialog({
  open,
  onClose,
  title,
  side,
  children,
}: {
  open: boolean
  onClose(): void
  title: string
  side?: boolean
  children: ReactNode
}) {
  const t = useText()
  const place = side
    ? 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-xl sm:inset-y-0 sm:left-auto sm:right-0 sm:max-h-none sm:w-96 sm:rounded-none'
    : 'left-1/2 top-1/2 max-h-[90dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-xl'
  return (
    <Primitive.Root open={open} onOpenChange={next => next || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Primitive.Content
          aria-describedby={undefined}
          className={`fixed z-50 flex flex-col overflow-hidden bg-surface shadow-(--shadow) ${place}`}
        >
          <header className="flex items-center justify-between border-b border-line py-1 pl-4 pr-1">
            <Primitive.Title className="font-semibold">{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label={t('common.close')}>
                <X size={18} aria-hidden />
              </IconButton>
            </Primitive.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-auto p-4">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
