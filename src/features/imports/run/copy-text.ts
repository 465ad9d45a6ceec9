/** Characters with a meaning in COPY's text format (PostgreSQL, "COPY", File Formats), and what is written for them. */
const SPECIAL_CHARACTER = /[\\\t\n\r]/
const ALL_SPECIAL_CHARACTERS = new RegExp(SPECIAL_CHARACTER, 'g')
const escapeSequences: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const INITIAL_BYTES = 1 << 21
/** Bytes of UTF-8 that a unit of a string takes at most. */
const MAX_BYTES_PER_UNIT = 3

/** Rows as they are written one after the other. */
export interface CopyTextBuilder {
  add(cells: readonly (string | number)[]): void
  /** All of them, in memory of their own, which may be given to another thread. Nothing can be added any more. */
  finish(): Uint8Array<ArrayBuffer>
}

function escapeCopyCell(cell: string | number): string | number {
  if (typeof cell === 'number' || !SPECIAL_CHARACTER.test(cell)) return cell
  return cell.replace(ALL_SPECIAL_CHARACTERS, (special) => escapeSequences[special] ?? special)
}

/** Writes rows as COPY reads them: text format, UTF-8. */
export function createCopyTextBuilder(): CopyTextBuilder {
  let textBytes = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  let byteCount = 0
  return {
    add(cells) {
      const line = `${cells.map(escapeCopyCell).join('\t')}\n`
      const requiredSize = byteCount + line.length * MAX_BYTES_PER_UNIT
      if (requiredSize > textBytes.length) {
        const largerBuffer = Buffer.allocUnsafeSlow(Math.max(requiredSize, 2 * textBytes.length))
        textBytes.copy(largerBuffer, 0, 0, byteCount)
        textBytes = largerBuffer
      }
      byteCount += textBytes.write(line, byteCount)
    },
    finish: () => new Uint8Array(textBytes.buffer, 0, byteCount),
  }
}
