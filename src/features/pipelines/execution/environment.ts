import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type CompileContext, createCompileContext } from '../../../scripting/expressions/compile.ts'
import { parseExpressionPath, readValueAtPath } from '../../../scripting/expressions/paths.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { findUsedCompilableIds } from '../checks/used-flaws.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { evaluateOutsideRows, type MemoryScope } from '../memory/scope.ts'
import { formatPresent, type PipelineEnvironment } from '../sql/environment.ts'
import { createAliasGenerator } from '../sql/relation.ts'
import { loadUsedCompilables } from '../stored.ts'
import type { ArgumentValues } from './arguments.ts'
import { type ReadProgress, requireTimeLeft } from './reader.ts'

/** Input of the execution of a pipeline. */
export interface PipelineExecution {
  account: AccountId
  pipeline: PipelineDefinition
  arguments: ArgumentValues
  /** Milliseconds. */
  now: number
}

/** Scope in which expressions outside the database are evaluated, for one pipeline. */
export function createMemoryScope(
  environment: PipelineEnvironment,
  { compiling, scripts, progress }: { compiling: CompileContext; scripts: ScriptEvaluator; progress: ReadProgress },
): MemoryScope {
  const { present } = environment
  return {
    compiling,
    scripts,
    arguments: environment.arguments,
    now: formatPresent(environment),
    present,
    requireTime: () => requireTimeLeft(progress),
  }
}

/** Loads what a pipeline is translated and executed with. */
export async function loadPipelineEnvironment(
  tx: Db,
  { account, pipeline, arguments: argumentValues, now }: PipelineExecution,
  { scripts, progress }: { scripts: ScriptEvaluator; progress: ReadProgress },
): Promise<{ environment: PipelineEnvironment; compiling: CompileContext }> {
  const shape = await loadContactShape(tx, account)
  const { culture } = await readSendingSettings(tx, account)
  const compiling = createCompileContext(
    culture,
    [],
    shape.fields.map(({ id, name }) => ({ id, name })),
  )
  const environment: PipelineEnvironment = {
    db: tx,
    account,
    shape,
    arguments: argumentValues,
    name: createAliasGenerator(),
    present: { now, zone: shape.settings.timeZone },
    used: await loadUsedCompilables(tx, account, findUsedCompilableIds(pipeline)),
    async evaluate(expression, ownRoots) {
      const { type, value } = expression
      if (type === 'literal') return value
      if (type === 'path')
        return readValueAtPath(
          { arguments: ownRoots.arguments, now: formatPresent(ownRoots) },
          parseExpressionPath(value),
        )
      return evaluateOutsideRows(expression, createMemoryScope(ownRoots, { compiling, scripts, progress }))
    },
  }
  return { environment, compiling }
}
