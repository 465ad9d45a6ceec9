import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { noticeInsertSql } from '../../notices/notices.ts'
import { loadSegmentAudience } from './segment-audience.ts'

/** From the end of one comparison of a segment to the next. */
const COMPARISON_PERIOD_MS = 300_000
/** A segment that cannot be compared is tried again after this. */
const RETRY_MS = 60_000
/** Maximum time in milliseconds of a comparison. */
const COMPARISON_TIMEOUT_MS = 600_000
/** Changes published in one transaction. */
const BATCH_SIZE = 10_000
/** Transactions of one call of `compareWatchedSegments`. */
const MAX_STEPS = 20

interface WatchedSegment {
  account: AccountId
  segment: number
}

/**
 * Replaces the dynamic segments that `owner` (`workflow <id>`) wants to know entries and exits of, static ones and those of other
 * accounts left out; an empty list removes all.
 */
export async function watchSegments(
  tx: Db,
  account: AccountId,
  owner: string,
  segments: readonly number[],
): Promise<void> {
  await sql`
    delete from segment_watchers
    where account = ${account} and owner = ${owner} and segment <> all(${segments}::integer[])`.execute(tx)
  if (segments.length === 0) return
  await sql`
    insert into segment_watchers (account, owner, segment)
    select account, ${owner}, id from segments
    where account = ${account} and id = any(${segments}::integer[]) and type = 'dynamic'
    on conflict do nothing`.execute(tx)
}

/** True if a watch existed when the known members were computed: otherwise they date from before all watches. */
const hasValidMembers = sql`exists (select from segment_watchers w where w.segment = s.segment and w.since <= s.computed_at)`

/** Condition on a segment `s`: something is to be done. */
const buildDueCondition = (now: Date) => sql`
  (s.not_before is null or s.not_before <= ${now}) and (s.due_at <= ${now} or not ${hasValidMembers})`

/** Condition: a segment is to be compared. */
export function isSegmentComparisonDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from watched_segments s where ${buildDueCondition(now)})`
}

/** Locks one segment that has something to be done; none that another process works on. */
async function lockDueSegment(tx: Db, now: Date): Promise<WatchedSegment | undefined> {
  const { rows } = await sql<WatchedSegment>`
    select s.account, s.segment from watched_segments s
    where ${buildDueCondition(now)}
    order by s.due_at limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

async function deleteWatchData(tx: Db, { segment }: WatchedSegment): Promise<void> {
  await sql`delete from watched_changes where segment = ${segment}`.execute(tx)
  await sql`delete from watched_members where segment = ${segment}`.execute(tx)
  await sql`delete from watched_segments where segment = ${segment}`.execute(tx)
}

/** A select of "contact" and "is_entry": who is in the segment now and was not when it was last computed, and the reverse. */
async function selectDifferences(
  tx: Db,
  { account, segment }: WatchedSegment,
  now: number,
): Promise<RawBuilder<unknown>> {
  await sql`select set_config('statement_timeout', ${String(COMPARISON_TIMEOUT_MS)}, true)`.execute(tx)
  const memberSelect = await loadSegmentAudience(tx, account, { selected: [segment], excluded: [] }, now)
  return sql`
    select coalesce(m.contact, k.contact) as contact, k.contact is null as is_entry
    from (${memberSelect}) m
    full join (select contact from watched_members where segment = ${segment}) k on k.contact = m.contact
    where m.contact is null or k.contact is null`
}

/** Notes that the members are those of the beginning of this transaction. */
async function markComputed(
  tx: Db,
  { segment }: WatchedSegment,
  computedState: { due: Date | null; changes: boolean },
): Promise<void> {
  await sql`
    update watched_segments
    set computed_at = now(), due_at = coalesce(${computedState.due}, due_at), has_changes = ${computedState.changes}, not_before = null
    where segment = ${segment}`.execute(tx)
}

const computeNextDue = (now: number): Date => new Date(now + COMPARISON_PERIOD_MS)

/** Records the members as they are, and publishes nothing. */
async function recordMembers(tx: Db, watched: WatchedSegment, now: number): Promise<void> {
  const { segment } = watched
  await sql`delete from watched_changes where segment = ${segment}`.execute(tx)
  await sql`
    with differing as materialized (${await selectDifferences(tx, watched, now)}),
    gone as (
      delete from watched_members m using differing d
      where m.segment = ${segment} and m.contact = d.contact and not d.is_entry)
    insert into watched_members (segment, contact)
    select ${segment}::integer, contact from differing where is_entry`.execute(tx)
  await markComputed(tx, watched, { due: computeNextDue(now), changes: false })
}

