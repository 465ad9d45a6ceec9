import type { Row } from '../values/values.ts'

/** Rows of a batch. */
export const BATCH_ROWS = 500

/** Some rows, and whether others follow: `maybe` where cursors before have yet to see. */
export interface Batch {
  rows: readonly Row[]
  more: 'yes' | 'no' | 'maybe'
}

/** Rows in their order, some at a time. */
export type Batches = AsyncIterable<Batch>

/** What a cursor makes of rows. */
export type Transform = (batches: Batches) => AsyncGenerator<Batch, void>

/** Rows that are all known. */
export function* inBatches(rows: readonly Row[], more: Batch['more'] = 'no'): Generator<Batch, void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const isLast = from + BATCH_ROWS >= rows.length
    yield { rows: rows.slice(from, from + BATCH_ROWS), more: isLast ? more : 'yes' }
  }
}

/** A cursor that makes one row of each. */
export function eachRow(work: (rows: readonly Row[]) => Promise<readonly Row[]>): Transform {
  return async function* (batches) {
    for await (const { rows, more } of batches) yield { rows: await work(rows), more }
  }
}

/** A cursor that makes fewer or more rows of some. */
export function someRows(work: (rows: readonly Row[]) => Promise<readonly Row[]>): Transform {
  return async function* (batches) {
    for await (const { rows, more } of batches) {
      const made = await work(rows)
      if (made.length > 0) yield* inBatches(made, more === 'no' ? 'no' : 'maybe')
    }
  }
}
