import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { type CriteriaSelection, loadCriteriaSelection } from '../members/segment-audience.ts'
import type { SegmentDocument } from '../segment-schemas.ts'
import { readSegment } from '../segments.ts'
import { estimateQueryPlan, estimateSelectedContacts, selectContactIds } from './estimate.ts'

/** A count older than this is computed again when the segment is read. */
const COUNT_FRESH_MS = 60_000
/** Maximum time in milliseconds that a reader waits for a count. */
const READER_TIMEOUT_MS = 1700
/** Maximum time in milliseconds that a count may take in a job. */
const JOB_TIMEOUT_MS = 600_000
/** Maximum planner cost of a count that a reader waits for: a more expensive one takes longer than the time available. */
const MAX_READER_COST = 150_000
/** Keeps these locks apart from others that use the number of a segment. */
const COUNT_LOCK_CLASS = 0x73656763

function loadSegmentSelection(db: Db, account: AccountId, segment: number, now: number): Promise<CriteriaSelection> {
  return loadCriteriaSelection(db, account, { type: 'segment', segment }, now)
}

function buildCountStatement(members: RawBuilder<unknown>): RawBuilder<{ n: number }> {
  return sql`select count(*) as n from (${members}) m`
}

/** A count, and when it is of. */
interface CountOptions {
  now: number
  timeoutMs: number
}

/**
 * Counts the members of a dynamic segment as of `now` and keeps the count. Gives false, having done nothing, while another
 * process counts them. Fails with SQLSTATE 57014 when it takes longer than `timeoutMs`.
 */
async function recountSegment(
  db: Db,
  account: AccountId,
  segment: number,
  { now, timeoutMs }: CountOptions,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${COUNT_LOCK_CLASS}, ${segment}) as free,
        set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
    if (!rows[0]?.free) return false
    const { rows: storedDefinitions } = await sql<{ definition: string }>`
      select json_build_array(criteria, parent)::text as definition from segments
      where account = ${account} and id = ${segment}`.execute(tx)
    const memberIds = selectContactIds(account, await loadSegmentSelection(tx, account, segment, now))
    const count = await buildCountStatement(memberIds).execute(tx)
    // A count of former criteria is void.
    await sql`
      update segments set counted = ${count.rows[0]?.n ?? 0}, counted_at = ${new Date(now)}, counted_exact = true
      where account = ${account} and id = ${segment}
        and json_build_array(criteria, parent)::text = ${storedDefinitions[0]?.definition ?? ''}`.execute(tx)
    return true
  })
}

function isCountFresh({ type, targetsCountDate }: SegmentDocument, now: number): boolean {
  return type === 'static' || (targetsCountDate !== null && now - Date.parse(targetsCountDate) <= COUNT_FRESH_MS)
}

/**
 * Counts the members of a dynamic segment: the body of a job. When `signal` aborts, the count stays as it was; so it does when
 * it is exact and of the last minute.
 */
export async function countSegment(
  db: Db,
  { account, segment }: { account: AccountId; segment: number },
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await sql`
    select from segments where account = ${account} and id = ${segment}
      and not (counted_at is not null and counted_exact and counted_at >= ${new Date(now - COUNT_FRESH_MS)})`.execute(
    db,
  )
  if (rows.length === 0) return
  signal?.throwIfAborted()
  await waitUnlessAborted(recountSegment(db, account, segment, { now, timeoutMs: JOB_TIMEOUT_MS }), signal)
}

/** Counts in the time that a reader waits. Gives false where that is not to be expected, or was not enough. */
async function tryCountInTime(
  db: Db,
  account: AccountId,
  { id, selected }: { id: number; selected: CriteriaSelection },
  { now, affordable }: { now: number; affordable: number },
): Promise<boolean> {
  const planEstimate = await estimateQueryPlan(db, buildCountStatement(selectContactIds(account, selected)))
  if (!planEstimate || planEstimate.cost > affordable) return false
  try {
    return await recountSegment(db, account, id, { now, timeoutMs: READER_TIMEOUT_MS })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return false
  }
}

/** Keeps an estimate, unless the segment has been counted or changed since it was read. */
async function storeEstimate(
  db: Db,
  account: AccountId,
  { id, targetsCountDate }: SegmentDocument,
  countEstimate: [number, number],
) {
  const [count, now] = countEstimate
  await sql`
    update segments set counted = ${count}, counted_at = ${new Date(now)}, counted_exact = false
    where account = ${account} and id = ${id} and counted_at is not distinct from ${targetsCountDate}::timestamptz`.execute(
    db,
  )
}

/**
 * One segment. The count of a dynamic one that is older than 60 s is computed again if that takes less than 2 s. Otherwise a job computes
 * it, and the former count is shown, or an estimate if there is no former count. Within a transaction it is always the stored one, so that
 * If-Match compares with the last response. `affordable`: the maximum planner cost of a count. Throws notFound.
 */
export async function readCountedSegment(
  db: Db,
  account: AccountId,
  id: number,
  { now, affordable = MAX_READER_COST }: { now: number; affordable?: number },
): Promise<SegmentDocument> {
  const segment = await readSegment(db, account, id)
  if (db.isTransaction || isCountFresh(segment, now)) return segment
  const segmentSelection = await loadSegmentSelection(db, account, id, now)
  if (await tryCountInTime(db, account, { id, selected: segmentSelection }, { now, affordable }))
    return readSegment(db, account, id)
  await enqueueTask(db, 'segments.count', { account, segment: id }, { key: `segments.count:${id}` })
  if (segment.targetsCountExact) return segment
  const count = await estimateSelectedContacts(db, account, segmentSelection)
  if (count !== undefined) await storeEstimate(db, account, segment, [count, now])
  return readSegment(db, account, id)
}
