import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { Problem } from '../../../lib/errors/problem.ts'
import { brokenArchiveProblem, MAX_ARCHIVE_FILES, tooManyFilesProblem } from './file-problems.ts'

/** A file within a zip archive, as its central directory describes it. */
export interface ZipEntry {
  name: string
  isEncrypted: boolean
  method: number
  crc: number
  packed: number
  unpacked: number
  offset: number
  /** Where the file behind it begins, or the directory: none of its bytes lie there. */
  end: number
}

const END = 0x06054b50
const END_64 = 0x06064b50
const END_64_LOCATOR = 0x07064b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8
const LOCAL_HEADER_SIZE = 30
const READ_SIZE = 1 << 18

/** A directory is held in memory; one beyond this is not of a file of contacts. */
const MAX_DIRECTORY = 16 << 20

/**
 * Lists a zip archive by its central directory (PKWARE APPNOTE 6.3.10, with zip64), in the order of its bytes. Throws
 * Problem `archive-broken`, also for too many files and for files that overlap.
 */
export async function listZipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path)
  try {
    const { size, offset } = await findDirectory(file)
    if (size > MAX_DIRECTORY) throw tooManyFilesProblem()
    return placed(readDirectory(await read(file, offset, size)), offset)
  } finally {
    await file.close()
  }
}

/**
 * Unpacks one entry, checking its length and its checksum. `onRead` is called with the bytes read from the archive.
 * Throws Problem `archive-broken`, or `archive-encrypted`.
 */
export async function* unzipEntry(
  path: string,
  entry: ZipEntry,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (entry.isEncrypted) {
    throw new Problem(400, 'archive-encrypted', `"${entry.name}" is encrypted. Upload the archive without a password.`)
  }
  if (entry.method !== STORED && entry.method !== DEFLATED) throw brokenArchiveProblem('a file is not deflated')
  const file = await open(path)
  let size = 0
  let crc = 0
  let reported = 0
  try {
    const start = await dataStart(file, entry)
    if (entry.packed === 0) return
    const end = start + entry.packed - 1
    const stored = file.createReadStream({ start, end, highWaterMark: READ_SIZE, autoClose: false })
    const chunks: AsyncIterable<Buffer> =
      entry.method === STORED ? stored : pipeline(stored, createInflateRaw({ chunkSize: READ_SIZE }), () => {})
    for await (const chunk of convertZlibErrors(chunks)) {
      size += chunk.length
      crc = crc32(chunk, crc)
      onRead(stored.bytesRead - reported)
      reported = stored.bytesRead
      yield chunk
    }
  } finally {
    await file.close()
  }
  if (size !== entry.unpacked || crc !== entry.crc)
    throw brokenArchiveProblem(`"${entry.name}" does not match its checksum`)
}

/** Turns errors of zlib into the Problem `archive-broken`. */
export async function* convertZlibErrors(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isZlib ? brokenArchiveProblem(error.message) : error
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  // The sizes that an archive states may exceed those of a file.
  if (!Number.isSafeInteger(position)) throw brokenArchiveProblem('it ends too soon')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw brokenArchiveProblem('it ends too soon')
  return buffer
}

/** Where the central directory lies: the end record is the last thing in the file but for a comment of 64 KiB at most. */
async function findDirectory(file: FileHandle): Promise<{ size: number; offset: number }> {
  const { size: length } = await file.stat()
  const tailStart = Math.max(0, length - 22 - 0xffff)
  const tail = await read(file, tailStart, length - tailStart)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    const size = tail.readUInt32LE(at + 12)
    const offset = tail.readUInt32LE(at + 16)
    if (size !== 0xffffffff && offset !== 0xffffffff) return { size, offset }
    if (at < 20 || tail.readUInt32LE(at - 20) !== END_64_LOCATOR) break
    const end = await read(file, Number(tail.readBigUInt64LE(at - 12)), 56)
    if (end.readUInt32LE(0) !== END_64) break
    return { size: Number(end.readBigUInt64LE(40)), offset: Number(end.readBigUInt64LE(48)) }
  }
  throw brokenArchiveProblem('its list of files is missing')
}

function readDirectory(directory: Buffer): Omit<ZipEntry, 'end'>[] {
  const entries: Omit<ZipEntry, 'end'>[] = []
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY; ) {
    if (entries.length === MAX_ARCHIVE_FILES) throw tooManyFilesProblem()
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const flags = directory.readUInt16LE(at + 8)
    const sizes = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)]
    const [unpacked = 0, packed = 0, offset = 0] = widened(sizes, directory.subarray(nameEnd, extraEnd))
    entries.push({
      name: directory.toString(flags & 0x800 ? 'utf8' : 'latin1', at + 46, nameEnd),
      isEncrypted: (flags & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed,
      unpacked,
      offset,
    })
    at = extraEnd + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** Replaces the sizes that did not fit 32 bits by those of the zip64 extra field, which holds them in this order. */
function widened(sizes: number[], extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    let next = 0
    return sizes.map((size) => {
      if (size !== 0xffffffff) return size
      next += 8
      if (next > field.length) throw brokenArchiveProblem('its list of files cannot be read')
      return Number(field.readBigUInt64LE(next - 8))
    })
  }
  return sizes
}

/** The files in the order of their bytes, each with its end. Files that overlap would be unpacked again and again. */
function placed(entries: Omit<ZipEntry, 'end'>[], directory: number): ZipEntry[] {
  const ordered = entries.toSorted((a, b) => a.offset - b.offset)
  return ordered.map((entry, index) => {
    const end = ordered[index + 1]?.offset ?? directory
    if (entry.offset + LOCAL_HEADER_SIZE + entry.packed > end) throw overlapping(entry)
    return { ...entry, end }
  })
}

function overlapping({ name }: Pick<ZipEntry, 'name'>): Problem {
  return brokenArchiveProblem(`"${name}" overlaps what lies behind it`)
}

/** The local header repeats the name and has an extra field of its own; the data follow them. */
async function dataStart(file: FileHandle, entry: ZipEntry): Promise<number> {
  const head = await read(file, entry.offset, LOCAL_HEADER_SIZE)
  if (head.readUInt32LE(0) !== LOCAL_HEADER) throw brokenArchiveProblem(`"${entry.name}" is not where it should be`)
  const start = entry.offset + LOCAL_HEADER_SIZE + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (start + entry.packed > entry.end) throw overlapping(entry)
  return start
}
