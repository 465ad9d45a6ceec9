import type { Db } from '../../database/connection/connect.ts'

/** Period in which a sent message can be shown again and its short links work: 400 days. */
const RETENTION_MS = 400 * 24 * 3600 * 1000

/** Forgets sent messages, what followed them, who was held out, and short links past their time. `now` in milliseconds. */
export async function purgeSentMessages(db: Db, now: number): Promise<void> {
  const cutoff = new Date(now - RETENTION_MS)
  await db.deleteFrom('sent_messages').where('ended_at', '<', cutoff).execute()
  await db.deleteFrom('followups').where('created_at', '<', cutoff).execute()
  await db.deleteFrom('held_out_contacts').where('created_at', '<', cutoff).execute()
  await db.deleteFrom('short_links').where('created_at', '<', cutoff).execute()
}
