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

/** A piece of a body; pieces follow each other. A string is ASCII with CRLF line ends and is written unchanged. */
export type MimeBodyPiece = string | EncodedOctets | QuotedPrintableText

/** A body, and what of it a signature covers: the body itself where its blanks are as they should be. */
export interface MimeBody {
  body: Buffer
  relaxedBody(): Buffer
}

/** Octets where they stand in a body. */
interface PlacedOctets {
  octets: EncodedOctets
  start: number
}

/** Writes a body in one walk and into one buffer. */
export function buildMimeBody(pieces: readonly MimeBodyPiece[]): MimeBody {
  const output = createMimeOutput(pieces.reduce((sum, piece) => sum + estimatePieceBytes(piece), 0))
  const placedOctets: PlacedOctets[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') writeAsciiText(output, piece)
    else if ('quoted' in piece) writeQuotedPieces(output, piece, placedOctets)
    else writeOctets(output, piece, placedOctets)
  }
  const body = output.bytes.subarray(0, output.length)
  return { body, relaxedBody: () => relaxBody(body, placedOctets) }
}

function estimatePieceBytes(piece: MimeBodyPiece): number {
  if (typeof piece === 'string') return piece.length
  if ('bytes' in piece) return piece.bytes.length
  return piece.quoted.reduce(
    (sum, quotedPiece) =>
      sum +
      (typeof quotedPiece === 'string'
        ? estimateQuotedBytes(quotedPiece.length)
        : estimateQuotedBytes(0) + quotedPiece.bytes.length),
    0,
  )
}

function writeOctets(output: MimeOutputBuffer, octets: EncodedOctets, placedOctets: PlacedOctets[]): void {
  placedOctets.push({ octets, start: output.length })
  writeEncodedOctets(output, octets.bytes)
}

/** Encodes what stands between the octets; those are copied. Each is on lines of its own. */
function writeQuotedPieces(
  output: MimeOutputBuffer,
  { quoted }: QuotedPrintableText,
  placedOctets: PlacedOctets[],
): void {
  // All texts become octets at once. What parts them keeps halves of surrogate pairs apart.
  let text = ''
  for (const piece of quoted) if (typeof piece === 'string') text += `${piece}\n`
  const source = Buffer.from(text)
  const isAscii = source.length === text.length
  const start = output.length
  let position = 0
  for (const piece of quoted) {
    if (output.length > start) writeSoftLineBreak(output)
    if (typeof piece === 'string') {
      const end = position + (isAscii ? piece.length : Buffer.byteLength(piece))
      writeQuotedPrintable(output, source, position, end)
      position = end + 1
    } else writeOctets(output, piece, placedOctets)
  }
}

/** Returns true if a signature covers the body unchanged. This is rarely true if its template is indented. */
function isBodyRelaxed(body: Buffer, placedOctets: readonly PlacedOctets[]): boolean {
  let position = 0
  for (const { octets, start } of placedOctets) {
    if (octets.relaxed !== octets.bytes || !isRelaxedBody(body, position, start)) return false
    position = start + octets.bytes.length
  }
  return isRelaxedBody(body, position, body.length)
}

/** The relaxed form of a body: octets have theirs already. Every seam is a line start. */
function relaxBody(body: Buffer, placedOctets: readonly PlacedOctets[]): Buffer {
  if (isBodyRelaxed(body, placedOctets)) return body
  const target = Buffer.allocUnsafe(body.length)
  let outputOffset = 0
  let position = 0
  for (const { octets, start } of placedOctets) {
    outputOffset = writeRelaxedBody({ bytes: body, start: position, end: start }, target, outputOffset)
    outputOffset += octets.relaxed.copy(target, outputOffset)
    position = start + octets.bytes.length
  }
  return target.subarray(0, writeRelaxedBody({ bytes: body, start: position, end: body.length }, target, outputOffset))
}
