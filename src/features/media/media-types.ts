import { Problem } from '../../lib/errors/problem.ts'

/** What a file is, and how large it is drawn in pixels; null for what has no pixels. */
export interface MediaFileKind {
  type: string
  extension: string
  width: number | null
  height: number | null
}

const MAX_PIXELS = 50_000_000

const starts = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

type Size = readonly [width: number, height: number]

/** PNG, third edition, 11.2.1: IHDR is the first chunk. */
function pngSize(bytes: Buffer): Size | undefined {
  return bytes.length >= 24 && starts(bytes, 'IHDR', 12) ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined
}

function gifSize(bytes: Buffer): Size | undefined {
  return bytes.length >= 10 ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined
}

/** Start of frame: C0 to CF but DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** ITU T.81, B.2.2: the size is in the first frame header. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** RFC 9649: lossy, lossless and extended files say their size in three ways. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  if (starts(bytes, 'VP8X', 12)) return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (starts(bytes, 'VP8 ', 12)) return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (!starts(bytes, 'VP8L', 12)) return undefined
  const bits = bytes.readUInt32LE(21)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

const pictures: readonly {
  type: string
  extension: string
  is(b: Buffer): boolean
  size(b: Buffer): Size | undefined
}[] = [
  { type: 'image/png', extension: 'png', is: (b) => starts(b, '\x89PNG\r\n\x1a\n'), size: pngSize },
  { type: 'image/jpeg', extension: 'jpg', is: (b) => starts(b, '\xff\xd8\xff'), size: jpegSize },
  { type: 'image/gif', extension: 'gif', is: (b) => starts(b, 'GIF87a') || starts(b, 'GIF89a'), size: gifSize },
  { type: 'image/webp', extension: 'webp', is: (b) => starts(b, 'RIFF') && starts(b, 'WEBP', 8), size: webpSize },
]

const PDF = 'application/pdf'
/** A drawing: its size is known when it has been drawn anew. */
export const SVG_MEDIA_TYPE = 'image/svg+xml'

/** Every type that is taken. */
export const acceptedMediaTypes = [...pictures.map(({ type }) => type), SVG_MEDIA_TYPE, PDF]

/** What may stand before the first element of XML: blanks, declarations, comments. */
const PROLOGUE = /(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[.*?\]\s*)?>)/isy
const SNIFFED_BYTES = 64 * 1024

/** Whether the first element is that of a drawing. */
function isSvg(bytes: Buffer): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, SNIFFED_BYTES))
  let start = 0
  PROLOGUE.lastIndex = 0
  while (PROLOGUE.test(text)) start = PROLOGUE.lastIndex
  return /^<(?:svg:)?svg[\s/>]/.test(text.slice(start, start + 10))
}

/** Readers look for the end of a document in its last kilobyte. */
const PDF_END_BYTES = 1024

/** Throws 400 for a document without its end. */
function pdfKind(bytes: Buffer): MediaFileKind {
  if (!bytes.subarray(-PDF_END_BYTES).includes('%%EOF'))
    throw new Problem(400, 'unreadable-document', 'The document has no end: the file is cut off.')
  return { type: PDF, extension: 'pdf', width: null, height: null }
}

/** What a file is by its content. Throws 415 for other types, 400 for no size or more than 50 megapixels. */
export function detectMediaKind(bytes: Buffer): MediaFileKind {
  if (starts(bytes, '%PDF-')) return pdfKind(bytes)
  if (isSvg(bytes)) return { type: SVG_MEDIA_TYPE, extension: 'svg', width: null, height: null }
  const found = pictures.find(({ is }) => is(bytes))
  if (!found)
    throw new Problem(
      415,
      'unsupported-media-type',
      `The content of the file must be one of ${acceptedMediaTypes.join(', ')}.`,
    )
  const [width, height] = found.size(bytes) ?? [0, 0]
  if (width === 0 || height === 0) throw unreadablePictureProblem(found.type)
  if (width * height > MAX_PIXELS)
    throw new Problem(
      400,
      'too-many-pixels',
      `The picture has ${width} × ${height} pixels; ${MAX_PIXELS} are allowed: make it smaller.`,
    )
  return { type: found.type, extension: found.extension, width, height }
}

/** 400 for a picture that is damaged or cut off. */
export function unreadablePictureProblem(type: string, why?: string): Problem {
  const detail = why ?? `The file begins as ${type} but cannot be read: it may be cut off.`
  return new Problem(400, 'unreadable-picture', detail)
}

/** A picture of more parts is refused before any is kept: a file of 10 MB could have half a million. */
const MAX_PARTS = 10_000

/** Counts the parts of a picture: frames, chunks, segments. Throws 400 for too many. */
export function countPictureParts(type: string): () => void {
  let parts = 0
  return () => {
    if (++parts > MAX_PARTS)
      throw unreadablePictureProblem(
        type,
        `The picture has more than ${MAX_PARTS} parts, such as frames: make it shorter.`,
      )
  }
}
