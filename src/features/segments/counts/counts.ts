import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isStatementTimeout } from '../../../database/errors.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { type CriteriaSelection, loadCriteriaSelection } from '../members/audience.ts'
import type { SegmentDocument } from '../segment-schemas.ts'
import { readSegment } from '../segments.ts'
import { estimateQueryPlan, estimateSelectedContacts, selectContactIds } from './estimate.ts'

/** A count older than this is computed again when the segment is read. */
const FRESH_MS = 60_000
/** How long a reader waits for it. */
const TIMEOUT_MS = 1700
/** How long it may take in a job. */
const LONGEST_MS = 600_000
/** What the planner may expect a count to cost that a reader waits for: of more, it takes longer than the time there is. */
const AFFORDABLE = 150_000
/** Keeps these locks apart from others that use the number of a segment. */
const LOCK_CLASS = 0x73656763

function selectedBy(db: Db, account: AccountId, segment: number, now: number): Promise<CriteriaSelection> {
  return loadCriteriaSelection(db, account, { type: 'segment', segment }, now)
}

function countOf(members: RawBuilder<unknown>): RawBuilder<{ n: number }> {
  return sql`select count(*) as n from (${members}) m`
}

/** A count, and when it is of. */
interface Counting {
  now: number
  timeoutMs: number
}

/**
 * Counts the members of a dynamic segment as of `now` and keeps the count. Gives false, having done nothing, while another
 * process counts them. Fails with SQLSTATE 57014 when it takes longer than `timeoutMs`.
 */
async function recount(db: Db, account: AccountId, segment: number, { now, timeoutMs }: Counting): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK_CLASS}, ${segment}) as free,
        set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
    if (!rows[0]?.free) return false
    const { rows: before } = await sql<{ definition: string }>`
      select json_build_array(criteria, parent)::text as definition from segments
      where account = ${account} and id = ${segment}`.execute(tx)
    const members = selectContactIds(account, await selectedBy(tx, account, segment, now))
    const count = await countOf(members).execute(tx)
    // A count of former criteria is void.
    await sql`
      update segments set counted = ${count.rows[0]?.n ?? 0}, counted_at = ${new Date(now)}, counted_exact = true
      where account = ${account} and id = ${segment}
        and json_build_array(criteria, parent)::text = ${before[0]?.definition ?? ''}`.execute(tx)
    return true
  })
}

function isFresh({ type, targetsCountDate }: SegmentDocument, now: number): boolean {
  return type === 'static' || (targetsCountDate !== null && now - Date.parse(targetsCountDate) <= FRESH_MS)
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
      and not (counted_at is not null and counted_exact and counted_at >= ${new Date(now - FRESH_MS)})`.execute(db)
  if (rows.length === 0) return
  signal?.throwIfAborted()
  await waitUnlessAborted(recount(db, account, segment, { now, timeoutMs: LONGEST_MS }), signal)
}

/** Counts in the time that a reader waits. Gives false where that is not to be expected, or was not enough. */
async function countedInTime(
  db: Db,
  account: AccountId,
  { id, selected }: { id: number; selected: CriteriaSelection },
  { now, affordable }: { now: number; affordable: number },
): Promise<boolean> {
  const expected = await estimateQueryPlan(db, countOf(selectContactIds(account, selected)))
  if (!expected || expected.cost > affordable) return false
  try {
    return await recount(db, account, id, { now, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    return false
  }
}

/** Keeps an estimate, unless the segment has been counted or changed since it was read. */
async function keepEstimate(
  db: Db,
  account: AccountId,
  { id, targetsCountDate }: SegmentDocument,
  kept: [number, number],
) {
  const [count, now] = kept
  await sql`
    update segments set counted = ${count}, counted_at = ${new Date(now)}, counted_exact = false
    where account = ${account} and id = ${id} and counted_at is not distinct from ${targetsCountDate}::timestamptz`.execute(
    db,
  )
}

/**
 * One segment. A dynamic one's count that is older than 60 s is computed again where that takes less than 2 s; else it is left
 * to a job, and the former count shown, or an estimate where there is none. Within a transaction it is always the kept one,
 * so that If-Match compares with what was last answered. `affordable`: what a count may cost by the planner. Throws notFound.
 */
export async function readCountedSegment(
  db: Db,
  account: AccountId,
  id: number,
  { now, affordable = AFFORDABLE }: { now: number; affordable?: number },
): Promise<SegmentDocument> {
  const segment = await readSegment(db, account, id)
  if (db.isTransaction || isFresh(segment, now)) return segment
  const selected = await selectedBy(db, account, id, now)
  if (await countedInTime(db, account, { id, selected }, { now, affordable })) return readSegment(db, account, id)
  await enqueueTask(db, 'segments.count', { account, segment: id }, { key: `segments.count:${id}` })
  if (segment.targetsCountExact) return segment
  const count = await estimateSelectedContacts(db, account, selected)
  if (count !== undefined) await keepEstimate(db, account, segment, [count, now])
  return readSegment(db, account, id)
}
