import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** RFC 8878, 3.1.2: what a decoder passes over. Four octets of magic, four of length, both little-endian. */
const SKIPPABLE_FRAME_MAGIC = 0x184d2a50
const SKIPPABLE_HEADER_BYTES = 8

/** One message as a Zstandard frame (RFC 8878), so that a pack of them is a stream any decoder reads. */
export function encodeArchiveFrame(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes)
}

/** The message of a frame. Throws when it was overwritten or damaged. */
export function decodeArchiveFrame(frame: Buffer, size: number): Buffer {
  const messageBytes = zstdDecompressSync(frame, { maxOutputLength: Math.max(size, 1) })
  if (messageBytes.length !== size) throw new Error('the archive does not contain its message')
  return messageBytes
}

/** Creates the replacement of a frame of `length` octets: zeros in a skippable frame, so that the other frames stay readable. */
export function blankArchiveFrame(length: number): Buffer {
  const blankFrame = Buffer.alloc(length)
  blankFrame.writeUInt32LE(SKIPPABLE_FRAME_MAGIC, 0)
  blankFrame.writeUInt32LE(length - SKIPPABLE_HEADER_BYTES, 4)
  return blankFrame
}
