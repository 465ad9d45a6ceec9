const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const DOT = 0x2e
const EQUALS = 0x3d
const UPPER_F = 0x46

/** RFC 2045, 6.7 (5): 76 characters a line, the `=` of a soft break among them. */
export const LINE = 76
const BEFORE_BREAK = LINE - 1

/** What one line of output may take, with all that may be added at its end. */
const LINE_ROOM = LINE + 16

/** Octets that stand for themselves within a line. Blanks do, unless they end it. */
const PLAIN = new Uint8Array(256)
for (let octet = 0x20; octet < 0x7f; octet++) PLAIN[octet] = 1
PLAIN[TAB] = 1
PLAIN[EQUALS] = 0

const HEX = Buffer.from('0123456789ABCDEF')

/** Octets that are written, and how many of them are. */
export interface Output {
  bytes: Buffer<ArrayBuffer>
  view: DataView
  length: number
}

/** Octets that are read, four at a time where that is faster. */
export interface Source {
  bytes: Buffer
  view: DataView
}

const viewOf = (buffer: Buffer): DataView => new DataView(buffer.buffer, buffer.byteOffset, buffer.length)

export function sourceOf(text: string): Source {
  const bytes = Buffer.from(text)
  return { bytes, view: viewOf(bytes) }
}

/** An output with room for the encoding of so many octets when they are mostly plain; it grows when they are not. */
export function outputFor(octets: number): Output {
  const bytes = Buffer.allocUnsafe(octets + (octets >> 3) + 2 * LINE_ROOM)
  return { bytes, view: viewOf(bytes), length: 0 }
}

/** Makes room for so many more octets. */
function makeRoom(output: Output, octets: number): void {
  if (output.length + octets <= output.bytes.length) return
  const wider = Buffer.allocUnsafe(Math.max(output.bytes.length * 2, output.length + octets))
  output.bytes.copy(wider, 0, 0, output.length)
  output.bytes = wider
  output.view = viewOf(wider)
}

/** Octets that are encoded already: they go on a line of their own, unless one has just begun. */
export function writeEncoded(output: Output, encoded: Buffer): void {
  makeRoom(output, encoded.length + LINE_ROOM)
  breakSoftly(output)
  output.length += encoded.copy(output.bytes, output.length)
}

/** Ends the line of the output, without one in the text; nothing at its beginning. */
export function breakSoftly(output: Output): void {
  const { bytes, length } = output
  if (length === 0 || bytes[length - 1] === LF) return
  makeRoom(output, LINE_ROOM)
  output.length += output.bytes.write('=\r\n', length, 'latin1')
}

function beginsWithFrom(source: Uint8Array, at: number): boolean {
  return source[at + 1] === 0x72 && source[at + 2] === 0x6f && source[at + 3] === 0x6d && source[at + 4] === SPACE
}

/** `From ` at a line start is changed by programs that keep mail in one file; a dot is by SMTP. */
function mustEscapeFirst(source: Uint8Array, at: number): boolean {
  return source[at] === DOT || (source[at] === UPPER_F && beginsWithFrom(source, at))
}

function escapeOctet(target: Buffer, out: number, octet: number): number {
  target[out] = EQUALS
  target[out + 1] = HEX[octet >> 4]!
  target[out + 2] = HEX[octet & 15]!
  return out + 3
}

/** Whether any of four octets may be other than plain: below 0x20, above 0x7e, or `=`. Never misses one. */
function maybeSpecial(four: number): boolean {
  const equals = four ^ 0x3d3d3d3d
  return ((four | (four - 0x20202020) | (four + 0x01010101) | (equals - 0x01010101)) & 0x80808080) !== 0
}

/**
 * Writes the quoted-printable (RFC 2045, 6.7) of the octets from `start` to `end`, from a line start on. Any line end
 * becomes CRLF. No line is over 76 characters, no escape is split, and no line begins with a dot or `From ` or ends with
 * a blank. Runs of plain text are copied four octets at a time.
 */
export function writeQuoted(output: Output, source: Source, start: number, end: number): void {
  const { bytes: from, view: read } = source
  let at = start
  while (at < end) {
    makeRoom(output, LINE_ROOM)
    const { bytes: target, view: write } = output
    let out = output.length
    let column = 0
    if (mustEscapeFirst(from, at)) {
      out = escapeOctet(target, out, from[at++]!)
      column = 3
    }
    for (; at < end; at++) {
      const octet = from[at]!
      if (PLAIN[octet] === 1) {
        if (column === BEFORE_BREAK) break
        target[out++] = octet
        column++
        for (; column <= BEFORE_BREAK - 4 && at + 5 <= end; at += 4, out += 4, column += 4) {
          const four = read.getInt32(at + 1)
          if (maybeSpecial(four)) break
          write.setInt32(out, four)
        }
      } else {
        if (octet === CR || octet === LF || column + 3 > BEFORE_BREAK) break
        out = escapeOctet(target, out, octet)
        column += 3
      }
    }
    const next = at < end ? from[at] : undefined
    const hard = next === undefined || next === CR || next === LF
    if (hard && column > 0) out = escapeLastBlank(target, out, column)
    if (next !== undefined) {
      if (!hard) target[out++] = EQUALS
      target[out++] = CR
      target[out++] = LF
      if (hard) at += next === CR && at + 1 < end && from[at + 1] === LF ? 2 : 1
    }
    output.length = out
  }
}

/** A blank at the end of a line is written as an escape, on a line of its own when there is no room. */
function escapeLastBlank(target: Buffer, out: number, column: number): number {
  const last = target[out - 1]!
  if (last !== SPACE && last !== TAB) return out
  out--
  if (column + 2 > LINE) {
    target[out++] = EQUALS
    target[out++] = CR
    target[out++] = LF
  }
  return escapeOctet(target, out, last)
}

/** Quoted-printable of a text as UTF-8. */
export function encodeQuotedPrintable(text: string): Buffer {
  const source = sourceOf(text)
  const output = outputFor(source.bytes.length)
  writeQuoted(output, source, 0, source.bytes.length)
  return output.bytes.subarray(0, output.length)
}
