import { Problem } from '../../lib/errors/problem.ts'

/** The type of a file, and the size at which it is drawn in pixels; null for files without pixels. */
export interface MediaFileKind {
  type: string
  extension: string
  width: number | null
  height: number | null
}

const MAX_PIXELS = 50_000_000

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

type PixelSize = readonly [width: number, height: number]

/** PNG, third edition, 11.2.1: IHDR is the first chunk. */
function readPngSize(bytes: Buffer): PixelSize | undefined {
  return bytes.length >= 24 && startsWith(bytes, 'IHDR', 12)
    ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    : undefined
}

function readGifSize(bytes: Buffer): PixelSize | undefined {
  return bytes.length >= 10 ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined
}

/** Start of frame: C0 to CF but DHT (C4), JPG (C8) and DAC (CC). */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** ITU T.81, B.2.2: the size is in the first frame header. */
function readJpegSize(bytes: Buffer): PixelSize | undefined {
  for (let position = 2; position + 9 <= bytes.length; ) {
    if (bytes[position] !== 0xff) return undefined
    const marker = bytes[position + 1]!
    if (marker === 0xff) position += 1
    else if (isStartOfFrame(marker)) return [bytes.readUInt16BE(position + 7), bytes.readUInt16BE(position + 5)]
    else position += 2 + bytes.readUInt16BE(position + 2)
  }
  return undefined
}

/** RFC 9649: lossy, lossless and extended files say their size in three ways. */
function readWebpSize(bytes: Buffer): PixelSize | undefined {
  if (bytes.length < 30) return undefined
  if (startsWith(bytes, 'VP8X', 12)) return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1]
  if (startsWith(bytes, 'VP8 ', 12)) return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff]
  if (!startsWith(bytes, 'VP8L', 12)) return undefined
  const sizeBits = bytes.readUInt32LE(21)
  return [(sizeBits & 0x3fff) + 1, ((sizeBits >>> 14) & 0x3fff) + 1]
}

const pictureFormats: readonly {
  type: string
  extension: string
  is(b: Buffer): boolean
  size(b: Buffer): PixelSize | undefined
}[] = [
  { type: 'image/png', extension: 'png', is: (b) => startsWith(b, '\x89PNG\r\n\x1a\n'), size: readPngSize },
  { type: 'image/jpeg', extension: 'jpg', is: (b) => startsWith(b, '\xff\xd8\xff'), size: readJpegSize },
  {
    type: 'image/gif',
    extension: 'gif',
    is: (b) => startsWith(b, 'GIF87a') || startsWith(b, 'GIF89a'),
    size: readGifSize,
  },
  {
    type: 'image/webp',
    extension: 'webp',
    is: (b) => startsWith(b, 'RIFF') && startsWith(b, 'WEBP', 8),
    size: readWebpSize,
  },
]

const PDF_TYPE = 'application/pdf'
/** A drawing: its size is known once it has been redrawn. */
export const SVG_MEDIA_TYPE = 'image/svg+xml'

/** Every type that is taken. */
export const acceptedMediaTypes = [...pictureFormats.map(({ type }) => type), SVG_MEDIA_TYPE, PDF_TYPE]

/** Text that may precede the first element of XML: blanks, declarations, comments. */
const XML_PROLOGUE = /(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>[]*(?:\[.*?\]\s*)?>)/isy
const SNIFFED_BYTES = 64 * 1024

/** True if the first element is that of a drawing. */
function isSvg(bytes: Buffer): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, SNIFFED_BYTES))
  let elementStart = 0
  XML_PROLOGUE.lastIndex = 0
  while (XML_PROLOGUE.test(text)) elementStart = XML_PROLOGUE.lastIndex
  return /^<(?:svg:)?svg[\s/>]/.test(text.slice(elementStart, elementStart + 10))
}

/** Readers look for the end of a document in its last kilobyte. */
const PDF_END_BYTES = 1024

/** Throws 400 for a document without its end. */
function detectPdf(bytes: Buffer): MediaFileKind {
  if (!bytes.subarray(-PDF_END_BYTES).includes('%%EOF'))
    throw new Problem(400, 'unreadable-document', 'The document has no end. The file is truncated.')
  return { type: PDF_TYPE, extension: 'pdf', width: null, height: null }
}

/** Detects the type of a file from its content. Throws 415 for other types, 400 for no size or more than 50 megapixels. */
export function detectMediaKind(bytes: Buffer): MediaFileKind {
  if (startsWith(bytes, '%PDF-')) return detectPdf(bytes)
  if (isSvg(bytes)) return { type: SVG_MEDIA_TYPE, extension: 'svg', width: null, height: null }
  const pictureFormat = pictureFormats.find(({ is }) => is(bytes))
  if (!pictureFormat)
    throw new Problem(
      415,
      'unsupported-media-type',
      `The content of the file must be one of ${acceptedMediaTypes.join(', ')}.`,
    )
  const [width, height] = pictureFormat.size(bytes) ?? [0, 0]
  if (width === 0 || height === 0) throw unreadablePictureProblem(pictureFormat.type)
  if (width * height > MAX_PIXELS)
    throw new Problem(
      400,
      'too-many-pixels',
      `The picture has ${width} × ${height} pixels; at most ${MAX_PIXELS} are allowed. Make it smaller.`,
    )
  return { type: pictureFormat.type, extension: pictureFormat.extension, width, height }
}

/** 400 for a picture that is damaged or cut off. */
export function unreadablePictureProblem(type: string, why?: string): Problem {
  const detail = why ?? `The file starts as ${type} but cannot be read. It may be truncated.`
  return new Problem(400, 'unreadable-picture', detail)
}

/** A picture of more parts is refused before any is kept: a file of 10 MB could have half a million. */
const MAX_PICTURE_PARTS = 10_000

/** Counts the parts of a picture: frames, chunks, segments. Throws 400 for too many. */
export function countPictureParts(type: string): () => void {
  let parts = 0
  return () => {
    if (++parts > MAX_PICTURE_PARTS)
      throw unreadablePictureProblem(
        type,
        `The picture has more than ${MAX_PICTURE_PARTS} parts, such as frames. Shorten it.`,
      )
  }
}
