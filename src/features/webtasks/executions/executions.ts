import { inRetriedTransaction, whileRetryable } from '../../../database/locks/deadlocks.ts'
import type { Maker, Right, SignedIn } from '../../../lib/account.ts'
import { mapAtOnce } from '../../../lib/concurrency/map-at-once.ts'
import { turnsOf } from '../../../lib/concurrency/turns.ts'
import { overloaded } from '../../../lib/errors/problem.ts'
import { busyError, resultError, timeoutError } from '../../../scripting/sandbox/faults.ts'
import type { CollectedWrite, RunResult } from '../../../scripting/sandbox/types.ts'
import { capabilitiesOf } from '../../../scripting/scripting-object.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { ScriptContext, ScriptRun } from '../../script-host/object-scripts.ts'
import { refuseRun, writersOf } from '../../script-host/run-refusals.ts'
import { applyWrites, prepareWrites, writeError } from '../../script-host/writes/writes.ts'
import { type Claim, ClaimLost, firstResult, releaseStamp, settleStamp, takeStamp } from '../public/stamps.ts'
import { type GoodToken, makerOf, overlaid, withTokens } from '../public/tokens.ts'
import { loadWebtask, type StoredWebtask, type WebtaskKey } from '../stored.ts'
import type { RunError, WebtaskItem, WebtaskResult } from './execution-schemas.ts'
import { type AskedRun, type PublicRequest, readItems } from './items.ts'
import { type RunOrigin, type RunRecord, type RunRecords, recordRuns, tookPlace } from './records.ts'
import { type ReadyWebtask, readyWebtask, runWebtask, writesOf } from './run-webtask.ts'

/** What executions need in a process. */
export interface ExecutionContext extends ScriptContext {
  records: RunRecords
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
  context: ExecutionContext
  ready: ReadyWebtask
  run: AskedRun
  origin: RunOrigin
  sent: PublicRequest | null
  batch: Batch
  /** Told of each line of its log while it runs. */
  onLog?: ScriptRun['onLog']
}

const refused = ({ id }: AskedRun, value: RunError): WebtaskResult => ({
  ...{ type: 'error', id, value, durationMs: 0, logs: [] },
})

/** A value that would make the answer too large is none, and what its script wrote is not done. */
function fitting({ batch }: Asked, ran: RunResult): RunResult {
  if (ran.type === 'error') return ran
  batch.bytes += Buffer.byteLength(JSON.stringify(ran.value))
  if (batch.bytes <= MAX_VALUES_BYTES) return ran
  const message = `The results of all items together are larger than ${MAX_VALUES_BYTES} bytes.`
  return { type: 'error', error: resultError(message), logs: ran.logs, cpuMs: ran.cpuMs }
}

/** What a run of a script came to, without what it writes. */
function resultOf({ ready, run: { id } }: Asked, ran: RunResult, begun: number): WebtaskResult {
  const durationMs = Math.round(performance.now() - begun)
  const logs = ready.webtask.settings.logs ? ran.logs : []
  if (ran.type === 'error') return { type: 'error', id, value: ran.error, durationMs, logs }
  return { type: 'success', id, value: ran.value, durationMs, logs }
}

function recordOf({ ready: { webtask }, run, origin }: Asked, result: WebtaskResult, at: number): RunRecord {
  const { id, durationMs, logs, type: outcome } = result
  const contacts = [run.receiver, run.related].flatMap((one) => one ?? [])
  const error = result.type === 'error' ? result.value : null
  return { webtask, id, at, origin, contacts, outcome, durationMs, error, logs }
}

/**
 * Applies what a script has written and keeps what it came to, in one transaction; gives the result, which is an error when a write
 * could not be applied. Throws ClaimLost.
 */
async function commit(
  asked: Asked,
  result: WebtaskResult,
  writes: readonly CollectedWrite[],
  { at, claim }: { at: number; claim: Claim | undefined },
): Promise<WebtaskResult> {
  const { host } = asked.context
  const caller = writesOf(asked.ready.webtask, asked.run, host.clock.now())
  const prepared = await prepareWrites(host, caller, writes)
  return inRetriedTransaction(host.db, async (tx) => {
    const applied = await applyWrites(tx, host, caller, prepared)
    const { id, durationMs, logs } = result
    const written: WebtaskResult =
      applied.type === 'applied' ? result : { type: 'error', id, value: writeError(applied), durationMs, logs }
    if (applied.type === 'applied') await recordEvents(tx, applied.events)
    await recordRuns(tx, [recordOf(asked, written, at)])
    if (claim) await settleStamp(tx, claim, written)
    return written
  })
}

