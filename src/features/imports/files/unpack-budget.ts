import { Problem } from '../../../lib/errors/problem.ts'

/** Counts what is unpacked, over all texts of one upload. `spend` throws Problem `unpacked-too-large`. */
export interface UnpackBudget {
  spend(bytes: number): void
  of(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

/** A budget of `max` bytes. */
export function createUnpackBudget(max: number): UnpackBudget {
  let unpackedBytes = 0
  function spendBytes(bytes: number): void {
    unpackedBytes += bytes
    if (unpackedBytes <= max) return
    throw new Problem(400, 'unpacked-too-large', `The archive unpacks to more than ${max} bytes. Split it.`)
  }
  return {
    spend: spendBytes,
    async *of(chunks) {
      for await (const chunk of chunks) {
        spendBytes(chunk.length)
        yield chunk
      }
    },
  }
}
