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
  for (let byteCount = 0; offset + byteCount < buffer.length; byteCount++) {
    const byte = buffer[offset + byteCount]!
    value += (byte & 127) * 2 ** (7 * byteCount)
    if (byte < 128) return { value, bytes: byteCount + 1 }
  }
  return undefined
}

/**
 * Splits a RowBinary stream into rows. `sizeOf` returns the size in bytes of the row at an offset, or `undefined` if it cannot be
 * determined yet. Throws `event-history-away` if the answer ends early.
 */
export async function* splitBinaryRows(
  stream: Readable,
  sizeOf: (buffer: Buffer, offset: number) => number | undefined,
): AsyncGenerator<Buffer> {
  let pendingChunks: Buffer[] = []
  let [availableBytes, requiredBytes] = [0, 1]
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pendingChunks.push(chunk)
      availableBytes += chunk.length
      // A long row is put together once, however many pieces it comes in.
      if (availableBytes < requiredBytes) continue
      const buffer = pendingChunks.length === 1 ? chunk : Buffer.concat(pendingChunks)
      let offset = 0
      let rowSize = sizeOf(buffer, 0)
      while (rowSize !== undefined && offset + rowSize <= buffer.length) {
        yield buffer.subarray(offset, offset + rowSize)
        offset += rowSize
        rowSize = offset < buffer.length ? sizeOf(buffer, offset) : undefined
      }
      pendingChunks = offset < buffer.length ? [buffer.subarray(offset)] : []
      availableBytes = buffer.length - offset
      requiredBytes = rowSize ?? availableBytes + 1
    }
  } catch (error) {
    throw error instanceof Problem ? error : createStoreAwayProblem(error)
  }
  if (availableBytes > 0) throw createStoreAwayProblem(new Error('a response of the events store ended early'))
}
