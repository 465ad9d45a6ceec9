import { inRetriedTransaction, retryOnConflict } from '../../../database/locks/deadlocks.ts'
import type { AccessRight, CreatorId, RequestUser } from '../../../lib/account.ts'
import { mapConcurrently } from '../../../lib/concurrency/map-at-once.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/turns.ts'
import { overloadedProblem } from '../../../lib/errors/problem.ts'
import { createBusyError, createResultError, createTimeoutError } from '../../../scripting/sandbox/faults.ts'
import type { CollectedScriptWrite, SandboxRunResult } from '../../../scripting/sandbox/types.ts'
import { listCapabilities } from '../../../scripting/scripting-object.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { ObjectScriptRun, ScriptContext } from '../../script-host/object-scripts.ts'
import { listScriptAuthors, requireScriptRunRights } from '../../script-host/run-refusals.ts'
import { applyScriptWrites, prepareScriptWrites, toScriptWriteError } from '../../script-host/writes/writes.ts'
import {
  claimWebtaskStamp,
  finalizeWebtaskStamp,
  findStampResult,
  releaseWebtaskStamp,
  type WebtaskStampClaim,
  WebtaskStampClaimLost,
} from '../public/stamps.ts'
import { applyTokensToItems, findTokenMaker, overlayTokenContent, type ValidWebtaskToken } from '../public/tokens.ts'
import { loadWebtask, type StoredWebtask, type WebtaskKey } from '../stored.ts'
import type { WebtaskItem, WebtaskResult, WebtaskRunError } from './execution-schemas.ts'
import { type PublicWebtaskRequest, resolveWebtaskItems, type WebtaskRunRequest } from './items.ts'
import {
  hasRunStarted,
  recordWebtaskRuns,
  type WebtaskRunOrigin,
  type WebtaskRunRecord,
  type WebtaskRunRecorder,
} from './records.ts'
import { createWebtaskCaller, type PreparedWebtask, prepareWebtask, runWebtask } from './run-webtask.ts'

/** What executions need in a process. */
export interface WebtaskExecutionContext extends ScriptContext {
  records: WebtaskRunRecorder
}

/** How long a batch may begin items, in milliseconds. */
const BUDGET_MS = 60_000
/** Of the values of a batch: they are answered together. */
const MAX_VALUES_BYTES = 64 * 1024 * 1024

/** What the runs of a request have in common. */
interface Batch {
  /** Bytes of the JSON of values so far. */
  bytes: number
}

/** A run that is asked for of a webtask. */
interface Asked {
  context: WebtaskExecutionContext
  ready: PreparedWebtask
  run: WebtaskRunRequest
  origin: WebtaskRunOrigin
  sent: PublicWebtaskRequest | null
  batch: Batch
  /** Told of each line of its log while it runs. */
  onLog?: ObjectScriptRun['onLog']
}

const refused = ({ id }: WebtaskRunRequest, value: WebtaskRunError): WebtaskResult => ({
  ...{ type: 'error', id, value, durationMs: 0, logs: [] },
})

/** A value that would make the answer too large is none, and what its script wrote is not done. */
function fitting({ batch }: Asked, ran: SandboxRunResult): SandboxRunResult {
  if (ran.type === 'error') return ran
  batch.bytes += Buffer.byteLength(JSON.stringify(ran.value))
  if (batch.bytes <= MAX_VALUES_BYTES) return ran
  const message = `The results of all items together are larger than ${MAX_VALUES_BYTES} bytes.`
  return { type: 'error', error: createResultError(message), logs: ran.logs, cpuMs: ran.cpuMs }
}

/** What a run of a script came to, without what it writes. */
function resultOf({ ready, run: { id } }: Asked, ran: SandboxRunResult, begun: number): WebtaskResult {
  const durationMs = Math.round(performance.now() - begun)
  const logs = ready.webtask.settings.logs ? ran.logs : []
  if (ran.type === 'error') return { type: 'error', id, value: ran.error, durationMs, logs }
  return { type: 'success', id, value: ran.value, durationMs, logs }
}

