import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import {
  endForeignClaims,
  holdDoubtfulMessages,
  pauseAllCampaigns,
  requeueClaimedMessages,
} from '../../../sending/recover/after-restore.ts'
import { releaseTestSegments } from '../validation/test-run.ts'
import { beginCampaigns } from './campaign-run.ts'

/** Pauses campaigns that had started, or would have by now. Tests and validations that were under way are requested again. */
async function restActions(tx: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update actions set state = 20 where state in (30, 35, 40) and deleted_at is null returning id`.execute(tx)
  await releaseTestSegments(
    tx,
    rows.map(({ id }) => id),
  )
  await beginCampaigns(tx, now)
  await pauseAllCampaigns(tx)
}

/**
 * What a restored outbox does. What waited in it may have left after the backup was made, so nothing of it leaves by
 * itself: single messages are held, campaigns paused. What becomes due after `now` leaves as planned. With `resend` all
 * of it leaves, also what was claimed.
 */
export async function holdRestoredOutbox(db: Db, { resend, now }: { resend: boolean; now: Date }): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await endForeignClaims(tx, now)
    if (resend) {
      await requeueClaimedMessages(tx)
      return
    }
    await restActions(tx, now)
    await holdDoubtfulMessages(tx, now)
  })
}
