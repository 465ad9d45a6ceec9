import { isRelaxed, relaxedPiece, relaxInto } from '../../lib/dkim.ts'
import { type Piece, pieceOf } from './mime-piece.ts'
import {
  breakSoftly,
  encodeQuotedPrintable,
  LINE,
  type Output,
  outputFor,
  type Source,
  sourceOf,
  writeEncoded,
  writeQuoted,
} from './mime-quoted.ts'

/** A text that a template writes into every message, encoded once. */
export interface StaticText {
  source: Buffer
  /** Its beginning, which finds it in a message. */
  head: Buffer
  encoded: Buffer
  relaxed: Buffer
  /** A text that holds it cannot go out as 7bit. */
  isQuoted: boolean
}

/** Shorter texts are encoded faster than they are found. */
const LEAST_STATIC = 160
const HEAD_OCTETS = 32
/** Static texts in a row that a message does not hold, after which the others are not looked for. */
const MOST_MISSES = 8

/** Template tags, and the markers of links: between them a template writes the same for everybody. */
const TAGS = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\u0002[^\u0003]*\u0003/

/** What makes a text quoted-printable wherever it stands. */
const NEVER_PLAIN = /[^\t\r\n\x20-\x7e]|=_|[ \t][\r\n]|[\r\n](?:\.|From )|[^\r\n]{77}/

function staticText(text: string): StaticText {
  const source = Buffer.from(text)
  const encoded = encodeQuotedPrintable(text)
  return {
    source,
    head: source.subarray(0, HEAD_OCTETS),
    encoded,
    relaxed: relaxedPiece(encoded),
    isQuoted: NEVER_PLAIN.test(text),
  }
}

/**
 * The texts of a template between its tags, in their order. They neither begin nor end with white space: what control of
 * it cuts away, and the halves of a line end, are never among them. One that is not in a message after all costs time only.
 */
export function staticTexts(template: string): StaticText[] {
  return template
    .toWellFormed()
    .split(TAGS)
    .map((text) => text.trim())
    .filter((text) => text.length >= LEAST_STATIC)
    .map(staticText)
}

/** A static text in a message: where it begins there, and in the encoding. */
interface Placed {
  text: StaticText
  start: number
  out: number
}

/** Finds the static texts of a template in a message, in their order. */
function place(source: Buffer, statics: readonly StaticText[]): Placed[] {
  const placed: Placed[] = []
  let at = 0
  let misses = 0
  for (const text of statics) {
    const start = source.indexOf(text.head, at)
    const end = start + text.source.length
    const isThere =
      start !== -1 && end <= source.length && source.compare(text.source, 0, text.source.length, start, end) === 0
    if (!isThere) {
      if (++misses === MOST_MISSES) break
      continue
    }
    misses = 0
    placed.push({ text, start, out: 0 })
    at = end
  }
  return placed
}

/** Encodes what stands between the static texts; those are copied. */
function writeAround(output: Output, source: Source, placed: readonly Placed[]): void {
  let at = 0
  for (const one of placed) {
    breakSoftly(output)
    writeQuoted(output, source, at, one.start)
    writeEncoded(output, one.text.encoded)
    one.out = output.length - one.text.encoded.length
    at = one.start + one.text.source.length
  }
  if (at === source.bytes.length) return
  breakSoftly(output)
  writeQuoted(output, source, at, source.bytes.length)
}

/** Whether nothing of an encoding is to be changed for a signature: seldom so when its template is indented. */
function isRelaxedAround(encoded: Buffer, placed: readonly Placed[]): boolean {
  let at = 0
  for (const { text, out: start } of placed) {
    if (text.relaxed !== text.encoded || !isRelaxed(encoded, at, start)) return false
    at = start + text.encoded.length
  }
  return isRelaxed(encoded, at, encoded.length)
}

/** The relaxed form of an encoding: static texts have theirs already. Every seam is a line start. */
function relaxedAround(encoded: Buffer, placed: readonly Placed[]): Buffer {
  if (isRelaxedAround(encoded, placed)) return encoded
  const target = Buffer.allocUnsafe(encoded.length)
  let out = 0
  let at = 0
  for (const { text, out: start } of placed) {
    out = relaxInto(encoded, at, start, target, out)
    out += text.relaxed.copy(target, out)
    at = start + text.encoded.length
  }
  return target.subarray(0, relaxInto(encoded, at, encoded.length, target, out))
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

const CR = 0x0d

/**
 * A text for the body of a part: 7bit where it may be (`rendering.md` 9.2), else quoted-printable. Line ends are CRLF.
 * `statics`: what its template writes, encoded before.
 */
export function encodeText(
  text: string,
  statics: readonly StaticText[] = [],
): { encoding: '7bit' | 'quoted-printable'; body: Piece } {
  const source = sourceOf(text)
  const placed = place(source.bytes, statics)
  const isQuoted = placed.some((one) => one.text.isQuoted)
  if (!isQuoted && fitsSevenBit(text))
    return { encoding: '7bit', body: pieceOf(Buffer.from(text.replace(/\r\n?|\n/g, '\r\n'), 'latin1')) }
  const output = outputFor(source.bytes.length)
  writeAround(output, source, placed)
  const bytes = output.bytes.subarray(0, output.length)
  return { encoding: 'quoted-printable', body: { bytes, relaxed: () => relaxedAround(bytes, placed) } }
}
