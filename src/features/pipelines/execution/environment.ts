import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Compiling, openCompiling } from '../../../scripting/expressions/compile.ts'
import { parsePath, valueAt } from '../../../scripting/expressions/paths.ts'
import type { ScriptPort } from '../../../scripting/expressions/scripts-port.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import { compilablesIn } from '../checks/used-flaws.ts'
import type { Pipeline } from '../definition/definition.ts'
import { type MemoryScope, valueOutside } from '../memory/scope.ts'
import { type Environment, nowOf } from '../sql/environment.ts'
import { namer } from '../sql/relation.ts'
import { loadUsed } from '../stored.ts'
import type { Arguments } from './arguments.ts'
import { type Progress, requireTime } from './reader.ts'

/** What a pipeline is executed for. */
export interface Asked {
  account: AccountId
  pipeline: Pipeline
  arguments: Arguments
  /** Milliseconds. */
  now: number
}

/** What expressions outside the database are evaluated with, in the scope of one pipeline. */
export function memoryScope(
  environment: Environment,
  { compiling, scripts, progress }: { compiling: Compiling; scripts: ScriptPort; progress: Progress },
): MemoryScope {
  const { present } = environment
  return {
    ...{ compiling, scripts, arguments: environment.arguments, now: nowOf(environment), present },
    requireTime: () => requireTime(progress),
  }
}

/** Loads what a pipeline is translated and executed with. */
export async function loadEnvironment(
  tx: Db,
  { account, pipeline, arguments: given, now }: Asked,
  { scripts, progress }: { scripts: ScriptPort; progress: Progress },
): Promise<{ environment: Environment; compiling: Compiling }> {
  const shape = await loadShape(tx, account)
  const { culture } = await readSendingSettings(tx, account)
  const compiling = openCompiling(
    culture,
    [],
    shape.fields.map(({ id, name }) => ({ id, name })),
  )
  const environment: Environment = {
    ...{ db: tx, account, shape, arguments: given, name: namer() },
    present: { now, zone: shape.settings.timeZone },
    used: await loadUsed(tx, account, compilablesIn(pipeline)),
    async evaluate(expression, own) {
      const { type, value } = expression
      if (type === 'literal') return value
      if (type === 'path') return valueAt({ arguments: own.arguments, now: nowOf(own) }, parsePath(value))
      return valueOutside(expression, memoryScope(own, { compiling, scripts, progress }))
    },
  }
  return { environment, compiling }
}
