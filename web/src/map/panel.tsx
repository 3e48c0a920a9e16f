import type { ReaderHandle } from '../reader/handle'
import { MapView } from './view'

/** The map beside the page that is read; a node leads to its place, and the one that is read is marked. */
export function MapPanel({ handle }: { handle: ReaderHandle }) {
  return (
    <MapView
      document={handle.document}
      uncapped={false}
      position={handle.place?.start ?? null}
      narrow
      onGo={span => handle.goTo(span, { mark: true })}
    />
  )
}
