import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { capabilityRights } from '../../../scripting/capabilities.ts'
import { HostError } from '../../../scripting/sandbox/types.ts'
import type { ExecuteCompilable } from '../../script-host/context.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import { readCompilable } from '../compilables.ts'
import { type CompilableValue, capabilitiesOfValue } from '../definition/definition.ts'
import { readArguments } from './arguments.ts'
import { executeValue } from './execute.ts'
import { failedOf, REQUEST } from './results.ts'

/**
 * Throws for a script that may do more than read: who executes the script that executes it may not have the right to, and what it writes
 * would be done whatever becomes of the other.
 */
function refuseWriting(value: CompilableValue): void {
  const odd = capabilitiesOfValue(value).find((name) => capabilityRights[name] !== 'read')
  if (odd !== undefined)
    throw new HostError(`A compilable that a script executes only reads: it has the capability "${odd}".`, 'capability')
}

/** Executes compilables for scripts. */
export function compilablesForScripts(contextOf: () => ScriptContext): ExecuteCompilable {
  return async (_, { account, id: text, arguments: given, depth }) => {
    const context = contextOf()
    const { host, sandbox } = context
    const id = readUuid(text)
    if (id === undefined) throw notFound('compilable', text)
    const { value, state } = await readCompilable({ ...host, sandbox }, { account, id })
    if (state === 'draft') throw conflict('compilable-flawed', `The compilable ${id} has flaws.`)
    refuseWriting(value)
    const used = readArguments(value, isObject(given) ? given : {})
    try {
      const ran = await executeValue(context, {
        ...{ account, value, arguments: used, budget: REQUEST, depth, isShown: false, isNested: true },
      })
      return ran.value
    } catch (error) {
      throw new HostError(failedOf(error).message)
    }
  }
}
