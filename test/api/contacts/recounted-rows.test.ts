import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startHarness } from '../../support/harness.ts'

const { context, own } = await startHarness()
const { db } = context

const QUARTER = 15 * 60_000
const QUARTERS = 200
const EVENTS = 20_000
const CHANGED = 40

/** From the second day of last month on, so that all events are in one partition. */
const now = new Date()
const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 2)
const partition = `events_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`

/** What is counted of all of them. */
const each = Array.from({ length: QUARTERS }, (_, n) => ({ start: start + n * QUARTER, humans: EVENTS / QUARTERS }))

/** So many bounces of one action, evenly over the quarters. */
async function fill(): Promise<void> {
  await sql`select make_event_partitions(${new Date(start)}::timestamptz, 3)`.execute(db)
  await sql`
    insert into events (id, at, account, channel, kind, subject, contact, activation_at, detail)
    select (lpad(to_hex(ms), 12, '0') || substr(uuidv7()::text, 15))::uuid, to_timestamp(ms / 1000.0), ${own.account}, 'email', 'bounces',
      1, 1 + n % 50, to_timestamp(ms / 1000.0 - 60), '{"activation":{"recipient":"a@shop.example","stamp":{"time":1}}}'
    from (select n, ${start}::bigint + n::bigint * ${QUARTER * QUARTERS}::bigint / ${EVENTS} as ms
      from generate_series(0, ${EVENTS - 1}::integer) n) e`.execute(db)
  await sql`analyze events`.execute(db)
}

async function counted(): Promise<{ start: number; humans: number }[]> {
  const { rows } = await sql<{ start: Date; humans: number }>`
    select start, sum(humans)::integer as humans from event_counts where account = ${own.account} group by 1 order by 1`.execute(
    db,
  )
  return rows.map(({ start, humans }) => ({ start: start.getTime(), humans }))
}

suite('recounted quarters', () => {
  test('read only their own events, however many the account has', async () => {
    await fill()
    await updateEventCounts(db)
    assert.deepEqual(await counted(), each)
    await sql`analyze event_counts, event_details, asked_counts`.execute(db)

    await sql`
      update events set is_test = true where account = ${own.account} and channel = 'email' and contact = 1
        and at >= ${new Date(start)} and at < ${new Date(start + CHANGED * QUARTER)}`.execute(db)
    await db.transaction().execute(async (tx) => {
      const { inOrder, byIndex } = await rowsRead(tx, partition, () => updateEventCounts(tx))
      assert.equal(inOrder, 0)
      assert.ok(byIndex >= (CHANGED * EVENTS) / QUARTERS, `${byIndex} rows`)
      assert.ok(byIndex < (10 * CHANGED * EVENTS) / QUARTERS, `${byIndex} rows`)
    })
    const changed = each.map((one, n) => (n < CHANGED ? { ...one, humans: one.humans - 2 } : one))
    assert.deepEqual(await counted(), changed)
  })

  test('an aborted run finishes its current quarters, and the next run continues', async () => {
    const noted = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`select count(*)::integer as n from stale_event_counts`.execute(db)
      return rows[0]!.n
    }
    await sql`
      update events set is_test = false where account = ${own.account} and channel = 'email' and kind = 'bounces'`.execute(
      db,
    )
    await sql`
      insert into stale_event_counts (account, channel, start)
      select ${own.account}, 'email', to_timestamp((${start}::bigint + n * ${QUARTER}::bigint) / 1000.0)
      from generate_series(0, ${QUARTERS - 1}::integer) n`.execute(db)
    const before = await noted()
    await updateEventCounts(db, AbortSignal.abort())
    const left = await noted()
    assert.ok(left > 0 && left < before, `${left} of ${before}`)
    await updateEventCounts(db)
    assert.equal(await noted(), 0)
    assert.deepEqual(await counted(), each)
  })
})
