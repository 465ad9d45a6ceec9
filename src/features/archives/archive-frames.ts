import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** RFC 8878, 3.1.2: what a decoder passes over. Four octets of magic, four of length, both little-endian. */
const SKIPPABLE_MAGIC = 0x184d2a50
const SKIPPABLE_HEAD = 8

/** One message as a Zstandard frame (RFC 8878), so that a pack of them is a stream any decoder reads. */
export function encodeArchiveFrame(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes)
}

/** The message of a frame. Throws when it was overwritten or damaged. */
export function decodeArchiveFrame(frame: Buffer, size: number): Buffer {
  const bytes = zstdDecompressSync(frame, { maxOutputLength: Math.max(size, 1) })
  if (bytes.length !== size) throw new Error('the archive does not hold its message')
  return bytes
}

/** What takes the place of a frame of so many octets: zeros in a skippable frame, so that the others stay readable. */
export function blankArchiveFrame(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32LE(SKIPPABLE_MAGIC, 0)
  bytes.writeUInt32LE(length - SKIPPABLE_HEAD, 4)
  return bytes
}
