/** Adding from any view: files dropped on the window, the dialog, and the tray that tells how far it is. */

import { Upload } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useText } from '../i18n'
import { notifyError } from '../ui/toast'
import { addFiles, closeAdding, takeUp, useAdding } from './adding'
import { filesOf } from './dropped'

const AddDialog = lazy(() => import('./add-dialog'))
const Tray = lazy(() => import('./tray'))

export function AddingAnywhere() {
  const { open, items } = useAdding()
  useEffect(() => {
    takeUp().catch(() => undefined) // the view that is open says it when the server is away
  }, [])
  return (
    <>
      <DropTarget />
      <Suspense>
        {open && <AddDialog onClose={closeAdding} />}
        {items.length > 0 && <Tray />}
      </Suspense>
    </>
  )
}

function DropTarget() {
  const t = useText()
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const bearsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const turn = (by: number) => {
      depth.current = Math.max(0, depth.current + by)
      setOver(depth.current > 0)
    }
    const enter = (event: DragEvent) => bearsFiles(event) && turn(1)
    const leave = (event: DragEvent) => bearsFiles(event) && turn(-1)
    const hover = (event: DragEvent) => bearsFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      turn(-depth.current)
      if (!bearsFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      filesOf(event.dataTransfer).then(files => addFiles(files), notifyError)
    }
    const heard = { dragenter: enter, dragleave: leave, dragover: hover, drop } as const
    for (const [name, hear] of Object.entries(heard)) addEventListener(name, hear as EventListener)
    return () => {
      for (const [name, hear] of Object.entries(heard)) removeEventListener(name, hear as EventListener)
    }
  }, [])
  if (!over) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-60 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-surface/90">
      <p className="grid justify-items-center gap-3 text-lg">
        <Upload size={32} aria-hidden className="text-accent" />
        {t('add.drop')}
      </p>
    </div>
  )
}
