import { Problem } from '../../../lib/errors/problem.ts'
import type { ScriptError } from '../../../scripting/sandbox/types.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { parseKnownArguments } from '../../pipelines/execution/arguments.ts'
import { executeCompilableValue } from '../../pipelines/execution/execute.ts'
import { PIPELINE_NODE_BUDGET, toExecutionError } from '../../pipelines/execution/results.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import { type ScriptEffectAnswer, StepFailure } from '../nodes/node-contract.ts'
import type { EffectHandlers, NodeEffectRequest } from '../run-stepper/effect-handlers.ts'
import { isTransientProblem } from './transient.ts'
import { formatVisitKey } from './visit-key.ts'

async function executePipeline(
  context: ScriptContext,
  { asked: effect, visit }: NodeEffectRequest<'pipeline'>,
): Promise<ScriptEffectAnswer> {
  const { host, sandbox } = context
  const { account } = visit
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: effect.compilable })
  if (state === 'draft') throw new StepFailure('flawed-reference', `The compilable ${effect.compilable} has flaws.`)
  const execution = await executeCompilableValue(context, {
    account,
    value,
    arguments: parseKnownArguments(value, effect.arguments),
    budget: PIPELINE_NODE_BUDGET,
    depth: 1,
    isShown: false,
    ...(effect.first && { limit: 1 }),
    seed: formatVisitKey(visit),
  })
  return { value: execution.value, writes: execution.writes, logs: execution.logs }
}

/** Converts an error to the failure of a node. Throws errors that are not caused by the author. */
function toStepFailure(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof Problem)
    return new StepFailure(error.kind, error.detail, { isTransient: isTransientProblem(error) })
  const { type, message, isTransient: isTransientFailure } = new ScriptFailure(toExecutionError(error) as ScriptError)
  return new StepFailure(type, message, { isTransient: isTransientFailure })
}

/** Executes the compilables of nodes; what their scripts write is applied in the transaction of the step. */
export function createPipelineHandler(context: ScriptContext): NonNullable<EffectHandlers['calls']['pipeline']> {
  return async (_, request): Promise<ScriptEffectAnswer | StepFailure> => {
    try {
      return await executePipeline(context, request)
    } catch (error) {
      return toStepFailure(error)
    }
  }
}
