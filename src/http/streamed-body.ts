import type { Hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../lib/errors/problem.ts'

/** State of a body that its handler reads as it arrives, if its request has an Idempotency-Key. */
export interface StreamedBody {
  /** The hash of all bytes received. */
  hash: Hash
  /** True if that is the whole body. */
  isWhole: boolean
  /** Called from time to time while the body is still arriving. */
  goesOn(): Promise<void>
}

/**
 * The body of a request as it arrives. Leaving it unread does not cut the connection: the answer still has to go out.
 * Throws 400 `upload-broken` when it is incomplete.
 */
export async function* streamRequestBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const { raw, streamed } = request
  const chunks = raw.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]()
  for (;;) {
    const nextChunk = await chunks.next().catch((cause) => {
      throw new Problem(400, 'upload-broken', 'The upload was interrupted. Send it again.', { cause })
    })
    if (nextChunk.done) break
    streamed?.hash.update(nextChunk.value)
    await streamed?.goesOn()
    yield nextChunk.value
  }
  if (streamed) streamed.isWhole = true
}
