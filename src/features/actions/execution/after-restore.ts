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
async function pauseRestoredActions(tx: Db, now: Date): Promise<void> {
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
 * Handles a restored outbox. Waiting messages may have been sent after the backup was made, so none is sent automatically: single messages
 * are held, campaigns are paused. Messages due after `now` are sent as planned. With `resend` all of them are sent, including claimed
 * ones.
 */
export async function holdRestoredOutbox(db: Db, { resend, now }: { resend: boolean; now: Date }): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await endForeignClaims(tx, now)
    if (resend) {
      await requeueClaimedMessages(tx)
      return
    }
    await pauseRestoredActions(tx, now)
    await holdDoubtfulMessages(tx, now)
  })
}
