import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessageSlices } from '../../../src/sending/plan/message-slices.ts'
import { loadMessageRecipients } from '../../../src/sending/prepare/load-recipients.ts'
import { connectSenderDatabase } from '../../../src/sending/senders/sender-database.ts'
import { createSenderName, getBatchName } from '../../../src/sending/senders/sender-names.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { clock, context } = stage
const { db, pool, log } = context

const MESSAGES = 20
const OTHERS = 20_000
/** A prepared statement is planned anew so often, and then by what it may be given in general. */
const PLANNED_ANEW = 5

const id = createSenderName()

suite('sender statements', () => {
  test("find a campaign's addresses by the index even if planned while there were none", async (t) => {
    const contacts: string[] = []
    for (let n = 0; n < MESSAGES; n++) contacts.push(await stage.contact(`plan-${n}@plans.example`))
    await stage.planned(await stage.segment(contacts), MESSAGES)
    const turn = { limit: 1, now: clock.now(), leaseMs: 60_000 }
    const messages = await claimMessageSlices(db, getBatchName(id, 1), outboxLanes.bulk, turn)
    assert.equal(messages.length, MESSAGES)
    await pool.query('delete from run_addresses')
    await pool.query('vacuum run_addresses')

    const sender = connectSenderDatabase(String(pool.options.connectionString), id, log)
    t.after(() => sender.close())
    await sender.db.connection().execute(async (own) => {
      // Those that were tried before take no address.
      const tried = messages.map((message) => ({ ...message, attempts: 1 }))
      for (let n = 0; n <= PLANNED_ANEW; n++) await loadMessageRecipients(own, tried, () => 1)
      await pool.query(
        'insert into run_addresses select $1::uuid, gen_random_uuid(), n from generate_series(1, $2::integer) n',
        [messages[0]!.stamp.set, OTHERS],
      )
      await own.transaction().execute(async (tx) => {
        const { answer, inOrder } = await rowsRead(tx, 'run_addresses', () =>
          loadMessageRecipients(tx, messages, () => 1),
        )
        assert.equal(answer.size, MESSAGES)
        assert.equal(inOrder, 0)
      })
    })
  })
})
