import { isRelaxed, relaxInto } from '../../../lib/crypto/dkim.ts'
import { breakSoftly, type Output, outputFor, roomFor, writeAscii, writeEncoded, writeQuoted } from './mime-quoted.ts'

/**
 * Octets that were made before, and what of them a signature covers (RFC 6376, 3.4.4): the same buffer when nothing
 * changes. They begin at a line start, and end with a line or where a line end follows.
 */
export interface Octets {
  readonly bytes: Buffer
  readonly relaxed: Buffer
}

/** A text in quoted-printable, of texts that are still to be encoded and of some that are. */
export interface Quoted {
  readonly quoted: readonly (string | Octets)[]
}

/** What a body is made of, in pieces that follow each other. A string is ASCII with CRLF line ends, and goes as it is. */
export type BodyPiece = string | Octets | Quoted

/** A body, and what of it a signature covers: the body itself where its blanks are as they should be. */
export interface Body {
  body: Buffer
  relaxedBody(): Buffer
}

/** Octets where they stand in a body. */
interface Placed {
  octets: Octets
  start: number
}

/** Writes a body in one walk and into one buffer. */
export function bodyOf(pieces: readonly BodyPiece[]): Body {
  const output = outputFor(pieces.reduce((sum, piece) => sum + roomOf(piece), 0))
  const placed: Placed[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') writeAscii(output, piece)
    else if ('quoted' in piece) writePieces(output, piece, placed)
    else writeOctets(output, piece, placed)
  }
  const body = output.bytes.subarray(0, output.length)
  return { body, relaxedBody: () => relaxedAround(body, placed) }
}

function roomOf(piece: BodyPiece): number {
  if (typeof piece === 'string') return piece.length
  if ('bytes' in piece) return piece.bytes.length
  return piece.quoted.reduce(
    (sum, one) => sum + (typeof one === 'string' ? roomFor(one.length) : roomFor(0) + one.bytes.length),
    0,
  )
}

function writeOctets(output: Output, octets: Octets, placed: Placed[]): void {
  placed.push({ octets, start: output.length })
  writeEncoded(output, octets.bytes)
}

/** Encodes what stands between the octets; those are copied. Each is on lines of its own. */
function writePieces(output: Output, { quoted }: Quoted, placed: Placed[]): void {
  // All texts become octets at once. What parts them keeps halves of surrogate pairs apart.
  let text = ''
  for (const piece of quoted) if (typeof piece === 'string') text += `${piece}\n`
  const source = Buffer.from(text)
  const isAscii = source.length === text.length
  const start = output.length
  let at = 0
  for (const piece of quoted) {
    if (output.length > start) breakSoftly(output)
    if (typeof piece === 'string') {
      const end = at + (isAscii ? piece.length : Buffer.byteLength(piece))
      writeQuoted(output, source, at, end)
      at = end + 1
    } else writeOctets(output, piece, placed)
  }
}

/** Whether nothing of a body is to be changed for a signature: seldom so when its template is indented. */
function isRelaxedAround(body: Buffer, placed: readonly Placed[]): boolean {
  let at = 0
  for (const { octets, start } of placed) {
    if (octets.relaxed !== octets.bytes || !isRelaxed(body, at, start)) return false
    at = start + octets.bytes.length
  }
  return isRelaxed(body, at, body.length)
}

/** The relaxed form of a body: octets have theirs already. Every seam is a line start. */
function relaxedAround(body: Buffer, placed: readonly Placed[]): Buffer {
  if (isRelaxedAround(body, placed)) return body
  const target = Buffer.allocUnsafe(body.length)
  let out = 0
  let at = 0
  for (const { octets, start } of placed) {
    out = relaxInto({ bytes: body, start: at, end: start }, target, out)
    out += octets.relaxed.copy(target, out)
    at = start + octets.bytes.length
  }
  return target.subarray(0, relaxInto({ bytes: body, start: at, end: body.length }, target, out))
}
