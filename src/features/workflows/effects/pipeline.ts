import { Problem } from '../../../lib/errors/problem.ts'
import type { ScriptError } from '../../../scripting/sandbox/types.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { takenArguments } from '../../pipelines/execution/arguments.ts'
import { executeValue } from '../../pipelines/execution/execute.ts'
import { failedOf, NODE } from '../../pipelines/execution/results.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import type { NodeRequest, Performers } from '../stepping/effect-handlers.ts'
import { type ScriptAnswer, StepFailure } from '../stepping/step.ts'
import { isTransient } from './transient.ts'
import { visitKey } from './visit-key.ts'

async function execute(context: ScriptContext, { asked, visit }: NodeRequest<'pipeline'>): Promise<ScriptAnswer> {
  const { host, sandbox } = context
  const { account } = visit
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: asked.compilable })
  if (state === 'draft') throw new StepFailure('flawed-reference', `The compilable ${asked.compilable} has flaws.`)
  const ran = await executeValue(context, {
    ...{ account, value, arguments: takenArguments(value, asked.arguments), budget: NODE, depth: 1, isShown: false },
    ...(asked.first && { limit: 1 }),
    seed: visitKey(visit),
  })
  return { value: ran.value, writes: ran.writes, logs: ran.logs }
}

/** Why a node fails. Throws what is none of the author's. */
function failureOf(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof Problem) return new StepFailure(error.kind, error.detail, { isTransient: isTransient(error) })
  const { type, message, isTransient: mayPass } = new ScriptFailure(failedOf(error) as ScriptError)
  return new StepFailure(type, message, { isTransient: mayPass })
}

/** Executes the compilables of nodes; what their scripts write is applied in the transaction of the step. */
export function createPipelines(context: ScriptContext): NonNullable<Performers['calls']['pipeline']> {
  return async (_, request): Promise<ScriptAnswer | StepFailure> => {
    try {
      return await execute(context, request)
    } catch (error) {
      return failureOf(error)
    }
  }
}
