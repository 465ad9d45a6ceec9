import { sql } from 'kysely'
import type { Db } from '../../../../database/connect.ts'
import { BATCH_ROWS, type Batch } from '../memory/batches.ts'
import type { RawRow, Selection } from '../sql/output.ts'
import { timeFailure } from './failures.ts'

/** One reading: how long it may take, and how far it has come. */
export interface Progress {
  /** On the clock of `performance.now()`. */
  until: number
  limitMs: number
  /** Rows that the database gave. */
  rowsRead: number
  /** Cursors that were opened. */
  cursors: number
}

export const openProgress = (limitMs: number): Progress => ({
  ...{ until: performance.now() + limitMs, limitMs, rowsRead: 0, cursors: 0 },
})

/** Throws ExecutionFailure when time is over. */
export function requireTime({ until, limitMs }: Progress): void {
  if (performance.now() > until) throw timeFailure(limitMs)
}

/**
 * The rows of a statement in batches, as they are asked for. Of each batch one row more is read, so that it is known whether others
 * follow. Other statements can go between, which a cursor of the driver does not let through.
 */
export async function* readBatches(
  tx: Db,
  { query, decode }: Selection,
  progress: Progress,
): AsyncGenerator<Batch, void> {
  const cursor = sql.ref(`rows_${progress.cursors++}`)
  requireTime(progress)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
  const fetch = sql<RawRow>`fetch ${sql.lit(BATCH_ROWS)} from ${cursor}`
  let [ahead] = (await sql<RawRow>`fetch 1 from ${cursor}`.execute(tx)).rows
  while (ahead) {
    requireTime(progress)
    const { rows } = await fetch.execute(tx)
    const isFull = rows.length === BATCH_ROWS
    const own = isFull ? [ahead, ...rows.slice(0, -1)] : [ahead, ...rows]
    progress.rowsRead += own.length
    ahead = isFull ? rows.at(-1) : undefined
    yield { rows: own.map(decode), more: ahead ? 'yes' : 'no' }
  }
}
