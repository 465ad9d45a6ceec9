import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { dissolveLostSlices } from '../plan/message-slices.ts'

const RESTORED_REPLY = 'restored from a backup: the message may have been sent since'

/** Ends the claims of senders that do not run here: the rest of their slices becomes rows. */
export async function endForeignClaims(tx: Db, now: Date): Promise<void> {
  await sql`update message_slices set lease_until = '-infinity' where claimed_by is not null`.execute(tx)
  await dissolveLostSlices(tx, now)
}

/** Queues again what senders had claimed. */
export async function requeueClaimedMessages(tx: Db): Promise<void> {
  await sql`update messages set state = 'queued', claimed_by = null, lease_until = null where state = 'claimed'`.execute(
    tx,
  )
}

/** Pauses every campaign that is under way. */
export async function pauseAllCampaigns(tx: Db): Promise<void> {
  await sql`update sendings set paused = true where kind = 'campaign' and state in ('planning', 'running')`.execute(tx)
}

/** Holds what was claimed, and what was or became due before `now`, but for campaigns. */
export async function holdDoubtfulMessages(tx: Db, now: Date): Promise<void> {
  await sql`
    with doubtful as (
      update messages set state = 'held', claimed_by = null, lease_until = null, held_at = ${now}, last_reply = ${RESTORED_REPLY}
      where state = 'claimed' or state = 'queued' and kind <> 'campaign' and not_before <= ${now}
      returning sending
    )
    insert into sending_counts as c (sending, shard, held)
    select sending, 0, count(*) from doubtful group by sending order by sending
    on conflict (sending, shard) do update set held = c.held + excluded.held`.execute(tx)
}
