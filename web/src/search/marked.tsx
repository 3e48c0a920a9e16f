import type { Piece } from './excerpt'

/** Pieces of a text, those that were asked for marked. */
export function Marked({ pieces }: { pieces: readonly Piece[] }) {
  // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces have no name but their place
  return pieces.map((piece, n) =>
    piece.marked ? <mark key={n}>{piece.text}</mark> : <span key={n}>{piece.text}</span>,
  )
  // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
}