function recordOf({ ready: { webtask }, run, origin }: Asked, result: WebtaskResult, at: number): WebtaskRunRecord {
  const { id, durationMs, logs, type: outcome } = result
  const contacts = [run.receiver, run.related].flatMap((one) => one ?? [])
  const error = result.type === 'error' ? result.value : null
  return { webtask, id, at, origin, contacts, outcome, durationMs, error, logs }
}

/**
 * Applies what a script has written and keeps what it came to, in one transaction; gives the result, which is an error when a write
 * could not be applied. Throws WebtaskStampClaimLost.
 */
async function commit(
  asked: Asked,
  result: WebtaskResult,
  writes: readonly CollectedScriptWrite[],
  { at, claim }: { at: number; claim: WebtaskStampClaim | undefined },
): Promise<WebtaskResult> {
  const { host } = asked.context
  const caller = createWebtaskCaller(asked.ready.webtask, asked.run, host.clock.now())
  const prepared = await prepareScriptWrites(host, caller, writes)
  return inRetriedTransaction(host.db, async (tx) => {
    const applied = await applyScriptWrites(tx, host, caller, prepared)
    const { id, durationMs, logs } = result
    const written: WebtaskResult =
      applied.type === 'applied' ? result : { type: 'error', id, value: toScriptWriteError(applied), durationMs, logs }
    if (applied.type === 'applied') await recordEvents(tx, applied.events)
    await recordWebtaskRuns(tx, [recordOf(asked, written, at)])
    if (claim) await finalizeWebtaskStamp(tx, claim, written)
    return written
  })
}

/** Runs a webtask, applies what it writes and keeps what it came to. */
async function perform(asked: Asked, claim: WebtaskStampClaim | undefined): Promise<WebtaskResult> {
  const { context, ready, run, sent } = asked
  const onLog = ready.webtask.settings.logs ? asked.onLog : undefined
  const [at, begun] = [context.host.clock.now(), performance.now()]
  const ran = fitting(asked, await runWebtask(context, ready, run, { sent, onLog }))
  const result = resultOf(asked, ran, begun)
  if (result.type === 'error' && !hasRunStarted(result.value)) {
    if (claim) await releaseWebtaskStamp(context.host.db, claim)
    return result
  }
  const writes = ran.type === 'success' ? ran.writes : []
  if (writes.length > 0 || claim) return retryOnConflict(() => commit(asked, result, writes, { at, claim }))
  await context.records.add(recordOf(asked, result, at))
  return result
}

/** Runs what is asked for, unless its stamp has run before: then the first result is given again. */
async function runOnce(asked: Asked): Promise<WebtaskResult> {
  const { context, ready, run } = asked
  if (!run.hasStamp) return perform(asked, undefined)
  const { db, clock } = context.host
  const contacts = [run.receiver, run.related].flatMap((one) => one ?? [])
  const { account } = ready.webtask
  const taken = await claimWebtaskStamp(db, { account, stamp: run.id, contacts }, clock)
  if (!('claim' in taken)) return taken
  try {
    return await perform(asked, taken)
  } catch (error) {
    if (error instanceof WebtaskStampClaimLost) return runOnce(asked)
    // The cause is worth more than a stamp that stays taken for two minutes.
    await releaseWebtaskStamp(db, taken).catch(() => undefined)
    throw error
  }
}

/** Runs items, some at a time; those about one contact one after the other. */
async function runAll(
  context: WebtaskExecutionContext,
  ready: PreparedWebtask,
  runs: readonly WebtaskRunRequest[],
  onLog: ObjectScriptRun['onLog'],
): Promise<WebtaskResult[]> {
  const { clock } = context.host
  const until = clock.now() + BUDGET_MS
  const batch = { bytes: 0 }
  const results = new Map<WebtaskRunRequest, WebtaskResult>()
  for (const turn of splitByRepeatedKey(runs, (run) => run.receiver ?? run)) {
    await mapConcurrently(turn, context.sandbox.atOnce, async (run) => {
      const isOver = clock.now() >= until
      const asked: Asked = { context, ready, run, origin: { type: 'api' }, sent: null, batch, onLog }
      results.set(run, isOver ? refused(run, createTimeoutError('budget')) : await answered(asked))
    })
  }
  return runs.map((run) => results.get(run)!)
}

