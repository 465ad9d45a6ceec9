import type { PipelineRow } from '../values/values.ts'

/** Rows of a batch. */
export const PIPELINE_BATCH_ROWS = 500

/** Some rows, and whether others follow: `maybe` where cursors before have yet to see. */
export interface RowBatch {
  rows: readonly PipelineRow[]
  more: 'yes' | 'no' | 'maybe'
}

/** Rows in their order, some at a time. */
export type RowBatches = AsyncIterable<RowBatch>

/** What a cursor makes of rows. */
export type RowTransform = (batches: RowBatches) => AsyncGenerator<RowBatch, void>

/** Rows that are all known. */
export function* batchRows(rows: readonly PipelineRow[], more: RowBatch['more'] = 'no'): Generator<RowBatch, void> {
  for (let from = 0; from < rows.length; from += PIPELINE_BATCH_ROWS) {
    const isLast = from + PIPELINE_BATCH_ROWS >= rows.length
    yield { rows: rows.slice(from, from + PIPELINE_BATCH_ROWS), more: isLast ? more : 'yes' }
  }
}

/** A cursor that makes one row of each. */
export function mapEachRow(work: (rows: readonly PipelineRow[]) => Promise<readonly PipelineRow[]>): RowTransform {
  return async function* (batches) {
    for await (const { rows, more } of batches) yield { rows: await work(rows), more }
  }
}

/** A cursor that makes fewer or more rows of some. */
export function mapRowBatches(work: (rows: readonly PipelineRow[]) => Promise<readonly PipelineRow[]>): RowTransform {
  return async function* (batches) {
    for await (const { rows, more } of batches) {
      const made = await work(rows)
      if (made.length > 0) yield* batchRows(made, more === 'no' ? 'no' : 'maybe')
    }
  }
}
