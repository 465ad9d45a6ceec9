import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { dropCopiedMonths } from '../../../src/features/events/store/store-keeping.ts'
import { readEventStoreState } from '../../../src/features/events/store/store-state.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { startCrossing } from '../../support/crossing.ts'
import { makeEvents } from '../../support/database/events-store.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const skip = await engineIsMissing()

suite('months that are in the event store', { skip }, async () => {
  if (skip) return
  const { context, own } = await startHarness()
  const { db, pool } = context
  const { store, copy } = await startCrossing(context)
  const now = Date.now()
  const log = { info: () => undefined, warn: () => undefined }
  await makeEvents(pool, { accounts: [own.account], count: 500, from: now - 100 * DAY_MS, until: now - DAY_MS })
  await copy()
  await eventually(async () => {
    await updateEventCounts(db)
    const { rows } = await pool.query<{ done: boolean }>(
      "select least(counted_until, days_until) > now() - interval '2 days' as done from event_counting",
    )
    return rows[0]?.done
  }, 60_000)

  test('are dropped only after every transaction begun before the border moved, even a read-only one, has ended', async () => {
    const reader = openDatabasePool(String(pool.options.connectionString), { max: 1 })
    const client = await reader.pool.connect()
    await client.query('begin isolation level repeatable read read only')
    await client.query('select 1')
    let isDropped = false
    const dropping = dropCopiedMonths({ db, pool, store, log }, now).finally(() => {
      isDropped = true
    })
    const border = await eventually(async () => {
      const state = await readEventStoreState(db)
      return state && state.border > now - 90 * DAY_MS && state.border
    })
    const { rows } = await client.query('select count(*)::integer as n from events')
    assert.deepEqual([isDropped, rows], [false, [{ n: 500 }]])
    await client.query('rollback')
    client.release()
    await reader.close()
    assert.ok((await dropping) > 0)
    const { rows: left } = await pool.query<{ n: number; oldest: Date }>(
      'select count(*)::integer as n, min(at) as oldest from events',
    )
    assert.ok(left[0]!.n > 0 && left[0]!.n < 500 && left[0]!.oldest.getTime() >= border)
  })
})
