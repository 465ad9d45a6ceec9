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
const CPU_MS = 1000

/** A script that is to be run. */
export interface CompilableScriptRun {
  account: AccountId
  value: ScriptDefinition
  arguments: ArgumentValues
  /** How many compilables execute each other until it, from 1. */
  depth: number
  limitMs: number
  /** Milliseconds. */
  now: number
  /** Ids of contacts that it makes are only shown. */
  isShown: boolean
  /** What is random in it follows from this; by chance when it is absent. */
  seed?: string
  /** Another script waits for it. */
  isNested?: boolean
  /** The webtasks that it imports; loaded when absent. */
  imported?: ImportedWebtasks
}

/** What a script gave. Its writes are not done yet. */
export interface CompilableScriptResult {
  value: unknown
  writes: readonly CollectedScriptWrite[]
  logs: readonly SandboxLogLine[]
}

/** Of a run that failed: what it has logged. */
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
  asked: CompilableScriptRun,
): Promise<CompilableScriptResult> {
  const { host, sandbox } = context
  const { account, value, depth, limitMs, now, isShown, seed = randomUUID(), isNested = false } = asked
  const imported = asked.imported ?? (await loadImportedWebtasks(host.db, account, value.scripting))
  const own = isShown ? { sandbox, host: { ...host, contactIds: previewContactIds } } : context
  const limits = { cpuMs: CPU_MS, wallMs: limitMs }
  const nobody = { contact: null, related: null, event: null, stamp: null, public: null }
  const ran = await runObjectScript(
    own,
    { account, source: value.value ?? '', scripting: value.scripting, imported, limits },
    { input: { data: {}, variables: {}, arguments: asked.arguments, ...nobody }, seed, now, depth, isNested },
  )
  if (ran.type === 'error') throw new CompilableScriptFailure(ran.error, ran.logs)
  return ran
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
    ...{ account, origin: { type: 'api' }, depth: 0, contact: null, workflow: null, now },
    stamp: { time: now, id, thread: id, set: id },
  }
  const prepared = await prepareScriptWrites(host, caller, writes)
  const applied = await inRetriedTransaction(host.db, async (tx) => {
    const done = await applyScriptWrites(tx, host, caller, prepared)
    if (done.type === 'applied') await recordEvents(tx, done.events)
    return done
  })
  if (applied.type === 'applied') return
  throw new ExecutionFailure(toScriptWriteError(applied))
}
