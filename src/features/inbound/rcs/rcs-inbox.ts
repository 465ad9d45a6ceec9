import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import type { RcsWebhookEvent } from '../../../gateways/rcs-google/hook.ts'
import type { AccountId } from '../../../lib/account.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { toPostgresJson } from '../../events/record/append.ts'

/** A report that is understood. */
export type ParsedRcsReport = Exclude<RcsWebhookEvent, { kind: 'unknown' }>

/** A report that waits in the inbox. */
export interface PendingRcsReport {
  id: number
  account: AccountId
  report: ParsedRcsReport & { at: number }
  /** True if its message was not recorded for so long that the report no longer waits for it. */
  isOld: boolean
}

/** A dead sender is recovered much sooner. */
const MAX_WAIT_MS = 24 * 3_600_000
const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 60_000
/** Before RCS was. */
const EARLIEST_EVENT_MS = Date.UTC(2000, 0)

/** Digest that identifies a report. */
function digestReport(account: AccountId, report: ParsedRcsReport): Buffer {
  const message = 'messageId' in report ? report.messageId : ''
  const parts = [account, report.agent, message, report.eventId, report.kind]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

/** Time of the event as the provider reports it, unless it is impossible; milliseconds. */
function resolveEventTime({ at }: ParsedRcsReport, now: number): number {
  return at !== null && at >= EARLIEST_EVENT_MS && at <= now + DAY_MS ? at : now
}

/** A report, and whose it is. */
export interface ReceivedRcsReport {
  account: AccountId
  report: ParsedRcsReport
}

/**
 * Keeps reports until their events are written, in one statement; one that waits already is not kept again. What is no text
 * for PostgreSQL is left out of them.
 */
export async function storeRcsReports(db: Db, received: readonly ReceivedRcsReport[], now: number): Promise<void> {
  const rows = received.map(({ account, report }, n) => ({ n, account, digest: digestReport(account, report) }))
  const texts = received.map(({ report }) => toPostgresJson({ ...report, at: resolveEventTime(report, now) }))
  // Processes that keep the same reports do so in one order.
  await sql`${buildPreparedPrefix('keep-rcs')}
    with given as (
      select * from unnest(
        ${rows.map(({ digest }) => digest)}::bytea[], ${rows.map(({ account }) => account)}::integer[], ${texts}::jsonb[])
        with ordinality as g (digest, account, report, n)
    ), numbered as (
      select nextval(pg_get_serial_sequence('rcs_inbox', 'id')) as id, g.* from (select * from given order by n) g
    )
    insert into rcs_inbox (id, digest, account, report, received_at, next_at)
    overriding system value
    select id, digest, account, report, ${new Date(now)}, ${new Date(now)} from numbered order by digest
    on conflict do nothing`.execute(db)
}

/** Condition: a report is due. */
export function isRcsReportDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from rcs_inbox where next_at <= ${now})`
}

/** True if a report is due. The query runs several times a second, nearly always without a result, and so without a transaction. */
export function hasDueRcsReports(db: Db, now: number): Promise<boolean> {
  return isSqlConditionTrue(db, 'rcs-inbox-any', isRcsReportDue(new Date(now)))
}

/** Takes reports that are due, in their order, for the caller's transaction. */
export async function claimRcsReports(tx: Db, now: number, limit: number): Promise<PendingRcsReport[]> {
  const { rows } = await sql<PendingRcsReport>`${buildPreparedPrefix('rcs-inbox')}
    select id, account, report, received_at < ${new Date(now - MAX_WAIT_MS)} as "isOld" from rcs_inbox
    where next_at <= ${new Date(now)} order by next_at, id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Reports are done. */
export async function deleteRcsReports(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`delete from rcs_inbox where id = any(${ids}::bigint[])`.execute(tx)
}

/** Reports that came before their message was recorded are taken again, at growing intervals. */
export async function postponeRcsReports(tx: Db, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update rcs_inbox set next_at = ${new Date(now)}::timestamptz + least(
      greatest(${new Date(now)}::timestamptz - received_at, ${MIN_RETRY_MS} * interval '1 millisecond'),
      ${MAX_RETRY_MS} * interval '1 millisecond')
    where id = any(${ids}::bigint[])`.execute(tx)
}

/** Postpones the first report, which blocks those behind it; gives its id. */
export async function postponeFirstRcsReport(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    update rcs_inbox set next_at = ${new Date(now + MAX_RETRY_MS)}
    where id = (select id from rcs_inbox where next_at <= ${new Date(now)} order by next_at, id limit 1)
    returning id`.execute(db)
  return rows[0]?.id
}

/** Makes due what waits for longer than reports do. */
export async function makeRcsReportsDue(db: Db, now: number): Promise<void> {
  await sql`update rcs_inbox set next_at = ${new Date(now)} where next_at > ${new Date(now + MAX_RETRY_MS)}`.execute(db)
}

/** Lets a report wait until an instant in milliseconds, unless it waits for longer. */
export async function delayRcsReport(db: Db, id: number, until: number): Promise<void> {
  await sql`update rcs_inbox set next_at = greatest(next_at, ${new Date(until)}) where id = ${id}`.execute(db)
}
