import type { CompiledQuery } from 'kysely'
import type { Db } from '../connection/connect.ts'

export interface RowStreamOptions {
  /** Rows read from the server at once; 500 by default. */
  batch?: number
  /** The longest time that the caller may spend on a row before its connection is released; 60 seconds by default. */
  stallMs?: number
}

/** A query of Kysely's builder, or `sql` with the type of its rows. */
export interface RowQuery<Row> {
  compile(db: Db): CompiledQuery<Row>
}

/**
 * The rows of a query through a cursor on one connection, read as fast as the caller takes them. The connection is
 * released after the last row, an early return or an error, and when the caller stalls: then its next read throws.
 */
export async function* streamRows<Row>(
  db: Db,
  query: RowQuery<Row>,
  options: RowStreamOptions = {},
): AsyncGenerator<Row, void> {
  const { batch: batchSize = 500, stallMs = 60_000 } = options
  const batchIterator = db.getExecutor().stream<Row>(query.compile(db), batchSize)[Symbol.asyncIterator]()
  let isStalled = false
  // A slow reader must not keep a connection from others, nor its snapshot from the vacuum.
  function abandonStream(): void {
    isStalled = true
    batchIterator.return?.().catch(() => undefined)
  }
  try {
    for (let nextBatch = await batchIterator.next(); !nextBatch.done; nextBatch = await batchIterator.next()) {
      const stallTimer = setTimeout(abandonStream, stallMs).unref()
      try {
        for (const row of nextBatch.value.rows) {
          yield row
          if (isStalled) throw new Error(`The reader of a list took more than ${stallMs} ms for a row.`)
          stallTimer.refresh()
        }
      } finally {
        clearTimeout(stallTimer)
      }
    }
  } finally {
    await batchIterator.return?.()
  }
}
