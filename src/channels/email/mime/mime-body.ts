import { isRelaxedBody, writeRelaxedBody } from '../../../lib/crypto/dkim.ts'
import {
  createMimeOutput,
  estimateQuotedBytes,
  type MimeOutputBuffer,
  writeAsciiText,
  writeEncodedOctets,
  writeQuotedPrintable,
  writeSoftLineBreak,
} from './mime-quoted.ts'

/**
 * Octets that were made before, and what of them a signature covers (RFC 6376, 3.4.4): the same buffer when nothing
 * changes. They begin at a line start, and end with a line or where a line end follows.
 */
export interface EncodedOctets {
  readonly bytes: Buffer
  readonly relaxed: Buffer
}

/** A text in quoted-printable, of texts that are still to be encoded and of some that are. */
export interface QuotedPrintableText {
  readonly quoted: readonly (string | EncodedOctets)[]
}

/** What a body is made of, in pieces that follow each other. A string is ASCII with CRLF line ends, and goes as it is. */
export type MimeBodyPiece = string | EncodedOctets | QuotedPrintableText

/** A body, and what of it a signature covers: the body itself where its blanks are as they should be. */
export interface MimeBody {
  body: Buffer
  relaxedBody(): Buffer
}

/** Octets where they stand in a body. */
interface Placed {
  octets: EncodedOctets
  start: number
}

/** Writes a body in one walk and into one buffer. */
export function buildMimeBody(pieces: readonly MimeBodyPiece[]): MimeBody {
  const output = createMimeOutput(pieces.reduce((sum, piece) => sum + roomOf(piece), 0))
  const placed: Placed[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') writeAsciiText(output, piece)
    else if ('quoted' in piece) writePieces(output, piece, placed)
    else writeOctets(output, piece, placed)
  }
  const body = output.bytes.subarray(0, output.length)
  return { body, relaxedBody: () => relaxedAround(body, placed) }
}

function roomOf(piece: MimeBodyPiece): number {
  if (typeof piece === 'string') return piece.length
  if ('bytes' in piece) return piece.bytes.length
  return piece.quoted.reduce(
    (sum, one) =>
      sum + (typeof one === 'string' ? estimateQuotedBytes(one.length) : estimateQuotedBytes(0) + one.bytes.length),
    0,
  )
}

function writeOctets(output: MimeOutputBuffer, octets: EncodedOctets, placed: Placed[]): void {
  placed.push({ octets, start: output.length })
  writeEncodedOctets(output, octets.bytes)
}

/** Encodes what stands between the octets; those are copied. Each is on lines of its own. */
function writePieces(output: MimeOutputBuffer, { quoted }: QuotedPrintableText, placed: Placed[]): void {
  // All texts become octets at once. What parts them keeps halves of surrogate pairs apart.
  let text = ''
  for (const piece of quoted) if (typeof piece === 'string') text += `${piece}\n`
  const source = Buffer.from(text)
  const isAscii = source.length === text.length
  const start = output.length
  let at = 0
  for (const piece of quoted) {
    if (output.length > start) writeSoftLineBreak(output)
    if (typeof piece === 'string') {
      const end = at + (isAscii ? piece.length : Buffer.byteLength(piece))
      writeQuotedPrintable(output, source, at, end)
      at = end + 1
    } else writeOctets(output, piece, placed)
  }
}

/** Whether nothing of a body is to be changed for a signature: seldom so when its template is indented. */
function isRelaxedAround(body: Buffer, placed: readonly Placed[]): boolean {
  let at = 0
  for (const { octets, start } of placed) {
    if (octets.relaxed !== octets.bytes || !isRelaxedBody(body, at, start)) return false
    at = start + octets.bytes.length
  }
  return isRelaxedBody(body, at, body.length)
}

/** The relaxed form of a body: octets have theirs already. Every seam is a line start. */
function relaxedAround(body: Buffer, placed: readonly Placed[]): Buffer {
  if (isRelaxedAround(body, placed)) return body
  const target = Buffer.allocUnsafe(body.length)
  let out = 0
  let at = 0
  for (const { octets, start } of placed) {
    out = writeRelaxedBody({ bytes: body, start: at, end: start }, target, out)
    out += octets.relaxed.copy(target, out)
    at = start + octets.bytes.length
  }
  return target.subarray(0, writeRelaxedBody({ bytes: body, start: at, end: body.length }, target, out))
}
