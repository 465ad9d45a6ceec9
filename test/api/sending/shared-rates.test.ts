import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inRetriedTransaction } from '../../../src/database/locks/deadlocks.ts'
import { openRateLimiter, takeRateTokens } from '../../../src/sending/shaping/rate-limiter.ts'
import { startHarness } from '../../support/harness.ts'

const { context } = await startHarness()
const { db, log } = context

suite('a rate shared by senders', () => {
  test('is kept by two senders together', async () => {
    const [one, two] = [openRateLimiter(db, log), openRateLimiter(db, log)]
    const begun = performance.now()
    await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? one : two).take('shared', 100)))
    // 60 at 100 a second, less what a tenth of a second allows at once.
    assert.ok(performance.now() - begun >= 450, `${performance.now() - begun} ms`)
  })

  test('does not make other keys wait, and is halved after a complaint', async () => {
    const limiter = openRateLimiter(db, log)
    await limiter.slow('slow', 3_600_000)
    await takeRateTokens(db, [{ key: 'slow', perSecond: 0.01, count: 1 }])
    const waiting = new AbortController()
    const late = assert.rejects(limiter.take('slow', 0.01, waiting.signal))
    await limiter.take('fast', 1000)
    waiting.abort()
    await late
    await sql`update rate_limits set tokens = 0, refilled_at = clock_timestamp() - interval '150 seconds' where key = 'slow'`.execute(
      db,
    )
    const granted = await takeRateTokens(db, [{ key: 'slow', perSecond: 0.01, count: 5 }])
    assert.equal(granted.get('slow'), 0)
  })
})

test('transactions in a deadlock are retried, and both succeed', async () => {
  await sql`create table test_locks (id integer primary key, n integer not null)`.execute(db)
  await sql`insert into test_locks values (1, 0), (2, 0)`.execute(db)
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let tries = 0
  const change = (n: number, order: readonly [number, number]) =>
    inRetriedTransaction(db, async (tx) => {
      tries++
      await sql`update test_locks set n = n + 1 where id = ${order[0]}`.execute(tx)
      met[n]?.resolve()
      await Promise.all(met.map(({ promise }) => promise))
      await sql`update test_locks set n = n + 1 where id = ${order[1]}`.execute(tx)
    })
  await Promise.all([change(0, [1, 2]), change(1, [2, 1])])
  assert.ok(tries >= 3)
  const { rows } = await sql<{ n: number }>`select n from test_locks order by id`.execute(db)
  assert.deepEqual(rows, [{ n: 2 }, { n: 2 }])
})
