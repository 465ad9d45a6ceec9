import type { Readable } from 'node:stream'
import type { EventStore, EventStoreQuery } from './store.ts'
import { createStoreAwayProblem } from './store.ts'

/** Lines are returned in groups of about this many characters. */
const GROUP_LENGTH = 2_000_000

/**
 * The lines of an answer, such as one of the format JSONEachRow, some at a time. Throws `event-history-away`, also where the answer
 * breaks off.
 */
export async function* readStoreLines(store: EventStore, storeQuery: EventStoreQuery): AsyncGenerator<string[]> {
  const stream = await store.bytes(storeQuery)
  let partialLine = ''
  let completeLines: string[] = []
  let groupedLength = 0
  try {
    for await (const textChunk of decodeStream(stream)) {
      const lines = (partialLine + textChunk).split('\n')
      partialLine = lines.pop()!
      completeLines.push(...lines)
      groupedLength += textChunk.length
      if (groupedLength < GROUP_LENGTH) continue
      yield completeLines
      completeLines = []
      groupedLength = 0
    }
    if (partialLine !== '') completeLines.push(partialLine)
    if (completeLines.length > 0) yield completeLines
  } finally {
    stream.destroy()
  }
}

async function* decodeStream(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  try {
    for await (const textChunk of stream) yield textChunk as string
  } catch (error) {
    throw createStoreAwayProblem(error)
  }
}
