import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import { runEachIsolated } from '../../jobs/failures.ts'
import { attachPendingSubscriptions } from '../contacts/fields/devices.ts'

/** A contact that is written while its device is put does not see it; the transactions of both are over by then. */
const RECENT_MINUTES = 60

/**
 * Links contacts and devices that were written at the same moment and did not see each other, and records for each account if it awaits
 * any.
 */
export async function finalizePendingLinks(db: Db, now: Date): Promise<void> {
  const recentSince = new Date(now.getTime() - RECENT_MINUTES * 60_000)
  const recentHashes = sql`select hash from awaited_subscriptions where awaited_at > ${recentSince}`
  const { rows } = await sql<{ account: number }>`
    select distinct w.account from awaited_subscriptions w join contacts c on c.account = w.account and c.hash = w.hash
    where w.awaited_at > ${recentSince}`.execute(db)
  await runEachIsolated(db, 'settleAwaited', rows, {
    subjectOf: ({ account }) => `account ${account}`,
    work: ({ account }) => inTransaction(db, (tx) => attachPendingSubscriptions(tx, account, now, recentHashes)),
  })
  await sql`
    with awaiting as (
      select a.id, exists (select from awaited_subscriptions w where w.account = a.id) as awaits from accounts a)
    update accounts a set awaits_devices = w.awaits, definitions = a.definitions + 1
    from awaiting w where w.id = a.id and a.awaits_devices <> w.awaits`.execute(db)
}
