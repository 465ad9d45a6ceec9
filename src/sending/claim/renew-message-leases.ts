import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { renewMessageSlices } from '../plan/message-slices.ts'
import { getSenderNameRange } from '../senders/sender-names.ts'

/** Duration of a claim that is not renewed. */
export const MESSAGE_LEASE_MS = 5 * 60_000

/**
 * Keeps what the batches of a sender hold from being taken for abandoned. What is being recorded is passed over: waiting
 * for it while holding the rest could deadlock.
 */
export async function renewMessageLeases(db: Db, sender: string, until: Date): Promise<void> {
  const { first: firstName, last: lastName } = getSenderNameRange(sender)
  await sql`
    with mine as (
      select id from messages where claimed_by between ${firstName}::uuid and ${lastName}::uuid and state = 'claimed'
      for no key update skip locked
    )
    update messages m set lease_until = ${until} from mine where m.id = mine.id`.execute(db)
  await renewMessageSlices(db, { first: firstName, last: lastName }, until)
}
