import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { capabilityRights } from '../../../scripting/capabilities.ts'
import { ScriptHostError } from '../../../scripting/sandbox/types.ts'
import type { ExecuteCompilable } from '../../script-host/context.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import { readCompilable } from '../compilables.ts'
import { type CompilableValue, listValueCapabilities } from '../definition/definition.ts'
import { parseArguments } from './arguments.ts'
import { executeCompilableValue } from './execute.ts'
import { PIPELINE_REQUEST_BUDGET, toExecutionError } from './results.ts'

/**
 * Throws for a script that may do more than read: who executes the script that executes it may not have the right to, and what it writes
 * would be done whatever becomes of the other.
 */
function requireReadOnly(value: CompilableValue): void {
  const writingCapability = listValueCapabilities(value).find((name) => capabilityRights[name] !== 'read')
  if (writingCapability !== undefined)
    throw new ScriptHostError(
      `A compilable that a script executes can only read, but this one has the capability "${writingCapability}".`,
      'capability',
    )
}

/** Executes compilables for scripts. */
export function createCompilableExecutor(contextOf: () => ScriptContext): ExecuteCompilable {
  return async (_, { account, id: text, arguments: rawArguments, depth }) => {
    const context = contextOf()
    const { host, sandbox } = context
    const id = parseUuid(text)
    if (id === undefined) throw notFoundProblem('compilable', text)
    const { value, state } = await readCompilable({ ...host, sandbox }, { account, id })
    if (state === 'draft') throw conflictProblem('compilable-flawed', `The compilable ${id} has flaws.`)
    requireReadOnly(value)
    const parsedArguments = parseArguments(value, isJsonObject(rawArguments) ? rawArguments : {})
    try {
      const executionResult = await executeCompilableValue(context, {
        account,
        value,
        arguments: parsedArguments,
        budget: PIPELINE_REQUEST_BUDGET,
        depth,
        isShown: false,
        isNested: true,
      })
      return executionResult.value
    } catch (error) {
      throw new ScriptHostError(toExecutionError(error).message)
    }
  }
}
