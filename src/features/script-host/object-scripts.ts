import type { ServiceContext } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { createScriptFetchPolicy } from '../../scripting/fetch/policy.ts'
import type { ImportedWebtasks } from '../../scripting/imports.ts'
import { type ScriptCapability, sandboxCapabilityNames } from '../../scripting/sandbox/functions.ts'
import type { SandboxLogLine, SandboxRunResult } from '../../scripting/sandbox/types.ts'
import { listCommonModules } from '../../scripting/script-flaws.ts'
import type { ScriptingObject } from '../../scripting/scripting-object.ts'
import type { ScriptHostContext } from './context.ts'
import { createScriptHost } from './host.ts'
import { runScriptOnHost } from './run-script.ts'

/** Dependencies of script runs within a process. */
export interface ScriptContext extends Pick<ServiceContext, 'sandbox'> {
  host: ScriptHostContext
}

/** A script with what its object allows it, and what it imports. */
export interface ObjectScript {
  account: AccountId
  source: string
  scripting: ScriptingObject
  imported: ImportedWebtasks
  limits: { cpuMs: number; wallMs: number }
}

/** A run of a script. */
export interface ObjectScriptRun {
  /** The argument of its function; its environment is added. */
  input: object
  /** Seed of all random values of the run. */
  seed: string
  /** Milliseconds. */
  now: number
  /** Carried by what it calls, with the number of the call. */
  idempotencyKey?: string
  /** Number of compilables that execute each other before it; 0 by default. */
  depth?: number
  signal?: AbortSignal
  /** Another script waits for it. */
  isNested?: boolean
  /** Told of each line of the log while it runs. */
  onLog?: ((line: SandboxLogLine) => void) | undefined
}

const isCapability = (name: string): name is ScriptCapability => (sandboxCapabilityNames as string[]).includes(name)

/** Runs a script of a workflow, webtask or compilable. Its writes are for the caller to apply. */
export function runObjectScript(
  { sandbox, host }: ScriptContext,
  { account, source, scripting, imported, limits }: ObjectScript,
  { input, seed, now, idempotencyKey, depth = 0, signal, isNested = false, onLog }: ObjectScriptRun,
): Promise<SandboxRunResult> {
  const { capabilities = [], variables: environment = {} } = scripting.environment
  const { allow, secrets } = createScriptFetchPolicy(host.masterKeys, { account, scripting })
  const http = { allow, secrets, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  return runScriptOnHost(
    { sandbox, contactIds: host.contactIds },
    { source, ...listCommonModules(scripting, imported) },
    {
      account,
      seed,
      isNested,
      cpuMs: limits.cpuMs,
      wallMs: limits.wallMs,
      input: { ...input, environment },
      globals: { environment },
      capabilities: capabilities.filter(isCapability),
      host: createScriptHost(host, { account, now, http, depth }),
      ...(signal && { signal }),
      ...(onLog && { onLog }),
    },
  )
}
