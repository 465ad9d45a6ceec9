import { Problem } from '../../../lib/errors/problem.ts'

/** Counts what is unpacked, over all texts of one upload. `spend` throws Problem `unpacked-too-large`. */
export interface UnpackBudget {
  spend(bytes: number): void
  of(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
}

/** A budget of `max` bytes. */
export function createUnpackBudget(max: number): UnpackBudget {
  let unpacked = 0
  function spend(bytes: number): void {
    unpacked += bytes
    if (unpacked <= max) return
    throw new Problem(400, 'unpacked-too-large', `The archive unpacks to more than ${max} bytes: divide it.`)
  }
  return {
    spend,
    async *of(chunks) {
      for await (const chunk of chunks) {
        spend(chunk.length)
        yield chunk
      }
    },
  }
}
