import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId, Right, SignedIn } from '../../../lib/account.ts'
import { conflict } from '../../../lib/errors/problem.ts'
import { refuseCapabilities } from '../../../scripting/capabilities.ts'
import { hasErrors } from '../../../scripting/flaws.ts'
import type { ImportedWebtasks } from '../../../scripting/imports.ts'
import type { CollectedWrite, LogLine } from '../../../scripting/sandbox/types.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import type { ScriptContext } from '../../script-host/object-scripts.ts'
import { refuseRun, writersOf } from '../../script-host/run-refusals.ts'
import { loadImported } from '../../webtasks/stored.ts'
import { flawsOf } from '../checks/check.ts'
import type { Execution, PreviewResult } from '../compilable-schemas.ts'
import { readCompilable } from '../compilables.ts'
import { type CompilableValue, capabilitiesOfValue, type Preview } from '../definition/definition.ts'
import type { CompilableKey } from '../stored.ts'
import { type Arguments, readArguments } from './arguments.ts'
import { type Budget, fitting, placedFailure, REQUEST } from './results.ts'
import { type Plan, runPipeline } from './run.ts'
import { runCompilableScript, ScriptEnded, writeAll } from './scripts.ts'
import { renderCompilable } from './templates.ts'

/** An execution of what a compilable does. */
export interface AskedValue {
  account: AccountId
  value: CompilableValue
  /** Read already. */
  arguments: Arguments
  budget: Budget
  /** Rows that are wanted at most. */
  limit?: number
  /** How many compilables execute each other until it, from 1. */
  depth: number
  /** Nothing is written: ids that scripts get are only shown. */
  isShown: boolean
  seed?: string
  /** A script waits for it. */
  isNested?: boolean
  /** The webtasks that its script imports; loaded when absent. */
  imported?: ImportedWebtasks
}

/** What an execution gave. Writes of a script are not done yet. */
export interface Executed {
  value: unknown
  plan: Plan
  writes: readonly CollectedWrite[]
  logs: readonly LogLine[]
}

async function render(db: Db, { account, value, arguments: given }: AskedValue, now: number): Promise<unknown> {
  if (value.type !== 'template') return undefined
  const [{ culture }, shape] = [await readSendingSettings(db, account), await loadShape(db, account)]
  return renderCompilable(value, { arguments: given, culture, shape, now })
}

/** Executes a value. Throws 400 for arguments, 503 when there is no place, and ExecutionFailure. */
export async function executeValue(context: ScriptContext, asked: AskedValue): Promise<Executed> {
  const { db, clock } = context.host
  const { account, value, arguments: given, budget, limit, depth, isShown, seed, isNested = false, imported } = asked
  const [begun, now] = [performance.now(), clock.now()]
  if (value.type === 'pipeline') {
    const options = { budget, isNested, ...(limit !== undefined && { limit }) }
    const run = { account, pipeline: value, arguments: given, now }
    const { rows, plan } = await runPipeline({ db, sandbox: context.sandbox }, run, options)
    return { value: rows, plan, writes: [], logs: [] }
  }
  const ran =
    value.type === 'template'
      ? { value: await render(db, asked, now), writes: [], logs: [] }
      : await runCompilableScript(context, {
          ...{ account, value, arguments: given, depth, limitMs: budget.limitMs, now, isShown, isNested },
          ...(seed !== undefined && { seed }),
          ...(imported && { imported }),
        })
  const durationMs = Math.round(performance.now() - begun)
  return { ...ran, value: fitting(ran.value, budget), plan: { sql: 0, memory: 0, rowsRead: 0, durationMs } }
}

/** An execution that a client asks for. */
export interface ExecutionRequest {
  arguments: Arguments
  by: { rights: readonly Right[] | null; person: Pick<SignedIn, 'id'> | null }
}

/** Executes a compilable. Throws notFound, 400, 403 as refuseRun, 503, and conflict `compilable-flawed` with its flaws. */
export async function executeCompilable(
  context: ScriptContext,
  key: CompilableKey,
  { arguments: given, by }: ExecutionRequest,
): Promise<Execution> {
  const { host, sandbox } = context
  const { account, id } = key
  const { value, state, writtenBy } = await readCompilable({ ...host, sandbox }, key)
  if (state === 'draft') {
    const flaws = await flawsOf({ db: host.db, sandbox }, account, value, id)
    throw conflict('compilable-flawed', 'The compilable has flaws that prevent its execution.', { flaws })
  }
  const imported = value.type === 'script' ? await loadImported(host.db, account, value.scripting) : new Map()
  const makers = [...writersOf({ writtenBy }, imported), by.person?.id ?? null]
  await refuseRun(host.db, { account, capabilities: capabilitiesOfValue(value), makers }, by.rights ?? [])
  const used = readArguments(value, given)
  try {
    const ran = await executeValue(context, {
      ...{ account, value, arguments: used, budget: REQUEST, depth: 1, isShown: false, imported },
    })
    await writeAll(context, account, ran.writes)
    return { type: 'success', arguments: used, value: ran.value }
  } catch (error) {
    return { type: 'error', arguments: used, value: { ...placedFailure(error) } }
  }
}

/** A preview that a client asks for. */
export interface PreviewRequest extends Preview {
  value: CompilableValue
  /** Of the stored one that is tried. */
  id: string
  account: AccountId
  rights: readonly Right[]
  /** Where faults of arguments point to. */
  pointer: string
}

const NO_PLAN: Plan = { sql: 0, memory: 0, rowsRead: 0, durationMs: 0 }

/** Tries what a compilable does: nothing is stored or written. Throws 400, 403 and 503. */
export async function previewCompilable(context: ScriptContext, asked: PreviewRequest): Promise<PreviewResult> {
  const { account, value, id, rights, limit, pointer } = asked
  const flaws = await flawsOf({ db: context.host.db, sandbox: context.sandbox }, account, value, id)
  if (hasErrors(flaws)) return { type: 'error', flaws }
  refuseCapabilities(capabilitiesOfValue(value), [], rights)
  const used = readArguments(value, asked.arguments, pointer)
  const isScript = value.type === 'script'
  try {
    const ran = await executeValue(context, {
      ...{ account, value, arguments: used, budget: REQUEST, limit, depth: 1, isShown: true },
    })
    const writes = ran.writes.map(({ name, args }) => ({ call: name, arguments: args }))
    const logs = isScript ? { logs: [...ran.logs] } : {}
    return { type: 'success', arguments: used, value: ran.value, writes, plan: ran.plan, ...logs }
  } catch (error) {
    const logs = error instanceof ScriptEnded ? { logs: [...error.logs] } : {}
    return { type: 'error', arguments: used, value: { ...placedFailure(error) }, plan: NO_PLAN, ...logs }
  }
}
