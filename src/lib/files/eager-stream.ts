import { Readable } from 'node:stream'

/** A piece of an answer; bytes are those of a text. */
export type AnswerChunk = string | Buffer

/**
 * A text stream that releases its source when it closes, even if nobody has read from it: a generator that never ran is not notified of
 * the end.
 */
export function createTextStream(chunks: AsyncIterable<AnswerChunk>, source: AsyncIterator<unknown>): Readable {
  const stream = Readable.from(chunks, { objectMode: false })
  // A failure while releasing the source cannot be reported to anybody.
  return stream.once('close', () => void source.return?.().catch(() => undefined))
}

/**
 * The chunks of an answer as a stream, after the first chunk was made: what fails until then rejects here, while an
 * error can still be answered. An empty first chunk is an empty stream.
 */
export async function createEagerStream(chunks: AsyncGenerator<AnswerChunk>): Promise<Readable> {
  const firstChunk = await chunks.next()
  return createTextStream(prependFirst(firstChunk, chunks), chunks)
}

async function* prependFirst(
  first: IteratorResult<AnswerChunk>,
  remainingChunks: AsyncGenerator<AnswerChunk>,
): AsyncGenerator<AnswerChunk> {
  if (first.done || first.value.length === 0) return
  yield first.value
  yield* remainingChunks
}
