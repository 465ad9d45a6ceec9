import { sql } from 'kysely'
import { type Db, inTransaction } from '../database/connect.ts'
import { loadAudience } from '../features/segments/audience.ts'
import { contactsWithLive } from '../features/subscriptions/live.ts'
import type { AccountId } from '../lib/account.ts'
import type { NewCampaign } from './sendings.ts'

/** The one statement that finds all contacts may take this long. */
const SNAPSHOT_MS = 600_000
/** Bytes of a contact's id. */
const ID_BYTES = 8

/**
 * Writes down who is in the segments of a sending now, once: what becomes of them later does not matter, and the
 * process that goes on after a crash has the same audience. False when the sending is not being planned, or another process is at it.
 */
export function takeSnapshot(db: Db, sending: number, now: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(SNAPSHOT_MS)}, true)`.execute(tx)
    const { rows } = await sql<{
      account: AccountId
      run: string
      audience_at: Date | null
      audience: NewCampaign['audience']
    }>`
      select account, run, audience_at, audience from sendings
      where id = ${sending} and kind = 'campaign' and state = 'planning'
      for no key update skip locked`.execute(tx)
    const [found] = rows
    if (!found) return false
    if (found.audience_at !== null) return true
    const { account, run } = found
    const { application } = found.audience
    const audience = await loadAudience(tx, account, found.audience, now)
    const reached = application === undefined ? sql`true` : sql`id in (${contactsWithLive(account, application)})`
    await sql`
      insert into campaign_audiences (run, contacts)
      select ${run}::uuid, coalesce(string_agg(int8send(id), '' order by id), '')
      from (${audience}) as audience (id) where ${reached}`.execute(tx)
    await sql`update sendings set audience_at = ${new Date(now)}, audience = null where id = ${sending}`.execute(tx)
    return true
  })
}

/** At most `count` contacts of a run's audience, ascending, behind the first `planned` of them. */
export async function nextSlice(
  db: Db,
  run: string,
  { planned, count }: { planned: number; count: number },
): Promise<number[]> {
  const { rows } = await sql<{ ids: Buffer }>`
    select substring(contacts from ${planned * ID_BYTES + 1}::integer for ${count * ID_BYTES}::integer) as ids
    from campaign_audiences where run = ${run}::uuid`.execute(db)
  const ids = rows[0]?.ids ?? Buffer.alloc(0)
  return Array.from({ length: ids.length / ID_BYTES }, (_, n) => Number(ids.readBigInt64BE(n * ID_BYTES)))
}
