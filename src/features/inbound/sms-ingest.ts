import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { type Db, inTransaction, prepared } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { recordReceipts, type WaitingReceipt } from './sms-receipts.ts'
import { recordReplies, type WaitingReply } from './sms-replies.ts'

/** What reports are taken up with. */
export interface SmsIngestion {
  db: Db
  clock: Clock
  log: Logger
  /** Counts reports that led to nothing, by kind. */
  unmatched: { inc(labels: { kind: 'receipt' | 'reply' }, n: number): void }
}

type Waiting = ({ kind: 'receipt' } & WaitingReceipt) | ({ kind: 'reply' } & WaitingReply)

const AT_ONCE = 500
/** A receipt whose message is not recorded by then is of none of ours: a sender that died is taken up much sooner. */
const PATIENCE_MS = 24 * 3_600_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000

/** The counter of reports that led to nothing. */
export function countUnmatchedSms(registry: Registry): SmsIngestion['unmatched'] {
  return new Counter({
    name: 'sms_unmatched_total',
    help: 'Receipts of messages we do not know, dropped after a day, and replies that lead to no account, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
}

async function take(tx: Db, now: Date, limit: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`${prepared('sms-inbox')}
    select id, gateway, owner, kind, report from sms_inbox where next_at <= ${now}
    order by next_at, id limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Receipts that came before the record of their message wait for it, longer each time, and then no more. */
async function putOff(tx: Db, ids: readonly number[], now: Date): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    with over as (
      delete from sms_inbox
      where id = any(${ids}::bigint[]) and received_at < ${new Date(now.getTime() - PATIENCE_MS)} returning id
    ), waiting as (
      update sms_inbox set next_at = ${now}::timestamptz + least(
        greatest(${now}::timestamptz - received_at, ${FIRST_WAIT_MS} * interval '1 millisecond'),
        ${LONGEST_WAIT_MS} * interval '1 millisecond')
      where id = any(${ids}::bigint[]) and id not in (select id from over)
    )
    select count(*)::integer as n from over`.execute(tx)
  return rows[0]?.n ?? 0
}

async function ingestSome({ db, clock, unmatched }: SmsIngestion, limit: number): Promise<number> {
  const now = new Date(clock.now())
  const [taken, dropped, strange] = await inTransaction(db, async (tx) => {
    const waiting = await take(tx, now, limit)
    const receipts = waiting.filter((one) => one.kind === 'receipt')
    const replies = waiting.filter((one) => one.kind === 'reply')
    const joined = await recordReceipts(tx, receipts)
    const strange = await recordReplies(tx, replies)
    const done = new Set([...joined, ...replies.map(({ id }) => id)])
    await sql`delete from sms_inbox where id = any(${[...done]}::bigint[])`.execute(tx)
    const early = receipts.filter(({ id }) => !done.has(id)).map(({ id }) => id)
    return [waiting.length, await putOff(tx, early, now), strange] as const
  })
  if (dropped > 0) unmatched.inc({ kind: 'receipt' }, dropped)
  if (strange > 0) unmatched.inc({ kind: 'reply' }, strange)
  return taken
}

/** Puts the first of what waits behind the rest: it hinders what is behind it. */
async function setAside({ db, clock, log }: SmsIngestion, error: unknown): Promise<void> {
  const now = clock.now()
  const { rows } = await sql<{ id: number }>`
    update sms_inbox set next_at = ${new Date(now + LONGEST_WAIT_MS)}
    where id = (select id from sms_inbox where next_at <= ${new Date(now)} order by next_at, id limit 1)
    returning id`.execute(db)
  log.error({ err: error, report: rows[0]?.id }, 'what came from an SMS network cannot be recorded yet')
}

/**
 * Turns what came from SMS networks into events, each once, until nothing is due; several processes may do so. One that
 * cannot be recorded is put behind the others. Gives how many were looked at.
 */
export async function ingestSmsReports(ingestion: SmsIngestion): Promise<number> {
  let [total, limit] = [0, AT_ONCE]
  for (;;) {
    try {
      const taken = await ingestSome(ingestion, limit)
      total += taken
      if (taken < limit) return total
    } catch (error) {
      if (isUnavailable(error)) throw error
      if (limit === 1) await setAside(ingestion, error)
      limit = 1
    }
  }
}
