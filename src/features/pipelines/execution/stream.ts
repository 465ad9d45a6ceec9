import type { PipelineRow } from '../values/values.ts'
import { loadPipelineEnvironment, type PipelineExecution } from './environment.ts'
import { createLimitFailure } from './failures.ts'
import { countPushedCursors, streamPipelineRows } from './pipelines.ts'
import { type PipelineRunContext, startPipelineRun } from './run.ts'
import { openReadTransaction, toPipelineReadError } from './transaction.ts'

/** The limits of time, for processor time and for each statement, and of rows: from statements alone, and with cursors in memory. */
export interface PipelineStreamLimits {
  limitMs: number
  pushed: number
  inMemory: number
}

/** The rows of a pipeline, however many, as they are taken. Throws as `runPipeline` does. */
export async function* streamPipeline(
  context: PipelineRunContext,
  pipelineExecution: PipelineExecution,
  { limitMs, pushed, inMemory }: PipelineStreamLimits,
): AsyncGenerator<readonly PipelineRow[], void> {
  const { account, pipeline } = pipelineExecution
  const { executing, progress, end: endRun } = startPipelineRun(context, account, { limitMs })
  try {
    const { meter } = progress
    const readTransaction = await meter.wait(openReadTransaction(context.db, { account, limitMs }))
    try {
      const { environment, compiling } = await meter.wait(
        loadPipelineEnvironment(readTransaction.tx, pipelineExecution, executing),
      )
      const executionState = { ...executing, compiling }
      const isPushed = countPushedCursors(pipeline, environment, executionState) === pipeline.cursors.length
      const maxRows = isPushed ? pushed : inMemory
      let count = 0
      for await (const { rows } of streamPipelineRows(pipeline, environment, executionState)) {
        count += rows.length
        if (count > maxRows) throw createLimitFailure(`The result exceeds ${maxRows.toLocaleString('en-US')} rows.`)
        meter.pause()
        yield rows
        meter.resume()
      }
    } finally {
      await readTransaction.end()
    }
  } catch (error) {
    throw toPipelineReadError(error, progress)
  } finally {
    endRun()
  }
}
