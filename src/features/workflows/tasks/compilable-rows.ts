import { Problem } from '../../../lib/errors/problem.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { parseKnownArguments } from '../../pipelines/execution/arguments.ts'
import { toExecutionErrorUnlessBusy } from '../../pipelines/execution/results.ts'
import { type PipelineStreamLimits, streamPipeline } from '../../pipelines/execution/stream.ts'
import type { PipelineRow } from '../../pipelines/values/values.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import { type CompilableRowRequest, type CompilableRows, TaskProviderFailure } from './providers.ts'

const LIMITS: PipelineStreamLimits = { limitMs: 300_000, pushed: 5_000_000, inMemory: 100_000 }

/** What keeps a firing from its rows for good. Throws what may be otherwise another time. */
function failureOf(error: unknown): TaskProviderFailure {
  if (error instanceof TaskProviderFailure) return error
  if (error instanceof Problem && error.status < 500) return new TaskProviderFailure(error.detail)
  return new TaskProviderFailure(toExecutionErrorUnlessBusy(error).message)
}

async function* read(
  { db, clock, sandbox, host }: WorkflowEngineContext,
  { account, compilable, arguments: given, limit }: CompilableRowRequest,
): AsyncGenerator<readonly PipelineRow[], void> {
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: compilable })
  if (state === 'draft') throw new TaskProviderFailure(`The compilable ${compilable} has flaws.`)
  if (value.type !== 'pipeline') throw new TaskProviderFailure(`The compilable ${compilable} is no pipeline.`)
  const asked = { account, pipeline: value, arguments: parseKnownArguments(value, given), now: clock.now() }
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const rows of streamPipeline({ db, sandbox }, asked, LIMITS)) {
    yield rows.slice(0, left)
    left -= rows.length
    if (left <= 0) return
  }
}

/** Rows of compilables for tasks. They are read by a connection of their own: the rows that are stored go through another. */
export function createCompilableRows(context: WorkflowEngineContext): CompilableRows {
  return {
    async *read(_, request) {
      try {
        yield* read(context, request)
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}
