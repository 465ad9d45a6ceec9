import { inRetriedTransaction, retryOnConflict } from '../../../database/locks/deadlocks.ts'
import type { AccessRight, CreatorId, RequestUser } from '../../../lib/account.ts'
import { mapConcurrently } from '../../../lib/concurrency/map-at-once.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/split-by-key.ts'
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

/** Context that executions need in a process. */
export interface WebtaskExecutionContext extends ScriptContext {
  records: WebtaskRunRecorder
}

/** Time within which a batch may start items, in milliseconds. */
const BATCH_BUDGET_MS = 60_000
/** Total size of the values of a batch: they are returned together. */
const MAX_VALUES_BYTES = 64 * 1024 * 1024

/** State shared by the runs of a request. */
interface RunBatch {
  /** Bytes of the JSON of values so far. */
  bytes: number
}

/** A run that is asked for of a webtask. */
interface RequestedRun {
  context: WebtaskExecutionContext
  ready: PreparedWebtask
  run: WebtaskRunRequest
  origin: WebtaskRunOrigin
  sent: PublicWebtaskRequest | null
  batch: RunBatch
  /** Told of each line of its log while it runs. */
  onLog?: ObjectScriptRun['onLog']
}

const createRefusal = ({ id }: WebtaskRunRequest, value: WebtaskRunError): WebtaskResult => ({
  type: 'error',
  id,
  value,
  durationMs: 0,
  logs: [],
})

/** A value that would make the response too large is discarded, and the writes of its script are not applied. */
function limitResultSize({ batch }: RequestedRun, ran: SandboxRunResult): SandboxRunResult {
  if (ran.type === 'error') return ran
  batch.bytes += Buffer.byteLength(JSON.stringify(ran.value))
  if (batch.bytes <= MAX_VALUES_BYTES) return ran
  const message = `The results of all items together are larger than ${MAX_VALUES_BYTES} bytes.`
  return { type: 'error', error: createResultError(message), logs: ran.logs, cpuMs: ran.cpuMs }
}

/** Result of a run of a script, without its writes. */
function toWebtaskResult(
  { ready, run: { id } }: RequestedRun,
  ran: SandboxRunResult,
  startedMs: number,
): WebtaskResult {
  const durationMs = Math.round(performance.now() - startedMs)
  const logs = ready.webtask.settings.logs ? ran.logs : []
  if (ran.type === 'error') return { type: 'error', id, value: ran.error, durationMs, logs }
  return { type: 'success', id, value: ran.value, durationMs, logs }
}

function toRunRecord(
  { ready: { webtask }, run, origin }: RequestedRun,
  result: WebtaskResult,
  at: number,
): WebtaskRunRecord {
  const { id, durationMs, logs, type: outcome } = result
  const contacts = [run.receiver, run.related].flatMap((contactId) => contactId ?? [])
  const error = result.type === 'error' ? result.value : null
  return { webtask, id, at, origin, contacts, outcome, durationMs, error, logs }
}

/**
 * Applies what a script has written and keeps what it came to, in one transaction; gives the result, which is an error when a write
 * could not be applied. Throws WebtaskStampClaimLost.
 */
async function commitRun(
  requestedRun: RequestedRun,
  result: WebtaskResult,
  writes: readonly CollectedScriptWrite[],
  { at, claim }: { at: number; claim: WebtaskStampClaim | undefined },
): Promise<WebtaskResult> {
  const { host } = requestedRun.context
  const caller = createWebtaskCaller(requestedRun.ready.webtask, requestedRun.run, host.clock.now())
  const preparedWrites = await prepareScriptWrites(host, caller, writes)
  return inRetriedTransaction(host.db, async (tx) => {
    const appliedWrites = await applyScriptWrites(tx, host, caller, preparedWrites)
    const { id, durationMs, logs } = result
    const finalResult: WebtaskResult =
      appliedWrites.type === 'applied'
        ? result
        : { type: 'error', id, value: toScriptWriteError(appliedWrites), durationMs, logs }
    if (appliedWrites.type === 'applied') await recordEvents(tx, appliedWrites.events)
    await recordWebtaskRuns(tx, [toRunRecord(requestedRun, finalResult, at)])
    if (claim) await finalizeWebtaskStamp(tx, claim, finalResult)
    return finalResult
  })
}

/** Runs a webtask, applies what it writes and keeps what it came to. */
async function performRun(requestedRun: RequestedRun, claim: WebtaskStampClaim | undefined): Promise<WebtaskResult> {
  const { context, ready, run, sent: publicRequest } = requestedRun
  const onLog = ready.webtask.settings.logs ? requestedRun.onLog : undefined
  const [at, startedMs] = [context.host.clock.now(), performance.now()]
  const runResult = limitResultSize(requestedRun, await runWebtask(context, ready, run, { sent: publicRequest, onLog }))
  const result = toWebtaskResult(requestedRun, runResult, startedMs)
  if (result.type === 'error' && !hasRunStarted(result.value)) {
    if (claim) await releaseWebtaskStamp(context.host.db, claim)
    return result
  }
  const writes = runResult.type === 'success' ? runResult.writes : []
  if (writes.length > 0 || claim) return retryOnConflict(() => commitRun(requestedRun, result, writes, { at, claim }))
  await context.records.add(toRunRecord(requestedRun, result, at))
  return result
}

