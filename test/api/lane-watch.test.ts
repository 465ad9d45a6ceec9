import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import { lanes } from '../../src/lib/lanes.ts'
import { watchLanes } from '../../src/outbox/lane-watch.ts'
import { startPushStage } from '../push-stage.ts'

const { context, application, notification, person, request } = await startPushStage()
const { db } = context

/** How many messages this connection has read one after the other. */
async function readOf(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select seq_tup_read::integer as n from pg_stat_xact_user_tables where relname = 'messages'`.execute(tx)
  return rows[0]?.n ?? 0
}

suite('the watch of lanes', () => {
  test('reads nothing of what waits in another lane', async () => {
    await request(await notification(await application(['apns'])), [await person()])
    await sql`
      insert into messages (account, lane, channel, kind, sending, version, contact, stamp, thread, set, stamp_time, not_before,
        expires_at, created_at)
      select account, ${lanes.bulk}, channel, kind, sending, version, contact, gen_random_uuid(), thread, set, stamp_time,
        not_before, expires_at, created_at from messages, generate_series(1, 2000)`.execute(db)
    await sql`analyze messages`.execute(db)
    await db.transaction().execute(async (tx) => {
      const before = await readOf(tx)
      await watchLanes({ db: tx, signal: new AbortController().signal })(lanes.transactional)
      assert.equal((await readOf(tx)) - before, 0)
    })
  })
})
