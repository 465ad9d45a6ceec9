/** Characters with a meaning in COPY's text format (PostgreSQL, "COPY", File Formats), and what is written for them. */
const SPECIAL = /[\\\t\n\r]/
const EVERY_SPECIAL = new RegExp(SPECIAL, 'g')
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const FIRST_SIZE = 1 << 21
/** Bytes of UTF-8 that a unit of a string takes at most. */
const MAX_BYTES = 3

/** Rows as they are written one after the other. */
export interface CopyTextBuilder {
  add(cells: readonly (string | number)[]): void
  /** All of them, in memory of their own, which may be given to another thread. Nothing can be added any more. */
  finish(): Uint8Array<ArrayBuffer>
}

function copyCell(cell: string | number): string | number {
  if (typeof cell === 'number' || !SPECIAL.test(cell)) return cell
  return cell.replace(EVERY_SPECIAL, (special) => escapes[special] ?? special)
}

/** Writes rows as COPY reads them: text format, UTF-8. */
export function createCopyTextBuilder(): CopyTextBuilder {
  let bytes = Buffer.allocUnsafeSlow(FIRST_SIZE)
  let size = 0
  return {
    add(cells) {
      const line = `${cells.map(copyCell).join('\t')}\n`
      const needed = size + line.length * MAX_BYTES
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * bytes.length))
        bytes.copy(larger, 0, 0, size)
        bytes = larger
      }
      size += bytes.write(line, size)
    },
    finish: () => new Uint8Array(bytes.buffer, 0, size),
  }
}
