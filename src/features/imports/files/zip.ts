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
  /** Start of the next file, or of the directory: none of the bytes of this file lie there. */
  end: number
}

const END_RECORD_SIGNATURE = 0x06054b50
const ZIP64_END_SIGNATURE = 0x06064b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const DIRECTORY_SIGNATURE = 0x02014b50
const LOCAL_HEADER_SIGNATURE = 0x04034b50
const STORED_METHOD = 0
const DEFLATED_METHOD = 8
const LOCAL_HEADER_SIZE = 30
const READ_CHUNK_BYTES = 1 << 18

/** A directory is held in memory; one beyond this is not of a file of contacts. */
const MAX_DIRECTORY_BYTES = 16 << 20

/**
 * Lists a zip archive by its central directory (PKWARE APPNOTE 6.3.10, with zip64), in the order of its bytes. Throws
 * Problem `archive-broken`, also for too many files and for files that overlap.
 */
export async function listZipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path)
  try {
    const { size, offset } = await findDirectory(file)
    if (size > MAX_DIRECTORY_BYTES) throw tooManyFilesProblem()
    return computeEntryEnds(parseDirectory(await readBytes(file, offset, size)), offset)
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
  if (entry.method !== STORED_METHOD && entry.method !== DEFLATED_METHOD)
    throw brokenArchiveProblem('a file uses an unsupported compression method')
  const file = await open(path)
  let size = 0
  let crc = 0
  let reportedBytes = 0
  try {
    const start = await findDataStart(file, entry)
    if (entry.packed === 0) return
    const end = start + entry.packed - 1
    const storedChunks = file.createReadStream({ start, end, highWaterMark: READ_CHUNK_BYTES, autoClose: false })
    const chunks: AsyncIterable<Buffer> =
      entry.method === STORED_METHOD
        ? storedChunks
        : pipeline(storedChunks, createInflateRaw({ chunkSize: READ_CHUNK_BYTES }), () => {})
    for await (const chunk of convertZlibErrors(chunks)) {
      size += chunk.length
      crc = crc32(chunk, crc)
      onRead(storedChunks.bytesRead - reportedBytes)
      reportedBytes = storedChunks.bytesRead
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

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  // The sizes that an archive states may exceed those of a file.
  if (!Number.isSafeInteger(position)) throw brokenArchiveProblem('it is truncated')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw brokenArchiveProblem('it is truncated')
  return buffer
}

/** Finds the central directory: the end record is the last thing in the file but for a comment of 64 KiB at most. */
async function findDirectory(file: FileHandle): Promise<{ size: number; offset: number }> {
  const { size: fileLength } = await file.stat()
  const tailStart = Math.max(0, fileLength - 22 - 0xffff)
  const tail = await readBytes(file, tailStart, fileLength - tailStart)
  for (let recordOffset = tail.length - 22; recordOffset >= 0; recordOffset--) {
    if (tail.readUInt32LE(recordOffset) !== END_RECORD_SIGNATURE) continue
    const size = tail.readUInt32LE(recordOffset + 12)
    const offset = tail.readUInt32LE(recordOffset + 16)
    if (size !== 0xffffffff && offset !== 0xffffffff) return { size, offset }
    if (recordOffset < 20 || tail.readUInt32LE(recordOffset - 20) !== ZIP64_LOCATOR_SIGNATURE) break
    const zip64End = await readBytes(file, Number(tail.readBigUInt64LE(recordOffset - 12)), 56)
    if (zip64End.readUInt32LE(0) !== ZIP64_END_SIGNATURE) break
    return { size: Number(zip64End.readBigUInt64LE(40)), offset: Number(zip64End.readBigUInt64LE(48)) }
  }
  throw brokenArchiveProblem('its list of files is missing')
}

function parseDirectory(directory: Buffer): Omit<ZipEntry, 'end'>[] {
  const entries: Omit<ZipEntry, 'end'>[] = []
  for (
    let entryOffset = 0;
    entryOffset + 46 <= directory.length && directory.readUInt32LE(entryOffset) === DIRECTORY_SIGNATURE;
  ) {
    if (entries.length === MAX_ARCHIVE_FILES) throw tooManyFilesProblem()
    const nameEnd = entryOffset + 46 + directory.readUInt16LE(entryOffset + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(entryOffset + 30)
    const flags = directory.readUInt16LE(entryOffset + 8)
    const sizes = [
      directory.readUInt32LE(entryOffset + 24),
      directory.readUInt32LE(entryOffset + 20),
      directory.readUInt32LE(entryOffset + 42),
    ]
    const [unpacked = 0, packed = 0, offset = 0] = applyZip64Sizes(sizes, directory.subarray(nameEnd, extraEnd))
    entries.push({
      name: directory.toString(flags & 0x800 ? 'utf8' : 'latin1', entryOffset + 46, nameEnd),
      isEncrypted: (flags & 1) === 1,
      method: directory.readUInt16LE(entryOffset + 10),
      crc: directory.readUInt32LE(entryOffset + 16),
      packed,
      unpacked,
      offset,
    })
    entryOffset = extraEnd + directory.readUInt16LE(entryOffset + 32)
  }
  return entries
}

/** Replaces the sizes that did not fit 32 bits by those of the zip64 extra field, which holds them in this order. */
function applyZip64Sizes(sizes: number[], extra: Buffer): number[] {
  for (let fieldOffset = 0; fieldOffset + 4 <= extra.length; fieldOffset += 4 + extra.readUInt16LE(fieldOffset + 2)) {
    if (extra.readUInt16LE(fieldOffset) !== 1) continue
    const field = extra.subarray(fieldOffset + 4, fieldOffset + 4 + extra.readUInt16LE(fieldOffset + 2))
    let nextOffset = 0
    return sizes.map((size) => {
      if (size !== 0xffffffff) return size
      nextOffset += 8
      if (nextOffset > field.length) throw brokenArchiveProblem('its list of files cannot be read')
      return Number(field.readBigUInt64LE(nextOffset - 8))
    })
  }
  return sizes
}

/** The files in the order of their bytes, each with its end. Files that overlap would be unpacked again and again. */
function computeEntryEnds(entries: Omit<ZipEntry, 'end'>[], directory: number): ZipEntry[] {
  const sortedEntries = entries.toSorted((a, b) => a.offset - b.offset)
  return sortedEntries.map((entry, index) => {
    const end = sortedEntries[index + 1]?.offset ?? directory
    if (entry.offset + LOCAL_HEADER_SIZE + entry.packed > end) throw overlappingProblem(entry)
    return { ...entry, end }
  })
}

function overlappingProblem({ name }: Pick<ZipEntry, 'name'>): Problem {
  return brokenArchiveProblem(`"${name}" overlaps the next part`)
}

/** The local header repeats the name and has an extra field of its own; the data follow them. */
async function findDataStart(file: FileHandle, entry: ZipEntry): Promise<number> {
  const localHeader = await readBytes(file, entry.offset, LOCAL_HEADER_SIZE)
  if (localHeader.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE)
    throw brokenArchiveProblem(`"${entry.name}" is not where it should be`)
  const start = entry.offset + LOCAL_HEADER_SIZE + localHeader.readUInt16LE(26) + localHeader.readUInt16LE(28)
  if (start + entry.packed > entry.end) throw overlappingProblem(entry)
  return start
}