/** Stores what has changed, to be published by the transactions that follow. */
async function storeChanges(tx: Db, watched: WatchedSegment, now: number): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    insert into watched_changes (segment, contact, is_entry)
    select ${watched.segment}::integer, d.contact, d.is_entry from (${await selectDifferences(tx, watched, now)}) d`.execute(
    tx,
  )
  const hasChanges = numAffectedRows > 0n
  await markComputed(tx, watched, { due: hasChanges ? null : computeNextDue(now), changes: hasChanges })
}

/** Publishes a batch of changes and makes them known. A contact that was deleted meanwhile is forgotten without notice. */
async function publishChanges(tx: Db, { account, segment }: WatchedSegment, now: number): Promise<void> {
  const buildNotices = (isEntry: boolean) => sql`
    select contact, jsonb_build_object('segment', ${segment}::integer) as data from moved where is_entry = ${isEntry}`
  const { rows } = await sql<{ n: number }>`
    with taken as (
      delete from watched_changes where segment = ${segment} and contact = any(array(
        select contact from watched_changes where segment = ${segment} order by contact limit ${BATCH_SIZE}))
      returning contact, is_entry),
    moved as materialized (
      select t.* from taken t where exists (select from contacts c where c.account = ${account} and c.id = t.contact)),
    added as (
      insert into watched_members (segment, contact) select ${segment}::integer, contact from moved where is_entry),
    removed as (
      delete from watched_members m using taken t
      where m.segment = ${segment} and m.contact = t.contact and not t.is_entry),
    entered as (${noticeInsertSql(account, 'segment.entered', buildNotices(true))}),
    "left" as (${noticeInsertSql(account, 'segment.left', buildNotices(false))})
    select count(*)::integer as n from taken`.execute(tx)
  if ((rows[0]?.n ?? 0) >= BATCH_SIZE) return
  await sql`
    update watched_segments set has_changes = false, due_at = ${computeNextDue(now)}, not_before = null
    where segment = ${segment}`.execute(tx)
}

/** Takes the next step with a locked segment, in one transaction. */
async function processSegment(tx: Db, watched: WatchedSegment, now: number): Promise<void> {
  const { rows } = await sql<{ wanted: boolean; continued: boolean; changes: boolean }>`
    select exists (select from segment_watchers w where w.segment = s.segment) as wanted,
      ${hasValidMembers} as continued, s.has_changes as changes
    from watched_segments s where s.segment = ${watched.segment}`.execute(tx)
  const watchState = rows[0]
  if (!watchState?.wanted) await deleteWatchData(tx, watched)
  else if (!watchState.continued) await recordMembers(tx, watched, now)
  else if (watchState.changes) await publishChanges(tx, watched, now)
  else await storeChanges(tx, watched, now)
}

const buildTaskUnit = ({ segment }: WatchedSegment) => ({
  task: 'compare watched segments',
  subject: `segment ${segment}`,
})

/** Takes one step with one segment; false when nothing is to be done. One that fails is left alone for a minute or longer. */
async function processNextSegment(db: Db, now: number): Promise<boolean> {
  let lockedSegment: WatchedSegment | undefined
  try {
    await inTransaction(db, async (tx) => {
      lockedSegment = await lockDueSegment(tx, new Date(now))
      if (lockedSegment) await processSegment(tx, lockedSegment, now)
    })
  } catch (error) {
    if (!lockedSegment) throw error
    const postpone = (until: number) =>
      sql`update watched_segments set not_before = ${new Date(until)} where segment = ${lockedSegment!.segment}`.execute(
        db,
      )
    await postpone(now + RETRY_MS)
    await postpone(now + Math.max(RETRY_MS, await recordTaskFailure(db, buildTaskUnit(lockedSegment), error)))
    return true
  }
  if (lockedSegment) await recordTaskSuccess(db, buildTaskUnit(lockedSegment))
  return lockedSegment !== undefined
}

/**
 * Publishes who entered the dynamic segments that are watched and who left them since they were last compared, each segment every
 * five minutes, and forgets the members of those that are watched no more. To be called again and again, in any process.
 */
export async function compareWatchedSegments(db: Db, now: number): Promise<void> {
  await sql`
    insert into watched_segments (segment, account, due_at)
    select distinct w.segment, w.account, ${new Date(now)}::timestamptz from segment_watchers w
    where not exists (select from watched_segments s where s.segment = w.segment)
    on conflict do nothing`.execute(db)
  for (let stepCount = 0; stepCount < MAX_STEPS && (await processNextSegment(db, now)); ) stepCount++
}

/** Has segments compared again that wait for longer than they do. */
export async function makeSegmentComparisonsDue(db: Db, now: number): Promise<void> {
  await sql`
    update watched_segments set due_at = least(due_at, ${new Date(now + COMPARISON_PERIOD_MS)}),
      not_before = least(not_before, ${new Date(now + RETRY_MS)})
    where due_at > ${new Date(now + COMPARISON_PERIOD_MS)} or not_before > ${new Date(now + RETRY_MS)}`.execute(db)
}
