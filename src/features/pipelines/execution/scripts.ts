import { randomUUID } from 'node:crypto'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import type { ImportedWebtasks } from '../../../scripting/imports.ts'
import type { CollectedScriptWrite, SandboxLogLine } from '../../../scripting/sandbox/types.ts'
import { recordEvents } from '../../events/record/effects.ts'
import { runObjectScript, type ScriptContext } from '../../script-host/object-scripts.ts'
import { previewContactIds } from '../../script-host/reads/contact-ids.ts'
import type { ScriptWriteCaller } from '../../script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites, toScriptWriteError } from '../../script-host/writes/writes.ts'
import { loadImportedWebtasks } from '../../webtasks/stored.ts'
import type { ScriptDefinition } from '../definition/definition.ts'
import type { ArgumentValues } from './arguments.ts'
import { ExecutionFailure } from './failures.ts'

/** CPU of a script, in milliseconds. */
const SCRIPT_CPU_MS = 1000

/** A script that is to be run. */
export interface CompilableScriptRun {
  account: AccountId
  value: ScriptDefinition
  arguments: ArgumentValues
  /** Nesting depth: the number of compilables that execute each other up to this one, starting at 1. */
  depth: number
  limitMs: number
  /** Milliseconds. */
  now: number
  /** Ids of contacts that it makes are only shown. */
  isShown: boolean
  /** Seed of its random values; random if absent. */
  seed?: string
  /** Another script waits for it. */
  isNested?: boolean
  /** The webtasks that it imports; loaded when absent. */
  imported?: ImportedWebtasks
}

/** Result of a script. Its writes are not applied yet. */
export interface CompilableScriptResult {
  value: unknown
  writes: readonly CollectedScriptWrite[]
  logs: readonly SandboxLogLine[]
}

/** Log of a failed run. */
export class CompilableScriptFailure extends ExecutionFailure {
  readonly logs: readonly SandboxLogLine[]
  constructor(failed: ConstructorParameters<typeof ExecutionFailure>[0], logs: readonly SandboxLogLine[]) {
    super(failed)
    this.logs = logs
  }
}

/** Runs a script. Throws CompilableScriptFailure. */
export async function runCompilableScript(
  context: ScriptContext,
  scriptRun: CompilableScriptRun,
): Promise<CompilableScriptResult> {
  const { host, sandbox } = context
  const { account, value, depth, limitMs, now, isShown, seed = randomUUID(), isNested = false } = scriptRun
  const imported = scriptRun.imported ?? (await loadImportedWebtasks(host.db, account, value.scripting))
  const runContext = isShown ? { sandbox, host: { ...host, contactIds: previewContactIds } } : context
  const limits = { cpuMs: SCRIPT_CPU_MS, wallMs: limitMs }
  const emptySubjects = { contact: null, related: null, event: null, stamp: null, public: null }
  const runResult = await runObjectScript(
    runContext,
    { account, source: value.value ?? '', scripting: value.scripting, imported, limits },
    {
      input: { data: {}, variables: {}, arguments: scriptRun.arguments, ...emptySubjects },
      seed,
      now,
      depth,
      isNested,
    },
  )
  if (runResult.type === 'error') throw new CompilableScriptFailure(runResult.error, runResult.logs)
  return runResult
}

/** Does what a script has written, all of it or nothing. Throws ExecutionFailure `write`. */
export async function applyCompilableWrites(
  { host }: Pick<ScriptContext, 'host'>,
  account: AccountId,
  writes: readonly CollectedScriptWrite[],
): Promise<void> {
  if (writes.length === 0) return
  const now = host.clock.now()
  const id = createUuidV7(now)
  const caller: ScriptWriteCaller = {
    account,
    origin: { type: 'api' },
    depth: 0,
    contact: null,
    workflow: null,
    now,
    stamp: { time: now, id, thread: id, set: id },
  }
  const preparedWrites = await prepareScriptWrites(host, caller, writes)
  const appliedWrites = await inRetriedTransaction(host.db, async (tx) => {
    const transactionResult = await applyScriptWrites(tx, host, caller, preparedWrites)
    if (transactionResult.type === 'applied') await recordEvents(tx, transactionResult.events)
    return transactionResult
  })
  if (appliedWrites.type === 'applied') return
  throw new ExecutionFailure(toScriptWriteError(appliedWrites))
}
