import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { cloneDatabase } from './database.ts'

describe('a test database', () => {
  it('is separate, fully migrated and has partitions for current events', async () => {
    const [one, two] = await Promise.all([cloneDatabase(), cloneDatabase()])
    await one.db.insertInto('accounts').values({ agency: 'ACME', customer: '001', name: 'a' }).execute()
    assert.deepEqual(await two.db.selectFrom('accounts').selectAll().execute(), [])
    const { rows } = await two.pool.query('select to_regclass(events_partition(now())) is not null as made')
    assert.deepEqual(rows, [{ made: true }])
    await Promise.all([one.drop(), two.drop()])
  })

  it('fails a test that leaves connections open and names their last statements', async () => {
    const database = await cloneDatabase({ closePatienceMs: 100 })
    const leaked = await database.pool.connect()
    await leaked.query(`select 'leaked'`)
    const other = openDatabasePool(database.url, { applicationName: 'other pool' })
    await other.pool.query('select 1')
    await assert.rejects(
      database.drop(),
      ({ message }: Error) => /test: idle: select 'leaked'/.test(message) && /other pool: idle/.test(message),
    )
    leaked.release()
    await other.close()
  })
})
