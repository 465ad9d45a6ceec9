import type { OutgoingMail } from '../gateway.ts'
import { countMailBytes } from './envelope.ts'

const LF = 0x0a
const CR = 0x0d
const DOT = 0x2e
const STUFFING = Buffer.from('.')
const LINE_END = Buffer.from('\r\n')

function pieces(bytes: OutgoingMail['bytes']): readonly Uint8Array[] {
  return bytes instanceof Uint8Array ? [bytes] : bytes
}

/** Views as Buffer: its indexOf is a native search. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Where a dot begins a line: after LF, and after a CR even if it is bare, for peers that take one for a line end. */
function dotsAtLineStart(piece: Buffer, before: number): number[] {
  const found: number[] = []
  if (piece[0] === DOT && (before === LF || before === CR)) found.push(0)
  for (const lineEnd of ['\n.', '\r.']) {
    for (let at = piece.indexOf(lineEnd); at !== -1; at = piece.indexOf(lineEnd, at + 2)) found.push(at + 1)
  }
  return found.sort((a, b) => a - b)
}

/** Dots at line starts doubled, the end of a last line that has none. */
function stuffed(bytes: OutgoingMail['bytes']): Uint8Array[] {
  const out: Uint8Array[] = []
  let last = LF
  let secondLast = CR
  for (const given of pieces(bytes)) {
    if (given.length === 0) continue
    const piece = asBuffer(given)
    let start = 0
    for (const dot of dotsAtLineStart(piece, last)) {
      out.push(piece.subarray(start, dot), STUFFING)
      start = dot
    }
    out.push(start === 0 ? piece : piece.subarray(start))
    secondLast = piece.length > 1 ? piece[piece.length - 2]! : last
    last = piece[piece.length - 1]!
  }
  if (secondLast !== CR || last !== LF) out.push(LINE_END)
  return out
}

/**
 * What to write after the reply to DATA, with what is to follow it: dots at line starts doubled (RFC 5321, 4.5.2), the
 * end of a last line that has none, the final dot. A plain message is sent as it is; scanning another one takes
 * about 6 microseconds for 16 KB.
 */
export function buildDataPieces({ bytes, isPlain }: OutgoingMail, next: string): Uint8Array[] {
  return [...(isPlain ? pieces(bytes) : stuffed(bytes)), Buffer.from(`.\r\n${next}`)]
}

/** One `BDAT n LAST` (RFC 3030), with what is to follow it: counted, nothing stuffed. */
export function buildChunkPieces({ bytes }: OutgoingMail, next: string): Uint8Array[] {
  return [Buffer.from(`BDAT ${countMailBytes(bytes)} LAST\r\n`), ...pieces(bytes), Buffer.from(next)]
}
