import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import { runEachIsolated } from '../../jobs/failures.ts'
import { attachPendingSubscriptions } from '../contacts/fields/devices.ts'

const KEPT_DAYS = 90
/** A contact that is written while its device is put does not see it; the transactions of both are over by then. */
const RECENT_MINUTES = 60

/** Deletes what was awaited for 90 days. */
export async function purgePendingLinks(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 24 * 3600 * 1000)
  await sql`delete from awaited_subscriptions where awaited_at < ${oldest}`.execute(db)
}

/**
 * Attaches what a contact and its device, written at the same moment, did not see of each other, and tells accounts
 * whether they await anything.
 */
export async function finalizePendingLinks(db: Db, now: Date): Promise<void> {
  const since = new Date(now.getTime() - RECENT_MINUTES * 60_000)
  const recent = sql`select hash from awaited_subscriptions where awaited_at > ${since}`
  const { rows } = await sql<{ account: number }>`
    select distinct w.account from awaited_subscriptions w join contacts c on c.account = w.account and c.hash = w.hash
    where w.awaited_at > ${since}`.execute(db)
  await runEachIsolated(db, 'settleAwaited', rows, {
    subjectOf: ({ account }) => `account ${account}`,
    work: ({ account }) => inTransaction(db, (tx) => attachPendingSubscriptions(tx, account, now, recent)),
  })
  await sql`
    with awaiting as (
      select a.id, exists (select from awaited_subscriptions w where w.account = a.id) as awaits from accounts a)
    update accounts a set awaits_devices = w.awaits, definitions = a.definitions + 1
    from awaiting w where w.id = a.id and a.awaits_devices <> w.awaits`.execute(db)
}
