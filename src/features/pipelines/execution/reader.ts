import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { openMeter, type WorkMeter } from '../../../lib/concurrency/thread-limit.ts'
import { BATCH_ROWS, type Batch } from '../memory/batches.ts'
import type { RawRow, Selection } from '../sql/output.ts'
import { timeFailure } from './failures.ts'

/** One reading: how long it may take, and how far it has come. */
export interface Progress {
  /** The last stop, as a time of `performance.now()`. */
  until: number
  /** The limit of its processor time, and of each statement by the clock. */
  limitMs: number
  meter: WorkMeter
  /** Rows that the database gave. */
  rowsRead: number
  /** Cursors that were opened. */
  cursors: number
}

/** The multiple of its limit that an execution may take by the clock, including waits. */
export const LAST_STOP_LIMITS = 12

/** Starts a reading that may compute for `limitMs` milliseconds. */
export const openProgress = (limitMs: number): Progress => ({
  ...{ until: performance.now() + LAST_STOP_LIMITS * limitMs, limitMs, meter: openMeter(), rowsRead: 0, cursors: 0 },
})

/** Throws ExecutionFailure when time is over. */
export function requireTime({ until, limitMs, meter }: Progress): void {
  if (meter.spentMs() > limitMs) throw timeFailure('cpu', limitMs)
  if (performance.now() > until) throw timeFailure('wall', LAST_STOP_LIMITS * limitMs)
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
  const { meter } = progress
  requireTime(progress)
  await meter.wait(sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx))
  const fetch = sql<RawRow>`fetch ${sql.lit(BATCH_ROWS)} from ${cursor}`
  let [ahead] = (await meter.wait(sql<RawRow>`fetch 1 from ${cursor}`.execute(tx))).rows
  while (ahead) {
    requireTime(progress)
    const { rows } = await meter.wait(fetch.execute(tx))
    const isFull = rows.length === BATCH_ROWS
    const own = isFull ? [ahead, ...rows.slice(0, -1)] : [ahead, ...rows]
    progress.rowsRead += own.length
    ahead = isFull ? rows.at(-1) : undefined
    yield { rows: own.map(decode), more: ahead ? 'yes' : 'no' }
  }
}
