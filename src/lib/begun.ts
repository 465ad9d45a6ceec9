import { Readable } from 'node:stream'

/**
 * Pieces of an answer as a stream whose first piece is there already: what fails before it rejects here, while the
 * headers have not gone. An empty first piece is all there is.
 */
export async function begun(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(resumed(first, pieces), { objectMode: false })
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done || first.value === '') return
  yield first.value
  yield* rest
}
