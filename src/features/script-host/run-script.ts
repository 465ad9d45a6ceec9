import type { Sandbox } from '../../scripting/sandbox/sandbox.ts'
import type { SandboxRunOptions, SandboxRunResult, ScriptProgram } from '../../scripting/sandbox/types.ts'
import type { ScriptHostContext } from './context.ts'

/** Runs a script. Contacts that it makes get the ids that it is given for them. Its writes are for the caller to apply. */
export async function runScriptOnHost(
  { sandbox, contactIds }: Pick<ScriptHostContext, 'contactIds'> & { sandbox: Sandbox },
  program: ScriptProgram,
  options: SandboxRunOptions,
): Promise<SandboxRunResult> {
  if (!options.capabilities?.includes('targets.write')) return sandbox.run(program, options)
  const reservedIds = await contactIds.take()
  const result = await sandbox.run(program, { ...options, contactIds: reservedIds })
  contactIds.giveBack(reservedIds, result)
  return result
}
