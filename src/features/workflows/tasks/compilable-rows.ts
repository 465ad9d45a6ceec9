import { Problem } from '../../../lib/errors/problem.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { takenArguments } from '../../pipelines/execution/arguments.ts'
import { placedFailure } from '../../pipelines/execution/results.ts'
import { type StreamLimits, streamPipeline } from '../../pipelines/execution/stream.ts'
import type { Row } from '../../pipelines/values/values.ts'
import type { EngineContext } from '../engine/context.ts'
import { type CompilableRequest, type CompilableRows, ProviderFailure } from './providers.ts'

const LIMITS: StreamLimits = { limitMs: 300_000, pushed: 5_000_000, inMemory: 100_000 }

/** What keeps a firing from its rows for good. Throws what may be otherwise another time. */
function failureOf(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  if (error instanceof Problem && error.status < 500) return new ProviderFailure(error.detail)
  return new ProviderFailure(placedFailure(error).message)
}

async function* read(
  { db, clock, sandbox, host }: EngineContext,
  { account, compilable, arguments: given, limit }: CompilableRequest,
): AsyncGenerator<readonly Row[], void> {
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: compilable })
  if (state === 'draft') throw new ProviderFailure(`The compilable ${compilable} has flaws.`)
  if (value.type !== 'pipeline') throw new ProviderFailure(`The compilable ${compilable} is no pipeline.`)
  const asked = { account, pipeline: value, arguments: takenArguments(value, given), now: clock.now() }
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const rows of streamPipeline({ db, sandbox }, asked, LIMITS)) {
    yield rows.slice(0, left)
    left -= rows.length
    if (left <= 0) return
  }
}

/** Rows of compilables for tasks. They are read by a connection of their own: the rows that are stored go through another. */
export function compilableRows(context: EngineContext): CompilableRows {
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
