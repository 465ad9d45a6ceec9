import { createByteQueue } from './byte-queue.ts'
import { brokenArchiveProblem, MAX_ARCHIVE_FILES, tooManyFilesProblem } from './file-problems.ts'

const BLOCK_BYTES = 512
/** Bytes of a header of a long name, which is held in memory. */
const MAX_HEADER_BYTES = 1 << 20

/** A file within a tar archive. `body` must be read, if at all, before the next entry is asked for. */
export interface TarEntry {
  name: string
  body: AsyncIterable<Buffer>
}

/** True if these first 512 bytes are the header of a POSIX or GNU tar archive. */
export function isTarHeader(head: Buffer): boolean {
  return head.length === BLOCK_BYTES && head.toString('latin1', 257, 262) === 'ustar'
}

/**
 * The regular files of a tar archive (POSIX.1-2001 pax interchange format, with GNU's long names), in the archive's
 * order. Throws the Problem `archive-broken` for a bad header or an archive that ends too soon.
 */
export async function* readTarEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const queue = createByteQueue(chunks)
  let longName: string | undefined
  try {
    // A file may have headers of its own before it.
    for (let [fileCount, headerCount] = [0, 0]; ; headerCount++) {
      if (fileCount > MAX_ARCHIVE_FILES || headerCount > MAX_ARCHIVE_FILES * 3) throw tooManyFilesProblem()
      const head = await queue.take(BLOCK_BYTES)
      if (head.length < BLOCK_BYTES) throw brokenArchiveProblem('it is truncated')
      if (head.every((byte) => byte === 0)) return
      if (!isTarHeader(head) || parseHeaderNumber(head, 148, 8) !== computeChecksum(head))
        throw brokenArchiveProblem('a header cannot be read')
      const size = parseHeaderNumber(head, 124, 12)
      const type = String.fromCharCode(head[156] ?? 0)
      let remainingBytes = size
      const body = async function* () {
        for await (const piece of queue.pieces(remainingBytes)) {
          remainingBytes -= piece.length
          yield piece
        }
        if (remainingBytes > 0) throw brokenArchiveProblem('it is truncated')
      }
      if (type === 'L' || type === 'x') {
        if (size > MAX_HEADER_BYTES) throw brokenArchiveProblem('a header cannot be read')
        const text = Buffer.concat(await Array.fromAsync(body())).toString()
        longName = type === 'L' ? text.replace(/\0.*$/s, '') : (/(?:^|\n)\d+ path=(.*)\n/.exec(text)?.[1] ?? longName)
      } else {
        const name = longName ?? readShortName(head)
        longName = undefined
        fileCount += 1
        if (type === '0' || type === '\0') yield { name, body: body() }
      }
      for await (const _ of body());
      await queue.take(-size & (BLOCK_BYTES - 1))
    }
  } finally {
    await queue.close()
  }
}

function text(head: Buffer, from: number, length: number): string {
  return head.toString('utf8', from, from + length).replace(/\0.*$/s, '')
}

function readShortName(head: Buffer): string {
  const prefix = head.toString('latin1', 257, 263) === 'ustar\0' ? text(head, 345, 155) : ''
  return prefix ? `${prefix}/${text(head, 0, 100)}` : text(head, 0, 100)
}

/** Octal digits, or with the first bit set a big-endian number (GNU, for files of 8 GiB and more). */
function parseHeaderNumber(head: Buffer, from: number, length: number): number {
  if ((head[from] ?? 0) & 0x80) return Number(head.readBigUInt64BE(from + length - 8))
  return Number.parseInt(text(head, from, length).trim() || '0', 8)
}

/** The sum of the header's bytes, with its own eight read as blanks. */
function computeChecksum(head: Buffer): number {
  return head.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)
}
