import type { Readable } from 'node:stream'
import type { EventStore, EventStoreQuery } from './store.ts'
import { createStoreAwayProblem } from './store.ts'

/** Lines of about so many characters are given together. */
const TOGETHER = 2_000_000

/**
 * The lines of an answer, such as one of the format JSONEachRow, some at a time. Throws `event-history-away`, also where the answer
 * breaks off.
 */
export async function* readStoreLines(store: EventStore, asked: EventStoreQuery): AsyncGenerator<string[]> {
  const stream = await store.bytes(asked)
  let begun = ''
  let held: string[] = []
  let length = 0
  try {
    for await (const piece of decoded(stream)) {
      const lines = (begun + piece).split('\n')
      begun = lines.pop()!
      held.push(...lines)
      length += piece.length
      if (length < TOGETHER) continue
      yield held
      held = []
      length = 0
    }
    if (begun !== '') held.push(begun)
    if (held.length > 0) yield held
  } finally {
    stream.destroy()
  }
}

async function* decoded(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  try {
    for await (const piece of stream) yield piece as string
  } catch (error) {
    throw createStoreAwayProblem(error)
  }
}
