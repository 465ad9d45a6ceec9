import { relaxedPiece } from '../../lib/dkim.ts'

/** Octets of a body, and what of them a signature covers (RFC 6376, 3.4.4). A piece begins at a line start, and ends with a line or where a line end follows. */
export interface Piece {
  bytes: Buffer
  relaxed(): Buffer
}

/** A piece of text. */
export function pieceOf(bytes: Buffer): Piece {
  return { bytes, relaxed: () => relaxedPiece(bytes) }
}

/** A piece that has no blanks, such as base64. */
export function blanklessPiece(bytes: Buffer): Piece {
  return { bytes, relaxed: () => bytes }
}
