const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const DOT = 0x2e
const EQUALS = 0x3d
const UPPER_F = 0x46

/** RFC 2045, 6.7 (5): 76 characters a line, the `=` of a soft break among them. */
export const QUOTED_LINE_LENGTH = 76
const SOFT_BREAK_COLUMN = QUOTED_LINE_LENGTH - 1

/** Space for one line of output, with everything that can be added at its end. */
const MAX_LINE_OCTETS = QUOTED_LINE_LENGTH + 16

/** A soft break. */
const SOFT_BREAK_OCTETS = 3

/** Octets that stand for themselves within a line. Blanks do, unless they end it. */
const PLAIN_OCTETS = new Uint8Array(256)
for (let octet = 0x20; octet < 0x7f; octet++) PLAIN_OCTETS[octet] = 1
PLAIN_OCTETS[TAB] = 1
PLAIN_OCTETS[EQUALS] = 0

const HEX_DIGITS = Buffer.from('0123456789ABCDEF')

/** Octets that are written, and how many of them are. */
export interface MimeOutputBuffer {
  bytes: Buffer<ArrayBuffer>
  length: number
}

/** Estimates the encoded size of mostly plain octets. */
export function estimateQuotedBytes(octets: number): number {
  return octets + (octets >> 3) + SOFT_BREAK_OCTETS
}

/** Creates an output buffer for `octets` and one more line. It grows if that is not enough. */
export function createMimeOutput(octets: number): MimeOutputBuffer {
  return { bytes: Buffer.allocUnsafe(octets + MAX_LINE_OCTETS), length: 0 }
}

/** Reserves space for that many more octets. */
function reserveOctets(output: MimeOutputBuffer, octets: number): void {
  if (output.length + octets <= output.bytes.length) return
  const largerBuffer = Buffer.allocUnsafe(Math.max(output.bytes.length * 2, output.length + octets))
  output.bytes.copy(largerBuffer, 0, 0, output.length)
  output.bytes = largerBuffer
}

/** Octets that go as they are. */
export function writeEncodedOctets(output: MimeOutputBuffer, encoded: Buffer): void {
  reserveOctets(output, encoded.length)
  output.bytes.set(encoded, output.length)
  output.length += encoded.length
}

/** A text of ASCII that goes as it is. */
export function writeAsciiText(output: MimeOutputBuffer, text: string): void {
  reserveOctets(output, text.length)
  output.length += output.bytes.write(text, output.length, 'latin1')
}

/** Ends the line of the output, without one in the text; nothing at its beginning. */
export function writeSoftLineBreak(output: MimeOutputBuffer): void {
  const { length } = output
  if (length === 0 || output.bytes[length - 1] === LF) return
  reserveOctets(output, SOFT_BREAK_OCTETS)
  output.length = writeSoftBreak(output.bytes, length)
}

function writeSoftBreak(target: Buffer, outputOffset: number): number {
  target[outputOffset] = EQUALS
  target[outputOffset + 1] = CR
  target[outputOffset + 2] = LF
  return outputOffset + SOFT_BREAK_OCTETS
}

function escapeOctet(target: Buffer, outputOffset: number, octet: number): number {
  target[outputOffset] = EQUALS
  target[outputOffset + 1] = HEX_DIGITS[octet >> 4]!
  target[outputOffset + 2] = HEX_DIGITS[octet & 15]!
  return outputOffset + 3
}

function startsWithFrom(source: Buffer, position: number): boolean {
  return (
    source[position + 1] === 0x72 &&
    source[position + 2] === 0x6f &&
    source[position + 3] === 0x6d &&
    source[position + 4] === SPACE
  )
}

/** `From ` at a line start is changed by programs that keep mail in one file; a dot is by SMTP. */
function mustEscapeLineStart(source: Buffer, position: number): boolean {
  return source[position] === DOT || (source[position] === UPPER_F && startsWithFrom(source, position))
}

/**
 * Writes the quoted-printable (RFC 2045, 6.7) of the octets from `start` to `end`, from a line start on. Any line end
 * becomes CRLF. No line is over 76 characters, no escape is split, and no line begins with a dot or `From ` or ends with
 * a blank.
 */
export function writeQuotedPrintable(output: MimeOutputBuffer, source: Buffer, start: number, end: number): void {
  let position = start
  while (position < end) {
    reserveOctets(output, MAX_LINE_OCTETS)
    const target = output.bytes
    const line = output.length
    const lineLimit = line + SOFT_BREAK_COLUMN
    let outputOffset = line
    if (mustEscapeLineStart(source, position)) outputOffset = escapeOctet(target, outputOffset, source[position++]!)
    while (position < end) {
      const runEnd = Math.min(end, position + lineLimit - outputOffset)
      while (position < runEnd && PLAIN_OCTETS[source[position]!] === 1) target[outputOffset++] = source[position++]!
      if (position === end) break
      const octet = source[position]!
      if (PLAIN_OCTETS[octet] === 1 || octet === CR || octet === LF || outputOffset + 3 > lineLimit) break
      outputOffset = escapeOctet(target, outputOffset, octet)
      position++
    }
    const nextOctet = position < end ? source[position] : undefined
    const isHardBreak = nextOctet === undefined || nextOctet === CR || nextOctet === LF
    if (isHardBreak && outputOffset > line) outputOffset = escapeTrailingBlank(target, line, outputOffset)
    if (nextOctet !== undefined) {
      if (!isHardBreak) target[outputOffset++] = EQUALS
      target[outputOffset++] = CR
      target[outputOffset++] = LF
      if (isHardBreak) position += nextOctet === CR && position + 1 < end && source[position + 1] === LF ? 2 : 1
    }
    output.length = outputOffset
  }
}

/** A blank at the end of a line is written as an escape, on a line of its own when it and a soft break have no room. */
function escapeTrailingBlank(target: Buffer, line: number, outputOffset: number): number {
  const lastOctet = target[outputOffset - 1]!
  if (lastOctet !== SPACE && lastOctet !== TAB) return outputOffset
  outputOffset--
  if (outputOffset + 3 > line + SOFT_BREAK_COLUMN) outputOffset = writeSoftBreak(target, outputOffset)
  return escapeOctet(target, outputOffset, lastOctet)
}

/** Quoted-printable of a text as UTF-8. */
export function encodeQuotedPrintable(text: string): Buffer {
  const source = Buffer.from(text)
  const output = createMimeOutput(estimateQuotedBytes(source.length))
  writeQuotedPrintable(output, source, 0, source.length)
  return output.bytes.subarray(0, output.length)
}