/** What is answered to what is asked for; nothing runs for somebody that there is not. */
async function answered(asked: Asked): Promise<WebtaskResult> {
  const { context, ready, run } = asked
  const { unknown: receiver } = run
  if (receiver === null) return runOnce(asked)
  const { db, clock } = context.host
  const stamp = { account: ready.webtask.account, stamp: run.id }
  const first = run.hasStamp ? await findStampResult(db, stamp, clock.now()) : undefined
  return first ?? refused(run, { type: 'recipient not found', receiver })
}

/** Throws 503 for a run that found no place. */
function refuseBusy(result: WebtaskResult): WebtaskResult {
  if (result.type === 'error' && result.value.type === 'busy') throw overloadedProblem(createBusyError().message)
  return result
}

/** Throws 403 as requireScriptRunRights. `makers`: of the start and of tokens. */
function refuseWebtask(
  { host: { db } }: WebtaskExecutionContext,
  { webtask, script }: PreparedWebtask,
  { rights, makers }: { rights: readonly AccessRight[]; makers: readonly CreatorId[] },
): Promise<void> {
  const { account, scripting } = webtask
  const all = [...listScriptAuthors(webtask, script.imported), ...makers]
  return requireScriptRunRights(db, { account, capabilities: listCapabilities(scripting), makers: all }, rights)
}

/** What a route was given. */
export interface WebtaskExecutionRequest {
  items: readonly WebtaskItem[]
  /** Pointers of faults begin with the place of the item. */
  isList: boolean
  by: { rights: readonly AccessRight[] | null; person: Pick<RequestUser, 'id'> | null }
  /** Told of each line of the logs while the items run. */
  onLog?: ObjectScriptRun['onLog']
}

/**
 * Runs a webtask for each item; gives what each came to, in their order. Throws notFound, 403 as requireScriptRunRights and 400 for tokens:
 * then nothing runs; of a single item 503 when too many wait.
 */
export async function executeWebtask(
  context: WebtaskExecutionContext,
  key: WebtaskKey,
  { items, isList, by, onLog }: WebtaskExecutionRequest,
): Promise<WebtaskResult[]> {
  const { host } = context
  const webtask = await loadWebtask(host.db, key)
  const ready = await prepareWebtask(context, webtask)
  const { items: given, makers } = await applyTokensToItems(host, webtask, items, isList)
  await refuseWebtask(context, ready, { rights: by.rights ?? [], makers: [by.person?.id ?? null, ...makers] })
  const runs = await resolveWebtaskItems(host.db, key.account, given, host.clock.now())
  const results = await runAll(context, ready, runs, onLog)
  return isList ? results : results.map(refuseBusy)
}

/** Runs a webtask for the public route. Throws 403 as requireScriptRunRights, 503 when too many wait. */
export async function executePublicWebtask(
  context: WebtaskExecutionContext,
  webtask: StoredWebtask,
  { token, sent }: { token: ValidWebtaskToken; sent: PublicWebtaskRequest },
): Promise<WebtaskResult> {
  const ready = await prepareWebtask(context, webtask)
  await refuseWebtask(context, ready, { rights: token.rights, makers: [findTokenMaker(token)] })
  const { db, clock } = context.host
  const [run] = await resolveWebtaskItems(db, webtask.account, [overlayTokenContent({}, token)], clock.now())
  return refuseBusy(
    await answered({ context, ready, run: run!, origin: { type: 'public' }, sent, batch: { bytes: 0 } }),
  )
}
