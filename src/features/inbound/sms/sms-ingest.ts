import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { buildPreparedPrefix, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { ingestDueReports } from '../ingest-all.ts'
import { type PendingSmsReceipt, recordSmsReceipts } from './sms-receipts.ts'
import { type PendingSmsReply, recordSmsReplies } from './sms-replies.ts'

/** Dependencies of the ingestion. */
export interface SmsIngestContext {
  db: Db
  clock: Clock
  log: Logger
  /** Counts unmatched reports, by kind. */
  unmatched: { inc(labels: { kind: 'receipt' | 'reply' }, n: number): void }
}

type WaitingReport = ({ kind: 'receipt' } & PendingSmsReceipt) | ({ kind: 'reply' } & PendingSmsReply)

const BATCH_SIZE = 500
/** A receipt whose message is not recorded by then is unmatched: a dead sender is recovered much sooner. */
const MAX_WAIT_MS = 24 * 3_600_000
const MIN_RETRY_MS = 500
const MAX_RETRY_MS = 60_000

/** The counter of unmatched reports. */
export function createUnmatchedSmsCounter(registry: Registry): SmsIngestContext['unmatched'] {
  return new Counter({
    name: 'stentor_sms_unmatched_total',
    help: 'Receipts of messages we do not know, dropped after a day, and replies that lead to no account, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
}

/** Condition: a report is due. */
export function isSmsReportDue(now: Date): RawBuilder<unknown> {
  return sql`exists (select from sms_inbox where next_at <= ${now})`
}

/** True if a report is due. The query runs several times a second, nearly always without a result, and so without a transaction. */
function hasDueReports(db: Db, now: Date): Promise<boolean> {
  return isSqlConditionTrue(db, 'sms-inbox-any', isSmsReportDue(now))
}

async function claimReports(tx: Db, now: Date, limit: number): Promise<WaitingReport[]> {
  const { rows } = await sql<WaitingReport>`${buildPreparedPrefix('sms-inbox')}
    select id, gateway, owner, kind, report from sms_inbox where next_at <= ${now}
    order by next_at, id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Receipts that came before the record of their message are retried, at growing intervals, for a day. Returns how many were dropped. */
async function postponeReceipts(tx: Db, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    with over as (
      delete from sms_inbox
      where id = any(${ids}::bigint[]) and received_at < ${new Date(now.getTime() - MAX_WAIT_MS)} returning id
    ), waiting as (
      update sms_inbox set next_at = ${now}::timestamptz + least(
        greatest(${now}::timestamptz - received_at, ${MIN_RETRY_MS} * interval '1 millisecond'),
        ${MAX_RETRY_MS} * interval '1 millisecond')
      where id = any(${ids}::bigint[]) and id not in (select id from over)
    )
    select count(*)::integer as n from over`.execute(tx)
  return rows[0]?.n ?? 0
}

async function ingestBatch({ db, clock, unmatched }: SmsIngestContext, limit: number): Promise<number> {
  const now = new Date(clock.now())
  if (!(await hasDueReports(db, now))) return 0
  const [claimedReports, droppedReceipts, unmatchedReplies] = await inTransaction(db, async (tx) => {
    const waiting = await claimReports(tx, now, limit)
    const receipts = waiting.filter((claimed) => claimed.kind === 'receipt')
    const replies = waiting.filter((claimed) => claimed.kind === 'reply')
    const matchedIds = await recordSmsReceipts(tx, receipts)
    const unmatchedReplies = await recordSmsReplies(tx, replies)
    const doneIds = new Set([...matchedIds, ...replies.map(({ id }) => id)])
    await sql`delete from sms_inbox where id = any(${[...doneIds]}::bigint[])`.execute(tx)
    const earlyIds = receipts.filter(({ id }) => !doneIds.has(id)).map(({ id }) => id)
    return [waiting, await postponeReceipts(tx, earlyIds, now), unmatchedReplies] as const
  })
  if (droppedReceipts > 0) unmatched.inc({ kind: 'receipt' }, droppedReceipts)
  if (unmatchedReplies > 0) unmatched.inc({ kind: 'reply' }, unmatchedReplies)
  for (const { id } of claimedReports) await recordTaskSuccess(db, toFailureUnit(id))
  return claimedReports.length
}

const toFailureUnit = (id: number) => ({ task: 'ingest SMS reports', subject: `report ${id}` })

/** Postpones the first report, for a minute or longer: it blocks those behind it. */
async function postponeFirstReport({ db, clock }: SmsIngestContext, error: unknown): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ id: number }>`
    update sms_inbox set next_at = ${new Date(now + MAX_RETRY_MS)}
    where id = (select id from sms_inbox where next_at <= ${new Date(now)} order by next_at, id limit 1)
    returning id`.execute(db)
  for (const { id } of rows) {
    const postponedUntil = now + (await recordTaskFailure(db, toFailureUnit(id), error))
    await sql`update sms_inbox set next_at = greatest(next_at, ${new Date(postponedUntil)}) where id = ${id}`.execute(
      db,
    )
  }
}

/**
 * Records the reports of SMS networks as events, each once, until none is due; several processes may do so. One that
 * cannot be recorded is postponed. Returns how many were processed.
 */
export function ingestSmsReports(context: SmsIngestContext): Promise<number> {
  return ingestDueReports({
    batchSize: BATCH_SIZE,
    ingest: (limit) => ingestBatch(context, limit),
    postponeFirst: (error) => postponeFirstReport(context, error),
  })
}

/** Makes due what waits for longer than reports do. */
export async function makeSmsReportsDue(db: Db, now: number): Promise<void> {
  await sql`update sms_inbox set next_at = ${new Date(now)} where next_at > ${new Date(now + MAX_RETRY_MS)}`.execute(db)
}