/** Runs a webtask, applies what it writes and keeps what it came to. */
async function perform(asked: Asked, claim: Claim | undefined): Promise<WebtaskResult> {
  const { context, ready, run, sent } = asked
  const onLog = ready.webtask.settings.logs ? asked.onLog : undefined
  const [at, begun] = [context.host.clock.now(), performance.now()]
  const ran = fitting(asked, await runWebtask(context, ready, run, { sent, onLog }))
  const result = resultOf(asked, ran, begun)
  if (result.type === 'error' && !tookPlace(result.value)) {
    if (claim) await releaseStamp(context.host.db, claim)
    return result
  }
  const writes = ran.type === 'success' ? ran.writes : []
  if (writes.length > 0 || claim) return whileRetryable(() => commit(asked, result, writes, { at, claim }))
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
  const taken = await takeStamp(db, { account, stamp: run.id, contacts }, clock)
  if (!('claim' in taken)) return taken
  try {
    return await perform(asked, taken)
  } catch (error) {
    if (error instanceof ClaimLost) return runOnce(asked)
    // The cause is worth more than a stamp that stays taken for two minutes.
    await releaseStamp(db, taken).catch(() => undefined)
    throw error
  }
}

/** Runs items, some at a time; those about one contact one after the other. */
async function runAll(
  context: ExecutionContext,
  ready: ReadyWebtask,
  runs: readonly AskedRun[],
  onLog: ScriptRun['onLog'],
): Promise<WebtaskResult[]> {
  const { clock } = context.host
  const until = clock.now() + BUDGET_MS
  const batch = { bytes: 0 }
  const results = new Map<AskedRun, WebtaskResult>()
  for (const turn of turnsOf(runs, (run) => run.receiver ?? run)) {
    await mapAtOnce(turn, context.sandbox.atOnce, async (run) => {
      const isOver = clock.now() >= until
      const asked: Asked = { context, ready, run, origin: { type: 'api' }, sent: null, batch, onLog }
      results.set(run, isOver ? refused(run, timeoutError('budget')) : await answered(asked))
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
  const first = run.hasStamp ? await firstResult(db, stamp, clock.now()) : undefined
  return first ?? refused(run, { type: 'recipient not found', receiver })
}

/** Throws 503 for a run that found no place. */
function refuseBusy(result: WebtaskResult): WebtaskResult {
  if (result.type === 'error' && result.value.type === 'busy') throw overloaded(busyError().message)
  return result
}

/** Throws 403 as refuseRun. `makers`: of the start and of tokens. */
function refuseWebtask(
  { host: { db } }: ExecutionContext,
  { webtask, script }: ReadyWebtask,
  { rights, makers }: { rights: readonly Right[]; makers: readonly Maker[] },
): Promise<void> {
  const { account, scripting } = webtask
  const all = [...writersOf(webtask, script.imported), ...makers]
  return refuseRun(db, { account, capabilities: capabilitiesOf(scripting), makers: all }, rights)
}

/** What a route was given. */
export interface ExecutionRequest {
  items: readonly WebtaskItem[]
  /** Pointers of faults begin with the place of the item. */
  isList: boolean
  by: { rights: readonly Right[] | null; person: Pick<SignedIn, 'id'> | null }
  /** Told of each line of the logs while the items run. */
  onLog?: ScriptRun['onLog']
}

/**
 * Runs a webtask for each item; gives what each came to, in their order. Throws notFound, 403 as refuseRun and 400 for tokens:
 * then nothing runs; of a single item 503 when too many wait.
 */
export async function executeWebtask(
  context: ExecutionContext,
  key: WebtaskKey,
  { items, isList, by, onLog }: ExecutionRequest,
): Promise<WebtaskResult[]> {
  const { host } = context
  const webtask = await loadWebtask(host.db, key)
  const ready = await readyWebtask(context, webtask)
  const { items: given, makers } = await withTokens(host, webtask, items, isList)
  await refuseWebtask(context, ready, { rights: by.rights ?? [], makers: [by.person?.id ?? null, ...makers] })
  const runs = await readItems(host.db, key.account, given, host.clock.now())
  const results = await runAll(context, ready, runs, onLog)
  return isList ? results : results.map(refuseBusy)
}

/** Runs a webtask for the public route. Throws 403 as refuseRun, 503 when too many wait. */
export async function executePublic(
  context: ExecutionContext,
  webtask: StoredWebtask,
  { token, sent }: { token: GoodToken; sent: PublicRequest },
): Promise<WebtaskResult> {
  const ready = await readyWebtask(context, webtask)
  await refuseWebtask(context, ready, { rights: token.rights, makers: [makerOf(token)] })
  const { db, clock } = context.host
  const [run] = await readItems(db, webtask.account, [overlaid({}, token)], clock.now())
  return refuseBusy(
    await answered({ context, ready, run: run!, origin: { type: 'public' }, sent, batch: { bytes: 0 } }),
  )
}
