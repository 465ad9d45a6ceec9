import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { dissolveLostSlices } from '../plan/message-slices.ts'
import { selectClaimSender, senderLockKey } from '../senders/sender-lock.ts'

/** The senders whose leases are over by the clock, and which do not live: their locks are free, and are kept from them until the end. */
async function lockLostSenders(tx: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ sender: string }>`
    select sender from (
      select ${selectClaimSender(sql`claimed_by`)} as sender from messages where state = 'claimed' and lease_until < ${now}
      union
      select ${selectClaimSender(sql`claimed_by`)} from message_slices where claimed_by is not null and lease_until < ${now}) late
    where pg_try_advisory_xact_lock(${senderLockKey('sender')})`.execute(tx)
  return rows.map(({ sender }) => sender)
}

/**
 * Messages of senders that are gone, and whose journal was not read: whether they went out is unknown, so they are
 * held, counted and shown, or sent again where the account says so, or the gateway takes each once. A sender that comes back may still record those that
 * are held, and who finds its journal may still record what became of them. Of a sender that lives nothing is lost, whatever clocks say.
 * Gives how many are held.
 */
export function holdLostMessages(db: Db, now: Date): Promise<number> {
  return inRetriedTransaction(db, async (tx) => {
    const senders = await lockLostSenders(tx, now)
    if (senders.length === 0) return 0
    await dissolveLostSlices(tx, now, senders)
    return holdSenderMessages(tx, senders, now)
  })
}

async function holdSenderMessages(db: Db, senders: readonly string[], now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lost as (
      update messages m set lease_until = null, attempts = attempts + 1, last_reply = 'sender process died, outcome unknown',
        state = case when a.again then 'queued' else 'held' end, claimed_by = case when not a.again then claimed_by end,
        held_at = case when not a.again then ${now}::timestamptz end
      from (
        -- One that is being recorded is not lost.
        select l.id, l.is_idempotent or coalesce(a.settings->'sending'->>'inDoubt' = 'send', false) as again
        from messages l join accounts a on a.id = l.account
        where l.state = 'claimed' and l.lease_until < ${now} and ${selectClaimSender(sql`l.claimed_by`)} = any(${senders}::text[])
        for no key update of l skip locked) a
      where m.id = a.id
      returning m.sending, m.state
    ), counted as (
      insert into sending_counts as c (sending, shard, held)
      select sending, 0, count(*) from lost where state = 'held' group by sending order by sending
      on conflict (sending, shard) do update set held = c.held + excluded.held
    )
    select count(*)::integer as n from lost where state = 'held'`.execute(db)
  return rows[0]?.n ?? 0
}
