import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { countOverdueRows, type OverdueRows } from '../../database/rows/overdue-rows.ts'
import { getSenderConnectionName } from './recover-messages.ts'

/** Counts messages of all accounts that should have been tried before. What waits for a pace, a pause or another try is not overdue. */
export function countOverdueMessages(db: Db, when: { now: Date; overdueMs: number }): Promise<OverdueRows> {
  return countOverdueRows(
    db,
    sql`
      select m.not_before as at from messages m join sendings g on g.id = m.sending
      where m.state = 'queued' and m.destination is null and m.attempts = 0 and m.postponement is null
        and not g.paused and g.speed = 0
      union all
      select s.not_before from message_slices s join sendings g on g.id = s.sending
      where s.claimed_by is null and not g.paused and g.speed = 0`,
    when,
  )
}

/** Counts the senders with a connection to the database. */
export async function countConnectedSenders(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct application_name)::integer as n from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${getSenderConnectionName('')})`.execute(db)
  return rows[0]!.n
}

/** Counts the held messages, and lists their accounts, separated by commas. */
export async function countHeldMessages(db: Db): Promise<{ n: number; accounts: string | null }> {
  const { rows } = await sql<{ n: number; accounts: string | null }>`
    select count(*)::integer as n, string_agg(distinct a.agency || a.customer, ', ') as accounts
    from messages m join accounts a on a.id = m.account where m.state = 'held'`.execute(db)
  return rows[0]!
}
