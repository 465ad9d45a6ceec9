import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { countSegment, readCountedSegment } from '../../../src/features/segments/counts/counts.ts'
import { buildCriterionIndexes } from '../../../src/features/segments/criteria/criterion-indexes.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 30_000
const CITIES = 50

const { call, context, own, clock } = await startHarness()
const { db } = context

/** The number of contacts whose city is one of the first. */
async function inFirst(cities: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from generate_series(1, ${CONTACTS}::integer) n where (hashint4(n) & 65535)::numeric * ${CITIES}::integer / 65536 < ${cities}::integer`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** As if counting took longer than a reader waits. */
const readUncountable = (id: number) => readCountedSegment(db, own.account, id, { now: clock.now(), affordable: 0 })

const runCounts = () =>
  runDueJobs(context.pool, context.log, {
    'segments.count': (payload) => countSegment(db, payload, clock.now()),
  })

suite('segment counts that take too long', async () => {
  const { body: city } = await call('POST', '/fields', { body: { type: 'numeric', name: 'City' } })
  const { body: late } = await call('POST', '/fields', { body: { type: 'numeric', name: 'Late' } })
  await sql`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${own.account}, jsonb_build_object(${String(city.id)}::text, (hashint4(n) & 65535)::numeric * ${CITIES}::integer / 65536),
      'p' || n || '@places.example', 'p' || n || '@places.example', decode(md5('p' || n || '@places.example'), 'hex'), now(), now()
    from generate_series(1, ${CONTACTS}::integer) n`.execute(db)
  // Those who came last have a value that nobody else has.
  await sql`
    update contacts set fields = fields || jsonb_build_object(${String(late.id)}::text, 1)
    where account = ${own.account} and id > (select max(id) - 2000 from contacts)`.execute(db)
  await db.executeQuery(sql`analyze contacts`.compile(db))

  let segments = 0

  async function segment(value: number): Promise<number> {
    const criteria = { type: 'field', field: city.id, operator: 'less', value }
    const { status, body } = await call('POST', '/segments', {
      body: { type: 'dynamic', name: `< ${value} (${++segments})`, criteria },
    })
    assert.deepEqual([status, body.targetsCount, body.targetsCountDate, body.targetsCountExact], [200, 0, null, false])
    return body.id
  }

  test('are estimated at once and marked as estimates, and exact once a job has counted', async () => {
    const members = await inFirst(5)
    // On a busy machine the time of a sample is over before it is large enough.
    const [id, shown] = await eventually(async () => {
      const segmentId = await segment(5)
      const answer = await readUncountable(segmentId)
      return Math.abs(answer.targetsCount - members) < members / 4 && ([segmentId, answer] as const)
    })
    const { targetsCountDate, targetsCountExact } = shown
    assert.deepEqual([targetsCountDate, targetsCountExact], [new Date(clock.now()).toISOString(), false])
    assert.deepEqual((await call('GET', `/segments/${id}`)).body, shown)
    clock.advance(1000)
    await runCounts()
    assert.deepEqual((await call('GET', `/segments/${id}`)).body, {
      ...shown,
      targetsCount: members,
      targetsCountDate: new Date(clock.now()).toISOString(),
      targetsCountExact: true,
    })
  })

  test('show the previous count and its date where there is one', async () => {
    const id = await segment(7)
    const before = (await call('GET', `/segments/${id}`)).body
    assert.deepEqual([before.targetsCount, before.targetsCountExact], [await inFirst(7), true])
    clock.advance(61_000)
    assert.deepEqual(await readUncountable(id), before)
    await runCounts()
    const after = { ...before, targetsCountDate: new Date(clock.now()).toISOString() }
    assert.deepEqual((await call('GET', `/segments/${id}`)).body, after)
  })

  test("are estimated within the sample's margin for empty, small and full segments", async () => {
    for (const [value, least, most] of [
      [-1, 0, 40],
      [0.001, 0, 40],
      [CITIES, CONTACTS, CONTACTS],
    ] as const) {
      await eventually(async () => {
        const { targetsCount } = await readUncountable(await segment(value))
        assert.ok(targetsCount >= least && targetsCount <= most, `${targetsCount} below ${value}`)
        return true
      })
    }
  })

  test('are not stored when the criteria change while a job counts', async () => {
    const id = await segment(9)
    const blocking = await context.pool.connect()
    try {
      // The count waits for the segment's row, after it has counted.
      await blocking.query('begin')
      await blocking.query('select from segments where id = $1 for update', [id])
      const counting = countSegment(db, { account: own.account, segment: id }, clock.now())
      counting.catch(() => undefined)
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%update segments set counted%'`.execute(
          db,
        )
        return rows.length > 0
      })
      await blocking.query(`update segments set criteria = jsonb_set(criteria, '{value}', '3') where id = $1`, [id])
      await blocking.query('commit')
      await counting
    } finally {
      blocking.release(true)
    }
    const { body } = await call('GET', `/segments/${id}`)
    assert.deepEqual([body.targetsCount, body.targetsCountExact], [await inFirst(3), true])
  })

  test('pages of members equal the whole list, wherever the members are in it', async () => {
    await buildCriterionIndexes(context)
    const leaves = {
      evenly: { type: 'field', field: city.id, operator: 'less', value: 20 },
      late: { type: 'field', field: late.id, operator: 'equals', value: 1 },
      early: { none: [{ type: 'field', field: late.id, operator: 'equals', value: 1 }] },
      nobody: { type: 'field', field: late.id, operator: 'equals', value: 2 },
    }
    for (const [name, criteria] of Object.entries(leaves)) {
      const { body } = await call('POST', '/segments', { body: { type: 'dynamic', name, criteria } })
      const whole: string[] = (await call('GET', `/segments/${body.id}/targets`)).body
      assert.deepEqual(whole, whole.toSorted(), name)
      const paged: string[] = []
      let next: string | undefined = `/segments/${body.id}/targets?limit=700`
      while (next !== undefined) {
        const { body: page, headers } = await call('GET', next)
        paged.push(...page)
        next = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
      }
      assert.deepEqual(paged, whole, name)
    }
  })
})
