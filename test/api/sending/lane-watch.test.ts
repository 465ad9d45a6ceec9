import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { hasMessagesInLane } from '../../../src/sending/senders/lane-watch.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const { context, application, notification, person, request } = await startPushStage()
const { db } = context

suite('the lane watch', () => {
  test('reads no message that waits in another lane', async () => {
    await request(await notification(await application(['apns'])), [await person()])
    await sql`
      insert into messages (account, lane, channel, kind, sending, version, contact, stamp, thread, set, stamp_time, not_before,
        expires_at, created_at)
      select account, ${outboxLanes.bulk}, channel, kind, sending, version, contact, gen_random_uuid(), thread, set, stamp_time,
        not_before, expires_at, created_at from messages, generate_series(1, 2000)`.execute(db)
    await sql`analyze messages`.execute(db)
    await db.transaction().execute(async (tx) => {
      const look = () =>
        sql<{ found: boolean }>`select ${hasMessagesInLane(outboxLanes.transactional)} as found`.execute(tx)
      assert.equal((await rowsRead(tx, 'messages', look)).inOrder, 0)
      assert.deepEqual((await look()).rows, [{ found: true }])
    })
  })
})
