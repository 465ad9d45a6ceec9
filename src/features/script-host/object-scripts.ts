import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { policyOf } from '../../scripting/fetch/policy.ts'
import type { ImportedWebtasks } from '../../scripting/imports.ts'
import { type Capability, capabilityNames } from '../../scripting/sandbox/functions.ts'
import type { LogLine, RunResult } from '../../scripting/sandbox/types.ts'
import { commonModules } from '../../scripting/script-flaws.ts'
import type { Scripting } from '../../scripting/scripting-object.ts'
import type { HostContext } from './context.ts'
import { hostOf } from './host.ts'
import { runScript } from './run-script.ts'

/** What scripts run with in a process. */
export interface ScriptContext extends Pick<Context, 'sandbox'> {
  host: HostContext
}

/** A script with what its object allows it, and what it imports. */
export interface ObjectScript {
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
  /** How many compilables execute each other until it; 0 unless it is said. */
  depth?: number
  signal?: AbortSignal
  /** Another script waits for it. */
  isNested?: boolean
  /** Told of each line of the log while it runs. */
  onLog?: ((line: LogLine) => void) | undefined
}

const isCapability = (name: string): name is Capability => (capabilityNames as string[]).includes(name)

/** Runs a script of a workflow, webtask or compilable. Its writes are for the caller to apply. */
export function runObjectScript(
  { sandbox, host }: ScriptContext,
  { account, source, scripting, imported, limits }: ObjectScript,
  { input, seed, now, idempotencyKey, depth = 0, signal, isNested = false, onLog }: ScriptRun,
): Promise<RunResult> {
  const { capabilities = [], variables: environment = {} } = scripting.environment
  const { allow, secrets } = policyOf(host.masterKeys, { account, scripting })
  const http = { allow, secrets, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  return runScript(
    { sandbox, contactIds: host.contactIds },
    { source, ...commonModules(scripting, imported) },
    {
      ...{ account, seed, isNested, cpuMs: limits.cpuMs, wallMs: limits.wallMs },
      input: { ...input, environment },
      globals: { environment },
      capabilities: capabilities.filter(isCapability),
      host: hostOf(host, { account, now, http, depth }),
      ...(signal && { signal }),
      ...(onLog && { onLog }),
    },
  )
}
