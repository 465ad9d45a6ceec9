import { randomUUID } from 'node:crypto'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { AccountId } from '../../../lib/account.ts'
import { uuidV7 } from '../../../lib/ids.ts'
import type { ImportedWebtasks } from '../../../scripting/imports.ts'
import type { CollectedWrite, LogLine } from '../../../scripting/sandbox/types.ts'
import { recordEvents } from '../../events/record/effects.ts'
import { runObjectScript, type ScriptContext } from '../../script-host/object-scripts.ts'
import { shownContactIds } from '../../script-host/reads/contact-ids.ts'
import type { WriteCaller } from '../../script-host/writes/write-types.ts'
import { applyWrites, prepareWrites, writeError } from '../../script-host/writes/writes.ts'
import { loadImported } from '../../webtasks/stored.ts'
import type { ScriptValue } from '../definition/definition.ts'
import type { Arguments } from './arguments.ts'
import { ExecutionFailure } from './failures.ts'

/** CPU of a script, in milliseconds. */
const CPU_MS = 1000

/** A script that is to be run. */
export interface AskedScript {
  account: AccountId
  value: ScriptValue
  arguments: Arguments
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
export interface Ran {
  value: unknown
  writes: readonly CollectedWrite[]
  logs: readonly LogLine[]
}

/** Of a run that failed: what it has logged. */
export class ScriptEnded extends ExecutionFailure {
  readonly logs: readonly LogLine[]
  constructor(failed: ConstructorParameters<typeof ExecutionFailure>[0], logs: readonly LogLine[]) {
    super(failed)
    this.logs = logs
  }
}

/** Runs a script. Throws ScriptEnded. */
export async function runCompilableScript(context: ScriptContext, asked: AskedScript): Promise<Ran> {
  const { host, sandbox } = context
  const { account, value, depth, limitMs, now, isShown, seed = randomUUID(), isNested = false } = asked
  const imported = asked.imported ?? (await loadImported(host.db, account, value.scripting))
  const own = isShown ? { sandbox, host: { ...host, contactIds: shownContactIds } } : context
  const limits = { cpuMs: CPU_MS, wallMs: limitMs }
  const nobody = { contact: null, related: null, event: null, stamp: null, public: null }
  const ran = await runObjectScript(
    own,
    { account, source: value.value ?? '', scripting: value.scripting, imported, limits },
    { input: { data: {}, variables: {}, arguments: asked.arguments, ...nobody }, seed, now, depth, isNested },
  )
  if (ran.type === 'error') throw new ScriptEnded(ran.error, ran.logs)
  return ran
}

/** Does what a script has written, all of it or nothing. Throws ExecutionFailure `write`. */
export async function writeAll(
  { host }: Pick<ScriptContext, 'host'>,
  account: AccountId,
  writes: readonly CollectedWrite[],
): Promise<void> {
  if (writes.length === 0) return
  const now = host.clock.now()
  const id = uuidV7(now)
  const caller: WriteCaller = {
    ...{ account, origin: { type: 'api' }, depth: 0, contact: null, workflow: null, now },
    stamp: { time: now, id, thread: id, set: id },
  }
  const prepared = await prepareWrites(host, caller, writes)
  const applied = await inRetriedTransaction(host.db, async (tx) => {
    const done = await applyWrites(tx, host, caller, prepared)
    if (done.type === 'applied') await recordEvents(tx, done.events)
    return done
  })
  if (applied.type === 'applied') return
  throw new ExecutionFailure(writeError(applied))
}
