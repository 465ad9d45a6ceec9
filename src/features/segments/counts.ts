import { sql } from 'kysely'
import pg from 'pg'
import { type Db, inTransaction } from '../../database/connect.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { unlessAborted } from '../../lib/unless-aborted.ts'
import { loadAudience } from './audience.ts'
import type { Segment } from './segment-schemas.ts'
import { readSegment } from './segments.ts'

/** A count older than this is computed again when the segment is read. */
const FRESH_MS = 60_000
/** How long a reader waits for it. */
const TIMEOUT_MS = 2000
/** How long it may take in a job. */
const LONGEST_MS = 600_000
/** Keeps these locks apart from others that use the number of a segment. */
const LOCK_CLASS = 0x73656763

/** SQLSTATE of a statement that took too long. */
const CANCELLED = '57014'

/**
 * Counts the members of a dynamic segment as of `now` and keeps the count; does nothing while another process counts them.
 * Fails with SQLSTATE 57014 when it takes longer than `timeoutMs`.
 */
async function recount(
  db: Db,
  account: AccountId,
  segment: number,
  { now, timeoutMs }: { now: number; timeoutMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK_CLASS}, ${segment}) as free,
        set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
    if (!rows[0]?.free) return
    const { counted_at } = await tx
      .selectFrom('segments')
      .select('counted_at')
      .where('account', '=', account)
      .where('id', '=', segment)
      .executeTakeFirstOrThrow()
    const members = await loadAudience(tx, account, { selected: [segment], excluded: [] }, now)
    const count = await sql<{ n: number }>`select count(*) as n from (${members}) m`.execute(tx)
    // Changed criteria clear the date: a count of the former ones is void.
    await sql`
      update segments set counted = ${count.rows[0]?.n ?? 0}, counted_at = ${new Date(now)}
      where account = ${account} and id = ${segment} and counted_at is not distinct from ${counted_at}`.execute(tx)
  })
}

/** Counts the members of a dynamic segment: the body of a job. When `signal` aborts, the count stays as it was. */
export async function countSegment(
  db: Db,
  { account, segment }: { account: AccountId; segment: number },
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const known = await db.selectFrom('segments').select('id').where('account', '=', account).where('id', '=', segment)
  if (!(await known.executeTakeFirst())) return
  signal?.throwIfAborted()
  await unlessAborted(recount(db, account, segment, { now, timeoutMs: LONGEST_MS }), signal)
}

function isFresh({ type, targetsCountDate }: Segment, now: number): boolean {
  return type === 'static' || (targetsCountDate !== null && now - Date.parse(targetsCountDate) <= FRESH_MS)
}

/**
 * One segment. A dynamic one's count that is older than 60 s is computed again, for 2 s at most: one that takes longer
 * is left to a job, and the former count shown. Within a transaction it is always the kept one, so that If-Match compares
 * with what was last answered. Throws notFound.
 */
export async function readCounted(db: Db, account: AccountId, id: number, now: number): Promise<Segment> {
  const segment = await readSegment(db, account, id)
  if (db.isTransaction || isFresh(segment, now)) return segment
  try {
    await recount(db, account, id, { now, timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== CANCELLED) throw error
    await enqueue(db, 'segments.count', { account, segment: id }, { key: `segments.count:${id}` })
    return segment
  }
  return readSegment(db, account, id)
}
