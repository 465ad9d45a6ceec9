import { Problem } from '../../../lib/errors/problem.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { parseKnownArguments } from '../../pipelines/execution/arguments.ts'
import { toExecutionErrorUnlessBusy } from '../../pipelines/execution/results.ts'
import { type PipelineStreamLimits, streamPipeline } from '../../pipelines/execution/stream.ts'
import type { PipelineRow } from '../../pipelines/values/values.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { type CompilableRowRequest, type CompilableRows, TaskProviderFailure } from './task-providers.ts'

const STREAM_LIMITS: PipelineStreamLimits = { limitMs: 300_000, pushed: 5_000_000, inMemory: 100_000 }

/**
 * Converts an error to the failure that permanently keeps a firing from reading its rows. Throws errors that may not occur at another
 * time.
 */
function toProviderFailure(error: unknown): TaskProviderFailure {
  if (error instanceof TaskProviderFailure) return error
  if (error instanceof Problem && error.status < 500) return new TaskProviderFailure(error.detail)
  return new TaskProviderFailure(toExecutionErrorUnlessBusy(error).message)
}

async function* streamRows(
  { db, clock, sandbox, host }: WorkflowEngineContext,
  { account, compilable, arguments: argumentValues, limit }: CompilableRowRequest,
): AsyncGenerator<readonly PipelineRow[], void> {
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: compilable })
  if (state === 'draft') throw new TaskProviderFailure(`The compilable ${compilable} has flaws.`)
  if (value.type !== 'pipeline') throw new TaskProviderFailure(`The compilable ${compilable} is not a pipeline.`)
  const pipelineRequest = {
    account,
    pipeline: value,
    arguments: parseKnownArguments(value, argumentValues),
    now: clock.now(),
  }
  let remainingLimit = limit ?? Number.POSITIVE_INFINITY
  for await (const rows of streamPipeline({ db, sandbox }, pipelineRequest, STREAM_LIMITS)) {
    yield rows.slice(0, remainingLimit)
    remainingLimit -= rows.length
    if (remainingLimit <= 0) return
  }
}

/** Rows of compilables for tasks. They are read by a connection of their own: the rows that are stored go through another. */
export function createCompilableRows(context: WorkflowEngineContext): CompilableRows {
  return {
    async *read(_, request) {
      try {
        yield* streamRows(context, request)
      } catch (error) {
        throw toProviderFailure(error)
      }
    },
  }
}
