import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { cloneDatabase, type TestDatabase } from '#test/support/database/database.ts'
import { inTransaction, openDatabasePool } from '../connection/connect.ts'
import { isDatabaseUnavailable } from '../errors.ts'
import { streamRows } from './stream.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

interface Numbered {
  n: number
}

const numbers = (last: number) => sql<Numbered>`select n from generate_series(1, ${last}::int) n`

function assertAllReleased(): void {
  const { totalCount, idleCount } = database.pool
  assert.equal(idleCount, totalCount)
}

describe('rows()', () => {
  it('returns every row in order across batches', async () => {
    const found = await Array.fromAsync(streamRows(database.db, numbers(1001), { batch: 100 }), ({ n }) => n)
    assert.deepEqual(
      found,
      Array.from({ length: 1001 }, (_, index) => index + 1),
    )
    assertAllReleased()
  })

  it('accepts a query of the query builder', async () => {
    const query = database.db.selectFrom('accounts').select('name')
    assert.deepEqual(await Array.fromAsync(streamRows(database.db, query)), [])
  })

  it('does not read ahead of its consumer', async () => {
    // Each row takes a number of the sequence: its value is the count of rows the server has made.
    await sql`create sequence made`.execute(database.db)
    const query = sql<Numbered>`select nextval('made') as n from generate_series(1, 100000)`
    const reader = streamRows(database.db, query, { batch: 10 })
    await reader.next()
    const { rows: made } = await sql<{ last_value: number }>`select last_value from made`.execute(database.db)
    assert.ok((made[0]?.last_value ?? 0) <= 20)
    await reader.return()
    assertAllReleased()
  })

  it('releases the connection after an early exit, a consumer error or a query error', async () => {
    for await (const { n } of streamRows(database.db, numbers(1000), { batch: 10 })) if (n === 15) break
    assertAllReleased()
    await assert.rejects(async () => {
      for await (const _ of streamRows(database.db, numbers(1000))) throw new Error('reader')
    }, /reader/)
    assertAllReleased()
    const faulty = sql<Numbered>`select 1 / (500 - n) as n from generate_series(1, 1000) n`
    await assert.rejects(Array.fromAsync(streamRows(database.db, faulty, { batch: 10 })), { code: '22012' })
    assertAllReleased()
  })

  it('reads inside a transaction, which continues afterwards', async () => {
    await inTransaction(database.db, async (tx) => {
      await tx.insertInto('accounts').values({ agency: 'STRE', customer: '001', name: 'a' }).execute()
      const query = tx.selectFrom('accounts').select('name')
      assert.deepEqual(await Array.fromAsync(streamRows(tx, query)), [{ name: 'a' }])
      for await (const _ of streamRows(tx, numbers(1000), { batch: 10 })) break
      await tx.deleteFrom('accounts').execute()
    })
    assertAllReleased()
  })

  it('takes the connection away from a stalled consumer', async () => {
    const reader = streamRows(database.db, numbers(1000), { batch: 10, stallMs: 10 })
    await reader.next()
    assert.equal(database.pool.totalCount - database.pool.idleCount, 1)
    await once(database.pool, 'release')
    await assert.rejects(reader.next(), /took more than 10 ms/)
    assertAllReleased()
  })

  it('fails instead of waiting forever when the connection is lost between batches', async () => {
    const { db, pool, close } = openDatabasePool(database.url)
    const reader = streamRows(db, sql<{ pid: number }>`select pg_backend_pid() as pid from generate_series(1, 100)`, {
      batch: 1,
    })
    const { value } = await reader.next()
    await sql`select pg_terminate_backend(${value?.pid}, 5000)`.execute(database.db)
    await assert.rejects(reader.next(), isDatabaseUnavailable)
    await Promise.race([close(), delay(2_000).then(() => assert.fail('the connection was not released'))])
    assert.equal(pool.totalCount, 0)
  })
})
