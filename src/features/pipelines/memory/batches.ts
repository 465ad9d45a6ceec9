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

/** Transformation of rows by a cursor. */
export type RowTransform = (batches: RowBatches) => AsyncGenerator<RowBatch, void>

/** Rows that are all known. */
export function* batchRows(
  rows: readonly PipelineRow[],
  moreAfter: RowBatch['more'] = 'no',
): Generator<RowBatch, void> {
  for (let batchStart = 0; batchStart < rows.length; batchStart += PIPELINE_BATCH_ROWS) {
    const isLast = batchStart + PIPELINE_BATCH_ROWS >= rows.length
    yield { rows: rows.slice(batchStart, batchStart + PIPELINE_BATCH_ROWS), more: isLast ? moreAfter : 'yes' }
  }
}

/** A cursor that makes one row of each. */
export function mapEachRow(work: (rows: readonly PipelineRow[]) => Promise<readonly PipelineRow[]>): RowTransform {
  return async function* (batches) {
    for await (const { rows, more: moreState } of batches) yield { rows: await work(rows), more: moreState }
  }
}

/** A cursor that makes fewer or more rows of some. */
export function mapRowBatches(work: (rows: readonly PipelineRow[]) => Promise<readonly PipelineRow[]>): RowTransform {
  return async function* (batches) {
    for await (const { rows, more: moreState } of batches) {
      const newRows = await work(rows)
      if (newRows.length > 0) yield* batchRows(newRows, moreState === 'no' ? 'no' : 'maybe')
    }
  }
}
