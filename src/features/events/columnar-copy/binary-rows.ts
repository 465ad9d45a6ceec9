import type { Readable } from 'node:stream'
import { Problem } from '../../../lib/errors/problem.ts'
import { createStoreAwayProblem } from '../columnar/store.ts'

/** A number that says how many follow (LEB128), and how many bytes it has. */
export interface VarintLength {
  value: number
  bytes: number
}

/** Reads such a number; undefined when not all of it is there. */
export function readVarintLength(buffer: Buffer, offset: number): VarintLength | undefined {
  let value = 0
  for (let n = 0; offset + n < buffer.length; n++) {
    const byte = buffer[offset + n]!
    value += (byte & 127) * 2 ** (7 * n)
    if (byte < 128) return { value, bytes: n + 1 }
  }
  return undefined
}

/**
 * Cuts what comes in the format RowBinary into rows. `sizeOf` says how many bytes the row has that begins at an offset, or undefined
 * when it cannot be told yet. Throws `event-history-away` when the answer breaks off.
 */
export async function* splitBinaryRows(
  stream: Readable,
  sizeOf: (buffer: Buffer, offset: number) => number | undefined,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let [present, wanted] = [0, 1]
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      waiting.push(chunk)
      present += chunk.length
      // A long row is put together once, however many pieces it comes in.
      if (present < wanted) continue
      const buffer = waiting.length === 1 ? chunk : Buffer.concat(waiting)
      let offset = 0
      let size = sizeOf(buffer, 0)
      while (size !== undefined && offset + size <= buffer.length) {
        yield buffer.subarray(offset, offset + size)
        offset += size
        size = offset < buffer.length ? sizeOf(buffer, offset) : undefined
      }
      waiting = offset < buffer.length ? [buffer.subarray(offset)] : []
      present = buffer.length - offset
      wanted = size ?? present + 1
    }
  } catch (error) {
    throw error instanceof Problem ? error : createStoreAwayProblem(error)
  }
  if (present > 0) throw createStoreAwayProblem(new Error('an answer of the store broke off'))
}
