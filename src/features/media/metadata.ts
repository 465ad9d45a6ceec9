import { stripGifMetadata } from './gif.ts'
import { countPictureParts, unreadablePictureProblem } from './media-types.ts'

/** A picture without what cameras and programs wrote into it. */
export interface StrippedPicture {
  bytes: Buffer
  /** Several pictures follow each other: it has no smaller copies, which would stand still. */
  isMoving: boolean
}

const ascii = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length)

/** EXIF 2.32, 4.6.4: the orientation of the first directory; undefined when it says none but the usual. */
function orientationOf(segment: Buffer): number | undefined {
  const tiff = segment.subarray(10)
  if (tiff.length < 14) return undefined
  const isLittle = ascii(tiff, 0, 2) === 'II'
  const read16 = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (first + 2 > tiff.length) return undefined
  const entries = read16(first)
  for (let at = first + 2, seen = 0; seen < entries && at + 12 <= tiff.length; at += 12, seen++)
    if (read16(at) === 0x0112) {
      const value = read16(at + 8)
      return value >= 2 && value <= 8 ? value : undefined
    }
  return undefined
}

/** EXIF that says nothing but how the camera was held. */
function orientationSegment(orientation: number): Buffer {
  const bytes = Buffer.from(
    'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000',
    'hex',
  )
  bytes.writeUInt16BE(orientation, 28)
  return bytes
}

/** Where coded data ends: before the next marker that is no restart (ITU T.81, B.1.1.5). */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at)) {
    const next = bytes[at + 1]
    if (next === 0xff) at += 1
    else if (next === 0 || (next !== undefined && next >= 0xd0 && next <= 0xd7)) at += 2
    else if (next === undefined) break
    else return at
  }
  throw unreadablePictureProblem('image/jpeg')
}

/** Segments of applications that the colours need. */
const JPEG_KEPT: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' }

/** What of a segment is kept: tables and frames, colours, how the camera was held. */
function plainSegment(segment: Buffer): Buffer[] {
  const marker = segment[1]!
  const isOfApplication = marker >= 0xe0 && marker <= 0xef
  if (marker === 0xe1 && ascii(segment, 4, 6) === 'Exif\0\0') {
    const orientation = orientationOf(segment)
    return orientation === undefined ? [] : [orientationSegment(orientation)]
  }
  if (!isOfApplication) return marker === 0xfe ? [] : [segment]
  const name = JPEG_KEPT[marker]
  return name !== undefined && ascii(segment, 4, name.length) === name ? [segment] : []
}

/** What follows the end of the picture, such as its preview or a film, falls away too. */
function plainJpeg(bytes: Buffer): StrippedPicture {
  const kept = [bytes.subarray(0, 2)]
  const count = countPictureParts('image/jpeg')
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) at += 1
    else if (marker === 0xd9) return { bytes: Buffer.concat([...kept, bytes.subarray(at, at + 2)]), isMoving: false }
    else {
      count()
      if (at + 4 > bytes.length) break
      const end = at + 2 + bytes.readUInt16BE(at + 2)
      if (end > bytes.length) break
      const next = marker === 0xda ? endOfScan(bytes, end) : end
      kept.push(...(marker === 0xda ? [bytes.subarray(at, next)] : plainSegment(bytes.subarray(at, end))))
      at = next
    }
  }
  throw unreadablePictureProblem('image/jpeg')
}

/** Chunks of PNG that say how it looks. */
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

function plainPng(bytes: Buffer): StrippedPicture {
  const kept = [bytes.subarray(0, 8)]
  const count = countPictureParts('image/png')
  let isMoving = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    count()
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = ascii(bytes, at + 4, 4)
    if (end > bytes.length) break
    isMoving ||= type === 'acTL'
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return { bytes: Buffer.concat(kept), isMoving }
    at = end
  }
  throw unreadablePictureProblem('image/png')
}

/** Chunks of WebP that say how it looks (RFC 9649, 2.7). */
const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const ANIMATED = 0x02
/** EXIF and XMP. */
const DESCRIBED = 0x0c

function plainWebp(bytes: Buffer): StrippedPicture {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  if (bytes.length < 8 + bytes.readUInt32LE(4)) throw unreadablePictureProblem('image/webp')
  const kept: Buffer[] = []
  const count = countPictureParts('image/webp')
  let isMoving = false
  for (let at = 12; at + 8 <= end; ) {
    count()
    const type = ascii(bytes, at, 4)
    const size = bytes.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (next > end) throw unreadablePictureProblem('image/webp')
    const chunk = Buffer.from(bytes.subarray(at, next))
    if (type === 'VP8X') {
      isMoving = (chunk[8]! & ANIMATED) !== 0
      chunk[8] = chunk[8]! & ~DESCRIBED
    }
    if (WEBP_KEPT.has(type)) kept.push(chunk)
    at = next
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return { bytes: Buffer.concat([head, body]), isMoving }
}

const plain: Record<string, (bytes: Buffer) => StrippedPicture> = {
  'image/jpeg': plainJpeg,
  'image/png': plainPng,
  'image/webp': plainWebp,
  'image/gif': (bytes) => ({ bytes: stripGifMetadata(bytes), isMoving: true }),
}

/**
 * Takes out of a picture what does not show in it: where and when it was taken, by whom, previews, comments. Its pixels stay
 * as they are, and so does how the camera was held. Throws 400 for a picture that is cut off or has too many parts.
 */
export function stripPictureMetadata(type: string, bytes: Buffer): StrippedPicture {
  const made = plain[type]
  if (!made) throw unreadablePictureProblem(type)
  return made(bytes)
}
