import type { Row } from '../values/values.ts'
import { type Asked, loadEnvironment } from './environment.ts'
import { limitFailure } from './failures.ts'
import { pushedCursors, rowsOf } from './pipelines.ts'
import { type RunContext, startExecution } from './run.ts'
import { openReading, readingError } from './transaction.ts'

/** The limits of time, for processor time and for each statement, and of rows: from statements alone, and with cursors in memory. */
export interface StreamLimits {
  limitMs: number
  pushed: number
  inMemory: number
}

/** The rows of a pipeline, however many, as they are taken. Throws as `runPipeline` does. */
export async function* streamPipeline(
  context: RunContext,
  asked: Asked,
  { limitMs, pushed, inMemory }: StreamLimits,
): AsyncGenerator<readonly Row[], void> {
  const { account, pipeline } = asked
  const { executing, progress, end } = startExecution(context, account, { limitMs })
  try {
    const { meter } = progress
    const reading = await meter.wait(openReading(context.db, { account, limitMs }))
    try {
      const { environment, compiling } = await meter.wait(loadEnvironment(reading.tx, asked, executing))
      const all = { ...executing, compiling }
      const isPushed = pushedCursors(pipeline, environment, all) === pipeline.cursors.length
      const most = isPushed ? pushed : inMemory
      let count = 0
      for await (const { rows } of rowsOf(pipeline, environment, all)) {
        count += rows.length
        if (count > most) throw limitFailure(`The result passes ${most.toLocaleString('en-US')} rows`)
        meter.pause()
        yield rows
        meter.resume()
      }
    } finally {
      await reading.end()
    }
  } catch (error) {
    throw readingError(error, progress)
  } finally {
    end()
  }
}
