import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { startWorkCpuMeter, type WorkCpuMeter } from '../../../lib/concurrency/thread-limit.ts'
import { PIPELINE_BATCH_ROWS, type RowBatch } from '../memory/batches.ts'
import type { RawPipelineRow, RelationSelection } from '../sql/output.ts'
import { createTimeoutFailure } from './failures.ts'

/** One reading: how long it may take, and how far it has come. */
export interface ReadProgress {
  /** The last stop, as a time of `performance.now()`. */
  until: number
  /** The limit of its processor time, and of each statement by the clock. */
  limitMs: number
  meter: WorkCpuMeter
  /** Rows that the database gave. */
  rowsRead: number
  /** Cursors that were opened. */
  cursors: number
}

/** The multiple of its limit that an execution may take by the clock, including waits. */
export const MAX_WALL_TIME_FACTOR = 12

/** Starts a reading that may compute for `limitMs` milliseconds. */
export const startReadProgress = (limitMs: number): ReadProgress => ({
  until: performance.now() + MAX_WALL_TIME_FACTOR * limitMs,
  limitMs,
  meter: startWorkCpuMeter(),
  rowsRead: 0,
  cursors: 0,
})

/** Throws ExecutionFailure when time is over. */
export function requireTimeLeft({ until, limitMs, meter }: ReadProgress): void {
  if (meter.spentMs() > limitMs) throw createTimeoutFailure('cpu', limitMs)
  if (performance.now() > until) throw createTimeoutFailure('wall', MAX_WALL_TIME_FACTOR * limitMs)
}

/**
 * The rows of a statement in batches, as they are asked for. Of each batch one row more is read, so that it is known whether others
 * follow. Other statements can go between, which a cursor of the driver does not let through.
 */
export async function* readStatementBatches(
  tx: Db,
  { query, decode }: RelationSelection,
  progress: ReadProgress,
): AsyncGenerator<RowBatch, void> {
  const cursorName = sql.ref(`rows_${progress.cursors++}`)
  const { meter } = progress
  requireTimeLeft(progress)
  await meter.wait(sql`declare ${cursorName} no scroll cursor for ${query}`.execute(tx))
  const fetchQuery = sql<RawPipelineRow>`fetch ${sql.lit(PIPELINE_BATCH_ROWS)} from ${cursorName}`
  let [prefetchedRow] = (await meter.wait(sql<RawPipelineRow>`fetch 1 from ${cursorName}`.execute(tx))).rows
  while (prefetchedRow) {
    requireTimeLeft(progress)
    const { rows } = await meter.wait(fetchQuery.execute(tx))
    const isFull = rows.length === PIPELINE_BATCH_ROWS
    const batchRows = isFull ? [prefetchedRow, ...rows.slice(0, -1)] : [prefetchedRow, ...rows]
    progress.rowsRead += batchRows.length
    prefetchedRow = isFull ? rows.at(-1) : undefined
    yield { rows: batchRows.map(decode), more: prefetchedRow ? 'yes' : 'no' }
  }
}
