import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { badRequestProblem } from '../../../lib/errors/problem.ts'

/** How much of a file its encoding is detected from, in bytes. */
export const ENCODING_SAMPLE_BYTES = 1 << 20

/** What decoders write for invalid bytes. */
export const REPLACEMENT_CHARACTER = '\uFFFD'

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', bytes: UTF8_MARK },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
] as const

function markOf(sample: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find(({ bytes }) => sample.subarray(0, bytes.length).equals(bytes))?.encoding
}

/**
 * The encoding of a text by its first bytes, at most 1 MiB of them: its byte order mark; else UTF-16 when a third of
 * the bytes in even or odd places are zero, as they are in any text in Latin letters; else UTF-8 when most of what is
 * beyond ASCII is valid; else Windows-1252.
 */
export function detectEncoding(sample: Buffer): string {
  const mark = markOf(sample)
  if (mark) return mark
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index & 1]! += 1
  const [even = 0, odd = 0] = zeros
  if (Math.max(even, odd) > sample.length / 6) return odd >= even ? 'utf-16le' : 'utf-16be'
  return isMostlyUtf8(sample.length < ENCODING_SAMPLE_BYTES ? sample : withoutCutCharacter(sample))
    ? 'utf-8'
    : 'windows-1252'
}

/** True if a text is UTF-8 with fewer bad bytes than characters of several bytes. */
function isMostlyUtf8(sample: Buffer): boolean {
  if (isUtf8(sample)) return true
  let balance = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!
    if (byte < 0x80) continue
    const length = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    let end = at + 1
    while (end < at + length && sample[end]! >> 6 === 2) end += 1
    const isWhole = end === at + length
    balance += isWhole ? 1 : -1
    if (isWhole) at = end - 1
  }
  return balance > 0
}

/** The encoding of a text: that of its byte order mark, else the named one, or with `auto` the detected one. */
export function resolveEncoding(sample: Buffer, named: string): string {
  return markOf(sample) ?? (named === 'auto' ? detectEncoding(sample) : named)
}

/** Requires an encoding to be `auto` or a known character set. Throws 400 with the pointer. */
export function requireEncoding(name: string, pointer: string): void {
  if (name === 'auto' || iconv.encodingExists(name)) return
  throw badRequestProblem(pointer, `"${name}" is not a known character set: try utf-8, windows-1252 or auto`)
}

/** The member `encoding` of a mapping; absent if the encoding is detected. */
export function toEncodingMember(name: string): { encoding?: string } {
  return name === 'auto' ? {} : { encoding: name }
}

/** The bytes of a text received as characters. A byte order mark protects a text beyond ASCII from an encoding named for files. */
export function encodeReceivedText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return isAscii(bytes) || markOf(bytes) ? bytes : Buffer.concat([UTF8_MARK, bytes])
}

/**
 * Decodes a stream of bytes in pieces, without its byte order mark. Invalid bytes become U+FFFD.
 * `encoding`: a name known to iconv-lite, or `auto` to decide by the first MiB; a byte order mark overrides it.
 */
export async function* decodeByteStream(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const held: Buffer[] = []
  let size = 0
  let decoder: iconv.DecoderStream | undefined
  const open = (): string => {
    const sample = Buffer.concat(held)
    decoder = iconv.getDecoder(resolveEncoding(sample.subarray(0, ENCODING_SAMPLE_BYTES), encoding))
    return decoder.write(sample)
  }
  for await (const chunk of chunks) {
    if (decoder) yield decoder.write(chunk)
    else {
      held.push(chunk)
      size += chunk.length
      if (size >= ENCODING_SAMPLE_BYTES) yield open()
    }
  }
  if (!decoder) yield open()
  yield decoder?.end() ?? ''
}

/** A sample that is cut anywhere may end amid a character; at most three bytes are then ignored. */
function withoutCutCharacter(sample: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, sample.length); back++) {
    const byte = sample[sample.length - back]!
    if (byte >= 0xc0) return sample.subarray(0, -back)
    if (byte < 0x80) break
  }
  return sample
}
