import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { IconButton } from './button'
import type { Entry } from './menu'

const Menu = lazy(() => import('./menu').then(found => ({ default: found.Menu })))

/** A button with a menu that is neither loaded nor drawn before it is wanted: for places where many stand side by side. */
export function MenuButton({ entries, ...button }: { entries(): Entry[] } & ComponentProps<typeof IconButton>) {
  const [wanted, setWanted] = useState(false)
  const plain = <IconButton {...button} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />
  if (!wanted) return plain
  return (
    <Suspense fallback={plain}>
      <Menu open entries={entries()}>
        <IconButton {...button} />
      </Menu>
    </Suspense>
  )
}
