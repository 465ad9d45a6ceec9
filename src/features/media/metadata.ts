import { stripGifMetadata } from './gif.ts'
import { countPictureParts, unreadablePictureProblem } from './media-types.ts'

/** A picture without what cameras and programs wrote into it. */
export interface StrippedPicture {
  bytes: Buffer
  /** Several pictures follow each other: it has no smaller copies, which would stand still. */
  isMoving: boolean
}

const readAscii = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length)

/** EXIF 2.32, 4.6.4: the orientation of the first directory; undefined when it says none but the usual. */
function readOrientation(segment: Buffer): number | undefined {
  const tiff = segment.subarray(10)
  if (tiff.length < 14) return undefined
  const isLittleEndian = readAscii(tiff, 0, 2) === 'II'
  const read16 = (at: number): number => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directoryOffset = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directoryOffset + 2 > tiff.length) return undefined
  const entries = read16(directoryOffset)
  for (
    let position = directoryOffset + 2, entryIndex = 0;
    entryIndex < entries && position + 12 <= tiff.length;
    position += 12, entryIndex++
  )
    if (read16(position) === 0x0112) {
      const value = read16(position + 8)
      return value >= 2 && value <= 8 ? value : undefined
    }
  return undefined
}

/** EXIF that says nothing but how the camera was held. */
function buildOrientationSegment(orientation: number): Buffer {
  const bytes = Buffer.from(
    'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000',
    'hex',
  )
  bytes.writeUInt16BE(orientation, 28)
  return bytes
}

/** Finds the end of coded data: the next marker that is not a restart (ITU T.81, B.1.1.5). */
function findScanEnd(bytes: Buffer, start: number): number {
  for (let position = bytes.indexOf(0xff, start); position !== -1; position = bytes.indexOf(0xff, position)) {
    const nextMarker = bytes[position + 1]
    if (nextMarker === 0xff) position += 1
    else if (nextMarker === 0 || (nextMarker !== undefined && nextMarker >= 0xd0 && nextMarker <= 0xd7)) position += 2
    else if (nextMarker === undefined) break
    else return position
  }
  throw unreadablePictureProblem('image/jpeg')
}

/** Segments of applications that the colours need. */
const RETAINED_JPEG_SEGMENTS: Record<number, string> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' }

/** Returns the retained parts of a segment: tables and frames, colors, the orientation of the camera. */
function stripSegment(segment: Buffer): Buffer[] {
  const marker = segment[1]!
  const isOfApplication = marker >= 0xe0 && marker <= 0xef
  if (marker === 0xe1 && readAscii(segment, 4, 6) === 'Exif\0\0') {
    const orientation = readOrientation(segment)
    return orientation === undefined ? [] : [buildOrientationSegment(orientation)]
  }
  if (!isOfApplication) return marker === 0xfe ? [] : [segment]
  const name = RETAINED_JPEG_SEGMENTS[marker]
  return name !== undefined && readAscii(segment, 4, name.length) === name ? [segment] : []
}

/** Data after the end of the picture, such as its preview or a film, is removed too. */
function stripJpeg(bytes: Buffer): StrippedPicture {
  const retainedParts = [bytes.subarray(0, 2)]
  const count = countPictureParts('image/jpeg')
  for (let position = 2; position + 2 <= bytes.length && bytes[position] === 0xff; ) {
    const marker = bytes[position + 1]!
    if (marker === 0xff) position += 1
    else if (marker === 0xd9)
      return { bytes: Buffer.concat([...retainedParts, bytes.subarray(position, position + 2)]), isMoving: false }
    else {
      count()
      if (position + 4 > bytes.length) break
      const segmentEnd = position + 2 + bytes.readUInt16BE(position + 2)
      if (segmentEnd > bytes.length) break
      const nextPosition = marker === 0xda ? findScanEnd(bytes, segmentEnd) : segmentEnd
      retainedParts.push(
        ...(marker === 0xda
          ? [bytes.subarray(position, nextPosition)]
          : stripSegment(bytes.subarray(position, segmentEnd))),
      )
      position = nextPosition
    }
  }
  throw unreadablePictureProblem('image/jpeg')
}

/** Chunks of PNG that say how it looks. */
const RETAINED_PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

function stripPng(bytes: Buffer): StrippedPicture {
  const retainedParts = [bytes.subarray(0, 8)]
  const count = countPictureParts('image/png')
  let isAnimated = false
  for (let position = 8; position + 12 <= bytes.length; ) {
    count()
    const chunkEnd = position + 12 + bytes.readUInt32BE(position)
    const type = readAscii(bytes, position + 4, 4)
    if (chunkEnd > bytes.length) break
    isAnimated ||= type === 'acTL'
    if (RETAINED_PNG_CHUNKS.has(type)) retainedParts.push(bytes.subarray(position, chunkEnd))
    if (type === 'IEND') return { bytes: Buffer.concat(retainedParts), isMoving: isAnimated }
    position = chunkEnd
  }
  throw unreadablePictureProblem('image/png')
}

/** Chunks of WebP that say how it looks (RFC 9649, 2.7). */
const RETAINED_WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const ANIMATION_FLAG = 0x02
/** EXIF and XMP. */
const METADATA_FLAGS = 0x0c

function stripWebp(bytes: Buffer): StrippedPicture {
  const riffEnd = Math.min(bytes.length, 8 + bytes.readUInt32LE(4))
  if (bytes.length < 8 + bytes.readUInt32LE(4)) throw unreadablePictureProblem('image/webp')
  const retainedParts: Buffer[] = []
  const count = countPictureParts('image/webp')
  let isAnimated = false
  for (let position = 12; position + 8 <= riffEnd; ) {
    count()
    const type = readAscii(bytes, position, 4)
    const size = bytes.readUInt32LE(position + 4)
    const nextPosition = position + 8 + size + (size % 2)
    if (nextPosition > riffEnd) throw unreadablePictureProblem('image/webp')
    const chunk = Buffer.from(bytes.subarray(position, nextPosition))
    if (type === 'VP8X') {
      isAnimated = (chunk[8]! & ANIMATION_FLAG) !== 0
      chunk[8] = chunk[8]! & ~METADATA_FLAGS
    }
    if (RETAINED_WEBP_CHUNKS.has(type)) retainedParts.push(chunk)
    position = nextPosition
  }
  const body = Buffer.concat(retainedParts)
  const riffHeader = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  riffHeader.writeUInt32LE(body.length + 4, 4)
  return { bytes: Buffer.concat([riffHeader, body]), isMoving: isAnimated }
}

const strippers: Record<string, (bytes: Buffer) => StrippedPicture> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': (bytes) => ({ bytes: stripGifMetadata(bytes), isMoving: true }),
}

/**
 * Takes out of a picture what does not show in it: where and when it was taken, by whom, previews, comments. Its pixels stay
 * as they are, and so does how the camera was held. Throws 400 for a picture that is cut off or has too many parts.
 */
export function stripPictureMetadata(type: string, bytes: Buffer): StrippedPicture {
  const stripMetadata = strippers[type]
  if (!stripMetadata) throw unreadablePictureProblem(type)
  return stripMetadata(bytes)
}
