import { Readable } from 'node:stream'

/**
 * The chunks of an answer as a stream, after the first chunk was made: what fails until then rejects here, while an
 * error can still be answered. An empty first chunk is an empty stream.
 */
export async function eagerStream(chunks: AsyncGenerator<string>): Promise<Readable> {
  const first = await chunks.next()
  return Readable.from(withFirst(first, chunks), { objectMode: false })
}

async function* withFirst(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done || first.value === '') return
  yield first.value
  yield* rest
}
