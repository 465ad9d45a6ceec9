import type { Sandbox } from '../../scripting/sandbox/sandbox.ts'
import type { Program, RunOptions, RunResult } from '../../scripting/sandbox/types.ts'
import type { HostContext } from './context.ts'

/** Runs a script. Contacts that it makes get the ids that it is given for them. Its writes are for the caller to apply. */
export async function runScript(
  { sandbox, contactIds }: Pick<HostContext, 'contactIds'> & { sandbox: Sandbox },
  program: Program,
  options: RunOptions,
): Promise<RunResult> {
  if (!options.capabilities?.includes('targets.write')) return sandbox.run(program, options)
  const ids = await contactIds.take()
  const result = await sandbox.run(program, { ...options, contactIds: ids })
  contactIds.giveBack(ids, result)
  return result
}
