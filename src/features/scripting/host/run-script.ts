import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { policyOf } from '../fetch/policy.ts'
import type { ImportedWebtasks } from '../imports.ts'
import { type Capability, capabilityNames } from '../sandbox/functions.ts'
import type { RunResult } from '../sandbox/types.ts'
import { commonModules } from '../script-flaws.ts'
import type { Scripting } from '../scripting-object.ts'
import type { HostContext } from './context.ts'
import { hostOf } from './host.ts'

/** What scripts run with in a process. */
export interface ScriptContext extends Pick<Context, 'sandbox'> {
  host: HostContext
}

/** A script with what it may do, and what it imports. */
export interface Script {
  account: AccountId
  source: string
  scripting: Scripting
  imported: ImportedWebtasks
  limits: { cpuMs: number; wallMs: number }
}

/** A run of a script. */
export interface ScriptRun {
  /** The argument of its function; its environment is added. */
  input: object
  /** What is random in it follows from this. */
  seed: string
  /** Milliseconds. */
  now: number
  /** Carried by what it calls, with the number of the call. */
  idempotencyKey?: string
}

/** Constants of a script. */
export const environmentOf = ({ environment }: Scripting): Record<string, unknown> => environment.variables ?? {}

const isCapability = (name: string): name is Capability => (capabilityNames as string[]).includes(name)

/** Runs a script. What it writes is not done yet. */
export async function runScript(
  { sandbox, host }: ScriptContext,
  { account, source, scripting, imported, limits }: Script,
  { input, seed, now, idempotencyKey }: ScriptRun,
): Promise<RunResult> {
  const capabilities = (scripting.environment.capabilities ?? []).filter(isCapability)
  const environment = environmentOf(scripting)
  const { allow, secrets } = policyOf(host.masterKeys, { account, scripting })
  const http = { allow, secrets, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  const contactIds = capabilities.includes('targets.write') ? await host.contactIds.take() : []
  const result = await sandbox.run(
    { source, ...commonModules(scripting, imported) },
    {
      ...{ account, seed, ...limits, capabilities, contactIds },
      input: { ...input, environment },
      globals: { environment },
      host: hostOf(host, { account, now, http, depth: 0 }),
    },
  )
  host.contactIds.giveBack(contactIds, result)
  return result
}
