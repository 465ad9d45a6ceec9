import { Readable } from 'node:stream'

/** A piece of an answer; bytes are those of a text. */
export type AnswerChunk = string | Buffer

/**
 * A stream of text that gives back what it is read with when it closes, also where nobody has read of it: a generator that
 * never ran is not told that it is over.
 */
export function createTextStream(chunks: AsyncIterable<AnswerChunk>, source: AsyncIterator<unknown>): Readable {
  const stream = Readable.from(chunks, { objectMode: false })
  // What fails while it is given back has nobody left to be told.
  return stream.once('close', () => void source.return?.().catch(() => undefined))
}

/**
 * The chunks of an answer as a stream, after the first chunk was made: what fails until then rejects here, while an
 * error can still be answered. An empty first chunk is an empty stream.
 */
export async function createEagerStream(chunks: AsyncGenerator<AnswerChunk>): Promise<Readable> {
  const first = await chunks.next()
  return createTextStream(withFirst(first, chunks), chunks)
}

async function* withFirst(
  first: IteratorResult<AnswerChunk>,
  rest: AsyncGenerator<AnswerChunk>,
): AsyncGenerator<AnswerChunk> {
  if (first.done || first.value.length === 0) return
  yield first.value
  yield* rest
}
