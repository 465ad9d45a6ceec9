import { Problem } from '../../../lib/errors/problem.ts'
import type { ScriptError } from '../../../scripting/sandbox/types.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { readCompilable } from '../../pipelines/compilables.ts'
import { parseKnownArguments } from '../../pipelines/execution/arguments.ts'
import { executeCompilableValue } from '../../pipelines/execution/execute.ts'
import { PIPELINE_NODE_BUDGET, toExecutionError } from '../../pipelines/execution/results.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import type { EffectHandlers, NodeEffectRequest } from '../stepping/effect-handlers.ts'
import { type ScriptEffectAnswer, StepFailure } from '../stepping/step.ts'
import { isTransientProblem } from './transient.ts'
import { formatVisitKey } from './visit-key.ts'

async function execute(
  context: ScriptContext,
  { asked, visit }: NodeEffectRequest<'pipeline'>,
): Promise<ScriptEffectAnswer> {
  const { host, sandbox } = context
  const { account } = visit
  const { value, state } = await readCompilable({ ...host, sandbox }, { account, id: asked.compilable })
  if (state === 'draft') throw new StepFailure('flawed-reference', `The compilable ${asked.compilable} has flaws.`)
  const ran = await executeCompilableValue(context, {
    ...{
      account,
      value,
      arguments: parseKnownArguments(value, asked.arguments),
      budget: PIPELINE_NODE_BUDGET,
      depth: 1,
      isShown: false,
    },
    ...(asked.first && { limit: 1 }),
    seed: formatVisitKey(visit),
  })
  return { value: ran.value, writes: ran.writes, logs: ran.logs }
}

/** Why a node fails. Throws what is none of the author's. */
function failureOf(error: unknown): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof Problem)
    return new StepFailure(error.kind, error.detail, { isTransient: isTransientProblem(error) })
  const { type, message, isTransient: mayPass } = new ScriptFailure(toExecutionError(error) as ScriptError)
  return new StepFailure(type, message, { isTransient: mayPass })
}

/** Executes the compilables of nodes; what their scripts write is applied in the transaction of the step. */
export function createPipelineHandler(context: ScriptContext): NonNullable<EffectHandlers['calls']['pipeline']> {
  return async (_, request): Promise<ScriptEffectAnswer | StepFailure> => {
    try {
      return await execute(context, request)
    } catch (error) {
      return failureOf(error)
    }
  }
}
