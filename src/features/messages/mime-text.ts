const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const DOT = 0x2e
const EQUALS = 0x3d
const UPPER_F = 0x46

/** RFC 2045, 6.7 (5): 76 characters a line, the `=` of a soft break among them. */
const LINE = 76
const BEFORE_BREAK = LINE - 1

/** What one line of output may take, with all that may be added at its end. */
const LINE_ROOM = LINE + 16

/** Octets that stand for themselves within a line. Blanks do, unless they end it. */
const PLAIN = new Uint8Array(256)
for (let octet = 0x20; octet < 0x7f; octet++) PLAIN[octet] = 1
PLAIN[TAB] = 1
PLAIN[EQUALS] = 0

const HEX = Buffer.from('0123456789ABCDEF')

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

const viewOf = (buffer: Buffer): DataView => new DataView(buffer.buffer, buffer.byteOffset, buffer.length)

function widened(target: Buffer<ArrayBuffer>, used: number): Buffer<ArrayBuffer> {
  const wider = Buffer.allocUnsafe(target.length * 2)
  target.copy(wider, 0, 0, used)
  return wider
}

/**
 * Quoted-printable (RFC 2045, 6.7) of a text as UTF-8. Any line end becomes CRLF. No line is over 76 characters, no
 * escape is split, and no line begins with a dot or `From ` or ends with a blank. Runs of plain text are copied four
 * octets at a time.
 *
 * Encodings of the pieces of a text may be put together when each but the last is followed by `=\r\n`.
 */
export function encodeQuotedPrintable(text: string): Buffer {
  const source = Buffer.from(text)
  const length = source.length
  const read = viewOf(source)
  let target = Buffer.allocUnsafe(length + (length >> 3) + 2 * LINE_ROOM)
  let write = viewOf(target)
  let out = 0
  let at = 0
  while (at < length) {
    if (out + LINE_ROOM > target.length) write = viewOf((target = widened(target, out)))
    let column = 0
    if (mustEscapeFirst(source, at)) {
      out = escapeOctet(target, out, source[at++]!)
      column = 3
    }
    for (; at < length; at++) {
      const octet = source[at]!
      if (PLAIN[octet] === 1) {
        if (column === BEFORE_BREAK) break
        target[out++] = octet
        column++
        for (; column <= BEFORE_BREAK - 4 && at + 5 <= length; at += 4, out += 4, column += 4) {
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
    const next = source[at]
    const hard = next === undefined || next === CR || next === LF
    if (hard && column > 0) out = escapeLastBlank(target, out, column)
    if (next === undefined) break
    if (!hard) target[out++] = EQUALS
    target[out++] = CR
    target[out++] = LF
    if (hard) at += next === CR && source[at + 1] === LF ? 2 : 1
  }
  return target.subarray(0, out)
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

/** Whether the text may go out as 7bit: ASCII, lines of at most 76, nothing at their ends that would need an escape. */
function fitsSevenBit(text: string): boolean {
  if (/[^\t\r\n\x20-\x7e]|=_|[ \t](?:[\r\n]|$)|(?:^|[\r\n])(?:\.|From )/.test(text)) return false
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (end - start > LINE + 1 || (end - start === LINE + 1 && text.charCodeAt(end - 1) !== CR)) return false
  }
  return true
}

/** A text for the body of a part: 7bit where it may be (`rendering.md` 9.2), else quoted-printable. Line ends are CRLF. */
export function encodeText(text: string): { encoding: '7bit' | 'quoted-printable'; body: Buffer } {
  if (!fitsSevenBit(text)) return { encoding: 'quoted-printable', body: encodeQuotedPrintable(text) }
  return { encoding: '7bit', body: Buffer.from(text.replace(/\r\n?|\n/g, '\r\n'), 'latin1') }
}
