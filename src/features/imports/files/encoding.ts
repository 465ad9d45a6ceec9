import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { badRequestProblem } from '../../../lib/errors/problem.ts'

/** Size of the beginning of a file from which its encoding is detected, in bytes. */
export const ENCODING_SAMPLE_BYTES = 1 << 20

/** Character that decoders write for invalid bytes. */
export const REPLACEMENT_CHARACTER = '\uFFFD'

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const BYTE_ORDER_MARKS = [
  { encoding: 'utf-8', bytes: UTF8_MARK },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
] as const

function detectByteOrderMark(sample: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find(({ bytes }) => sample.subarray(0, bytes.length).equals(bytes))?.encoding
}

/**
 * The encoding of a text by its first bytes, at most 1 MiB of them: its byte order mark; else UTF-16 when a third of
 * the bytes in even or odd places are zero, as they are in any text in Latin letters; else UTF-8 when most of what is
 * beyond ASCII is valid; else Windows-1252.
 */
export function detectEncoding(sample: Buffer): string {
  const mark = detectByteOrderMark(sample)
  if (mark) return mark
  const zeroCounts = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeroCounts[index & 1]! += 1
  const [evenZeros = 0, oddZeros = 0] = zeroCounts
  if (Math.max(evenZeros, oddZeros) > sample.length / 6) return oddZeros >= evenZeros ? 'utf-16le' : 'utf-16be'
  return isMostlyUtf8(sample.length < ENCODING_SAMPLE_BYTES ? sample : dropCutCharacter(sample))
    ? 'utf-8'
    : 'windows-1252'
}

/** True if a text is UTF-8 with fewer bad bytes than characters of several bytes. */
function isMostlyUtf8(sample: Buffer): boolean {
  if (isUtf8(sample)) return true
  let balance = 0
  for (let byteIndex = 0; byteIndex < sample.length; byteIndex++) {
    const byte = sample[byteIndex]!
    if (byte < 0x80) continue
    const length = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    let end = byteIndex + 1
    while (end < byteIndex + length && sample[end]! >> 6 === 2) end += 1
    const isComplete = end === byteIndex + length
    balance += isComplete ? 1 : -1
    if (isComplete) byteIndex = end - 1
  }
  return balance > 0
}

/** The encoding of a text: that of its byte order mark, else the named one, or with `auto` the detected one. */
export function resolveEncoding(sample: Buffer, encodingName: string): string {
  return detectByteOrderMark(sample) ?? (encodingName === 'auto' ? detectEncoding(sample) : encodingName)
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
  return isAscii(bytes) || detectByteOrderMark(bytes) ? bytes : Buffer.concat([UTF8_MARK, bytes])
}

/**
 * Decodes a stream of bytes in pieces, without its byte order mark. Invalid bytes become U+FFFD.
 * `encoding`: a name known to iconv-lite, or `auto` to decide by the first MiB; a byte order mark overrides it.
 */
export async function* decodeByteStream(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  encoding: string,
): AsyncGenerator<string> {
  const sampleChunks: Buffer[] = []
  let sampleSize = 0
  let decoder: iconv.DecoderStream | undefined
  const openDecoder = (): string => {
    const sample = Buffer.concat(sampleChunks)
    decoder = iconv.getDecoder(resolveEncoding(sample.subarray(0, ENCODING_SAMPLE_BYTES), encoding))
    return decoder.write(sample)
  }
  for await (const chunk of chunks) {
    if (decoder) yield decoder.write(chunk)
    else {
      sampleChunks.push(chunk)
      sampleSize += chunk.length
      if (sampleSize >= ENCODING_SAMPLE_BYTES) yield openDecoder()
    }
  }
  if (!decoder) yield openDecoder()
  yield decoder?.end() ?? ''
}

/** A sample that is cut anywhere may end amid a character; at most three bytes are then ignored. */
function dropCutCharacter(sample: Buffer): Buffer {
  for (let distanceFromEnd = 1; distanceFromEnd <= Math.min(3, sample.length); distanceFromEnd++) {
    const byte = sample[sample.length - distanceFromEnd]!
    if (byte >= 0xc0) return sample.subarray(0, -distanceFromEnd)
    if (byte < 0x80) break
  }
  return sample
}