/** Runs what is asked for, unless its stamp has run before: then the first result is given again. */
async function runUnlessRepeated(requestedRun: RequestedRun): Promise<WebtaskResult> {
  const { context, ready, run } = requestedRun
  if (!run.hasStamp) return performRun(requestedRun, undefined)
  const { db, clock } = context.host
  const contacts = [run.receiver, run.related].flatMap((contactId) => contactId ?? [])
  const { account } = ready.webtask
  const stampClaim = await claimWebtaskStamp(db, { account, stamp: run.id, contacts }, clock)
  if (!('claim' in stampClaim)) return stampClaim
  try {
    return await performRun(requestedRun, stampClaim)
  } catch (error) {
    if (error instanceof WebtaskStampClaimLost) return runUnlessRepeated(requestedRun)
    // The cause is worth more than a stamp that stays taken for two minutes.
    await releaseWebtaskStamp(db, stampClaim).catch(() => undefined)
    throw error
  }
}

/** Runs items, some at a time; those about one contact one after the other. */
async function runItems(
  context: WebtaskExecutionContext,
  ready: PreparedWebtask,
  runs: readonly WebtaskRunRequest[],
  onLog: ObjectScriptRun['onLog'],
): Promise<WebtaskResult[]> {
  const { clock } = context.host
  const deadline = clock.now() + BATCH_BUDGET_MS
  const batch = { bytes: 0 }
  const results = new Map<WebtaskRunRequest, WebtaskResult>()
  for (const runGroup of splitByRepeatedKey(runs, (run) => run.receiver ?? run)) {
    await mapConcurrently(runGroup, context.sandbox.atOnce, async (run) => {
      const isOver = clock.now() >= deadline
      const requestedRun: RequestedRun = { context, ready, run, origin: { type: 'api' }, sent: null, batch, onLog }
      results.set(run, isOver ? createRefusal(run, createTimeoutError('budget')) : await executeRun(requestedRun))
    })
  }
  return runs.map((run) => results.get(run)!)
}

/** Response to a requested run; nothing runs for a contact that does not exist. */
async function executeRun(requestedRun: RequestedRun): Promise<WebtaskResult> {
  const { context, ready, run } = requestedRun
  const { unknown: receiver } = run
  if (receiver === null) return runUnlessRepeated(requestedRun)
  const { db, clock } = context.host
  const stamp = { account: ready.webtask.account, stamp: run.id }
  const firstResult = run.hasStamp ? await findStampResult(db, stamp, clock.now()) : undefined
  return firstResult ?? createRefusal(run, { type: 'recipient not found', receiver })
}

/** Throws 503 for a run that found no place. */
function requireStarted(result: WebtaskResult): WebtaskResult {
  if (result.type === 'error' && result.value.type === 'busy') throw overloadedProblem(createBusyError().message)
  return result
}

/** Throws 403 as requireScriptRunRights. `makers`: of the start and of tokens. */
function requireWebtaskRights(
  { host: { db } }: WebtaskExecutionContext,
  { webtask, script }: PreparedWebtask,
  { rights, makers }: { rights: readonly AccessRight[]; makers: readonly CreatorId[] },
): Promise<void> {
  const { account, scripting } = webtask
  const authorsAndMakers = [...listScriptAuthors(webtask, script.imported), ...makers]
  return requireScriptRunRights(
    db,
    { account, capabilities: listCapabilities(scripting), makers: authorsAndMakers },
    rights,
  )
}

/** Input of a route. */
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
  const { items: resolvedItems, makers } = await applyTokensToItems(host, webtask, items, isList)
  await requireWebtaskRights(context, ready, { rights: by.rights ?? [], makers: [by.person?.id ?? null, ...makers] })
  const runs = await resolveWebtaskItems(host.db, key.account, resolvedItems, host.clock.now())
  const results = await runItems(context, ready, runs, onLog)
  return isList ? results : results.map(requireStarted)
}

/** Runs a webtask for the public route. Throws 403 as requireScriptRunRights, 503 when too many wait. */
export async function executePublicWebtask(
  context: WebtaskExecutionContext,
  webtask: StoredWebtask,
  { token, sent: publicRequest }: { token: ValidWebtaskToken; sent: PublicWebtaskRequest },
): Promise<WebtaskResult> {
  const ready = await prepareWebtask(context, webtask)
  await requireWebtaskRights(context, ready, { rights: token.rights, makers: [findTokenMaker(token)] })
  const { db, clock } = context.host
  const [run] = await resolveWebtaskItems(db, webtask.account, [overlayTokenContent({}, token)], clock.now())
  return requireStarted(
    await executeRun({
      context,
      ready,
      run: run!,
      origin: { type: 'public' },
      sent: publicRequest,
      batch: { bytes: 0 },
    }),
  )
}
