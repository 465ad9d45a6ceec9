const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const DOT = 0x2e
const EQUALS = 0x3d
const UPPER_F = 0x46

/** RFC 2045, 6.7 (5): 76 characters a line, the `=` of a soft break among them. */
export const QUOTED_LINE_LENGTH = 76
const BEFORE_BREAK = QUOTED_LINE_LENGTH - 1

/** What one line of output may take, with all that may be added at its end. */
const LINE_ROOM = QUOTED_LINE_LENGTH + 16

/** A soft break. */
const SEAM = 3

/** Octets that stand for themselves within a line. Blanks do, unless they end it. */
const PLAIN = new Uint8Array(256)
for (let octet = 0x20; octet < 0x7f; octet++) PLAIN[octet] = 1
PLAIN[TAB] = 1
PLAIN[EQUALS] = 0

const HEX = Buffer.from('0123456789ABCDEF')

/** Octets that are written, and how many of them are. */
export interface MimeOutputBuffer {
  bytes: Buffer<ArrayBuffer>
  length: number
}

/** What the encoding of so many octets takes when they are mostly plain. */
export function estimateQuotedBytes(octets: number): number {
  return octets + (octets >> 3) + SEAM
}

/** An output with room for so many octets and a line; it grows when that is not enough. */
export function createMimeOutput(octets: number): MimeOutputBuffer {
  return { bytes: Buffer.allocUnsafe(octets + LINE_ROOM), length: 0 }
}

/** Makes room for so many more octets. */
function makeRoom(output: MimeOutputBuffer, octets: number): void {
  if (output.length + octets <= output.bytes.length) return
  const wider = Buffer.allocUnsafe(Math.max(output.bytes.length * 2, output.length + octets))
  output.bytes.copy(wider, 0, 0, output.length)
  output.bytes = wider
}

/** Octets that go as they are. */
export function writeEncodedOctets(output: MimeOutputBuffer, encoded: Buffer): void {
  makeRoom(output, encoded.length)
  output.bytes.set(encoded, output.length)
  output.length += encoded.length
}

/** A text of ASCII that goes as it is. */
export function writeAsciiText(output: MimeOutputBuffer, text: string): void {
  makeRoom(output, text.length)
  output.length += output.bytes.write(text, output.length, 'latin1')
}

/** Ends the line of the output, without one in the text; nothing at its beginning. */
export function writeSoftLineBreak(output: MimeOutputBuffer): void {
  const { length } = output
  if (length === 0 || output.bytes[length - 1] === LF) return
  makeRoom(output, SEAM)
  output.length = writeBreak(output.bytes, length)
}

function writeBreak(target: Buffer, out: number): number {
  target[out] = EQUALS
  target[out + 1] = CR
  target[out + 2] = LF
  return out + SEAM
}

function escapeOctet(target: Buffer, out: number, octet: number): number {
  target[out] = EQUALS
  target[out + 1] = HEX[octet >> 4]!
  target[out + 2] = HEX[octet & 15]!
  return out + 3
}

function beginsWithFrom(source: Buffer, at: number): boolean {
  return source[at + 1] === 0x72 && source[at + 2] === 0x6f && source[at + 3] === 0x6d && source[at + 4] === SPACE
}

/** `From ` at a line start is changed by programs that keep mail in one file; a dot is by SMTP. */
function mustEscapeFirst(source: Buffer, at: number): boolean {
  return source[at] === DOT || (source[at] === UPPER_F && beginsWithFrom(source, at))
}

/**
 * Writes the quoted-printable (RFC 2045, 6.7) of the octets from `start` to `end`, from a line start on. Any line end
 * becomes CRLF. No line is over 76 characters, no escape is split, and no line begins with a dot or `From ` or ends with
 * a blank.
 */
export function writeQuotedPrintable(output: MimeOutputBuffer, source: Buffer, start: number, end: number): void {
  let at = start
  while (at < end) {
    makeRoom(output, LINE_ROOM)
    const target = output.bytes
    const line = output.length
    const last = line + BEFORE_BREAK
    let out = line
    if (mustEscapeFirst(source, at)) out = escapeOctet(target, out, source[at++]!)
    while (at < end) {
      const stop = Math.min(end, at + last - out)
      while (at < stop && PLAIN[source[at]!] === 1) target[out++] = source[at++]!
      if (at === end) break
      const octet = source[at]!
      if (PLAIN[octet] === 1 || octet === CR || octet === LF || out + 3 > last) break
      out = escapeOctet(target, out, octet)
      at++
    }
    const next = at < end ? source[at] : undefined
    const isHard = next === undefined || next === CR || next === LF
    if (isHard && out > line) out = escapeLastBlank(target, line, out)
    if (next !== undefined) {
      if (!isHard) target[out++] = EQUALS
      target[out++] = CR
      target[out++] = LF
      if (isHard) at += next === CR && at + 1 < end && source[at + 1] === LF ? 2 : 1
    }
    output.length = out
  }
}

/** A blank at the end of a line is written as an escape, on a line of its own when it and a soft break have no room. */
function escapeLastBlank(target: Buffer, line: number, out: number): number {
  const last = target[out - 1]!
  if (last !== SPACE && last !== TAB) return out
  out--
  if (out + 3 > line + BEFORE_BREAK) out = writeBreak(target, out)
  return escapeOctet(target, out, last)
}

/** Quoted-printable of a text as UTF-8. */
export function encodeQuotedPrintable(text: string): Buffer {
  const source = Buffer.from(text)
  const output = createMimeOutput(estimateQuotedBytes(source.length))
  writeQuotedPrintable(output, source, 0, source.length)
  return output.bytes.subarray(0, output.length)
}
