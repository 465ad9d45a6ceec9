import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { dissolveLost } from '../../outbox/slices.ts'
import { beginCampaigns } from './campaign-run.ts'
import { releaseTestSegments } from './test-run.ts'

const WORD = 'restored from a backup: it may have left since'

/** Claims of senders that are not here become rows, and no claim is left; what was recorded of them is not among them. */
async function endClaims(tx: Db, now: Date): Promise<void> {
  await sql`update message_slices set lease_until = '-infinity' where claimed_by is not null`.execute(tx)
  await dissolveLost(tx, now)
}

/** Holds what was claimed, and what was or became due before `now`, but for campaigns: those are paused. */
async function holdMessages(tx: Db, now: Date): Promise<void> {
  await sql`
    with doubtful as (
      update messages set state = 'held', claimed_by = null, lease_until = null, last_reply = ${WORD}
      where state = 'claimed' or state = 'queued' and kind <> 'campaign' and not_before <= ${now}
      returning action, "set"
    )
    insert into run_counts as c (action, run, shard, held)
    select action, "set", 0, count(*) from doubtful group by action, "set"
    on conflict (action, run, shard) do update set held = c.held + excluded.held`.execute(tx)
}

/** Campaigns that had begun, or would have by now, are paused. Tests and validations that were under way are asked for anew. */
async function restActions(tx: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update actions set state = 20 where state in (30, 35, 40) and deleted_at is null returning id`.execute(tx)
  await releaseTestSegments(
    tx,
    rows.map(({ id }) => id),
  )
  await beginCampaigns(tx, now)
  await sql`update actions set paused = true where state = 55 and deleted_at is null`.execute(tx)
}

/**
 * What a restored outbox does. What waited in it may have left after the backup was made, so nothing of it leaves by
 * itself: single messages are held, campaigns paused. What becomes due after `now` leaves as planned. With `resend` all
 * of it leaves, also what was claimed.
 */
export async function restOutbox(db: Db, { resend, now }: { resend: boolean; now: Date }): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await endClaims(tx, now)
    if (resend) {
      await sql`update messages set state = 'queued', claimed_by = null, lease_until = null where state = 'claimed'`.execute(
        tx,
      )
      return
    }
    await restActions(tx, now)
    await holdMessages(tx, now)
  })
}
