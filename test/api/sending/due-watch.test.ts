import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { createDueWorkWatch, signalDueWork } from '../../../src/jobs/due-watch.ts'
import type { ClockStepWatch } from '../../../src/lib/time/clock-steps.ts'
import { startHarness } from '../../support/harness.ts'

const { clock, context } = await startHarness()
const { db } = context
const { signal } = new AbortController()
const LONG = { signal, mostMs: 60_000 }

await sql`create table due_work (name text primary key, at timestamptz not null)`.execute(db)
const isDue = (name: string) => (now: Date) => sql`exists (select from due_work where name = ${name} and at <= ${now})`
const write = (name: string, at: number) =>
  sql`insert into due_work values (${name}, ${new Date(at)}) on conflict (name) do update set at = excluded.at`.execute(
    db,
  )

/** How many statements of the watch were made. */
function counted(options: { restsAfterMs?: number } = {}) {
  const looks = { n: 0 }
  const logging = db.withPlugin({
    transformQuery({ node }) {
      looks.n++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { looks, watch: createDueWorkWatch({ db: logging, clock }, options) }
}

suite('the watch for due work', () => {
  test('wakes each waiter for its own work only, and not before it is due', async () => {
    const { watch } = counted()
    for (const name of ['first', 'second', 'later']) watch.add(name, isDue(name))
    await write('later', clock.now() + 5000)
    const found: string[] = []
    const waits = ['first', 'second', 'later'].map(async (name) => {
      assert.equal(await watch.until(name, LONG), true)
      found.push(name)
    })
    await write('second', clock.now())
    await waits[1]
    assert.deepEqual(found, ['second'])
    await write('first', clock.now())
    await waits[0]
    assert.deepEqual(found, ['second', 'first'])
    clock.advance(5000)
    await Promise.all(waits)
    assert.deepEqual(found, ['second', 'first', 'later'])
  })

  test('learns with each look what the clocks of the machine and of the database say', async () => {
    const seen: [string, number][] = []
    const steps: ClockStepWatch = {
      sample: (clock, { wall, asked, answered }) => {
        assert.ok(asked <= answered)
        seen.push([clock, wall])
      },
      onStep: () => assert.fail('the watch asks for no steps'),
    }
    const watch = createDueWorkWatch({ db, clock }, { steps })
    watch.add('sampled', isDue('sampled'))
    await write('sampled', clock.now())
    const before = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    await watch.until('sampled', LONG)
    assert.deepEqual(
      seen.map(([name]) => name),
      ['machine', 'database'],
    )
    assert.equal(seen[0]?.[1], clock.now())
    assert.ok(seen[1]![1] >= before.rows[0]!.at.getTime())
  })

  test('looks at once when work is committed in this process', async () => {
    const { watch } = counted()
    watch.add('hurried', isDue('hurried'))
    const took: number[] = []
    for (let n = 0; n < 10; n++) {
      const waiting = watch.until('hurried', LONG)
      await write('hurried', clock.now())
      const begun = performance.now()
      signalDueWork(db)
      assert.equal(await waiting, true)
      took.push(performance.now() - begun)
      await sql`delete from due_work where name = 'hurried'`.execute(db)
    }
    assert.ok(Math.min(...took) < 50, String(took))
  })

  test('runs one statement a tick for any number of waiters, and none without waiters', async () => {
    const { watch, looks } = counted()
    for (let n = 0; n < 30; n++) watch.add(`none ${n}`, isDue(`none ${n}`))
    const waits = Array.from({ length: 30 }, (_, n) => watch.until(`none ${n}`, { signal, mostMs: 1000 }))
    assert.deepEqual(new Set(await Promise.all(waits)), new Set([false]))
    assert.ok(looks.n > 1 && looks.n <= 11, `${looks.n} statements`)
    const before = looks.n
    await watch.until('none 0', { signal: AbortSignal.abort(), mostMs: 60_000 })
    assert.equal(looks.n, before)
  })

  test('looks less often after a while without work, until there is some', async () => {
    const { watch, looks } = counted({ restsAfterMs: 300 })
    watch.add('rare', isDue('rare'))
    await watch.until('rare', { signal, mostMs: 300 })
    const before = looks.n
    await watch.until('rare', { signal, mostMs: 1000 })
    assert.ok(looks.n - before >= 2 && looks.n - before <= 5, `${looks.n - before} statements`)
    const pauses: number[] = []
    // A busy machine may hold some of them up.
    for (let n = 0; n < 5 && !pauses.some((ms) => ms < 200); n++) {
      await write('rare', clock.now())
      assert.equal(await watch.until('rare', LONG), true)
      await sql`delete from due_work where name = 'rare'`.execute(db)
      const [awake, begun] = [looks.n, performance.now()]
      await watch.until('rare', { signal, mostMs: 290 })
      pauses.push((performance.now() - begun) / (looks.n - awake))
    }
    assert.ok(Math.min(...pauses) < 200, `${pauses} ms between two statements`)
  })

  test('looks once a second after a long idle time, and at once when work is committed here', async () => {
    const { watch, looks } = counted({ restsAfterMs: 50 })
    watch.add('rarest', isDue('rarest'))
    await watch.until('rarest', { signal, mostMs: 600 })
    const before = looks.n
    await watch.until('rarest', { signal, mostMs: 2500 })
    assert.ok(looks.n - before >= 1 && looks.n - before <= 3, `${looks.n - before} statements`)
    const took: number[] = []
    // A busy machine may delay some of them.
    for (let n = 0; n < 5 && !took.some((ms) => ms < 500); n++) {
      const waiting = watch.until('rarest', LONG)
      await write('rarest', clock.now())
      const startMs = performance.now()
      signalDueWork(db)
      assert.equal(await waiting, true)
      took.push(performance.now() - startMs)
      await sql`delete from due_work where name = 'rarest'`.execute(db)
      await watch.until('rarest', { signal, mostMs: 600 })
    }
    assert.ok(Math.min(...took) < 500, String(took))
  })

  test('lets several waiters share a name, and each can stop on its own', async () => {
    const { watch } = counted()
    watch.add('shared', isDue('shared'))
    const stopping = new AbortController()
    const [stopped, told] = [
      watch.until('shared', { signal: stopping.signal, mostMs: 60_000 }),
      watch.until('shared', LONG),
    ]
    stopping.abort()
    assert.equal(await stopped, false)
    await write('shared', clock.now())
    assert.equal(await told, true)
  })

  test('fails every waiter when the query fails, and queries again afterwards', async () => {
    const { watch } = counted()
    watch.add('broken', () => sql`exists (select from no_such_table)`)
    await Promise.all(['broken', 'broken'].map((name) => assert.rejects(watch.until(name, LONG), /no_such_table/)))
    await assert.rejects(watch.until('broken', LONG), /no_such_table/)
  })
})
