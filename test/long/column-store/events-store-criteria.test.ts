import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { isEventStoreAway } from '../../../src/features/events/columnar/store.ts'
import { compareWatchedSegments, watchSegments } from '../../../src/features/segments/members/watched.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { planCampaign } from '../../../src/sending/plan/plan-campaign.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { CROSSING, startCrossing } from '../../support/crossing.ts'
import { startStage } from '../../support/stages/stage.ts'

const skip = await engineIsMissing()

suite('event criteria beyond the border', { skip }, async () => {
  // The borders of this file are its own.
  delete process.env[CROSSING]
  const stage = await startStage()
  const { call, clock, context, own, other } = stage
  const { db } = context
  const { engine, cross } = await startCrossing(context)

  const now = clock.now()
  const at = (days: number): number => now - days * DAY_MS
  const [early, later, late] = [at(60), at(40), at(10)]
  const border = at(30)

  const ids: Record<string, string> = {}
  for (const name of ['ann', 'bob', 'cyd', 'dee', 'eve', 'fay', 'gus'])
    ids[name] = await stage.contact(`${name}@people.example`)
  const stranger: string = (await call('POST', '/targets', { body: { Email: 'ann@people.example' }, key: other.key }))
    .body.id
  const mail = await stage.action()
  const second = await stage.action()

  interface Happening {
    account?: number
    name: string
    at: number
    times?: number
    kind?: string
    channel?: string
    action?: number
    robot?: boolean
  }

  const numberOf = (action: string): number => Number.parseInt(action, 36)

  const happenings: Happening[] = [
    { name: 'ann', at: early, times: 3, action: numberOf(mail) },
    { name: 'ann', at: late, times: 2, action: numberOf(mail) },
    { name: 'bob', at: early, times: 2, action: numberOf(mail) },
    { name: 'cyd', at: late, times: 2, action: numberOf(mail) },
    { name: 'dee', at: early, robot: true, action: numberOf(mail) },
    { name: 'dee', at: late, action: numberOf(second) },
    { name: 'fay', at: later, action: numberOf(second) },
    { name: 'fay', at: late, action: numberOf(mail) },
    // A notification has the number of an action, and is none.
    { name: 'eve', at: early, kind: 'impressions', channel: 'notification', action: numberOf(mail) },
    { name: 'gus', at: early, times: 5, action: numberOf(mail) },
    { name: 'stranger', account: other.account, at: early, times: 4, action: numberOf(mail) },
  ]

  async function happen(all: readonly Happening[]): Promise<void> {
    const rows = all.flatMap((one) => Array.from({ length: one.times ?? 1 }, () => one))
    await sql`
      insert into events (id, at, account, channel, subject, kind, contact, classification, detail)
      select uuidv7(), at, account, channel, subject, kind, contact, robot, '{}' from unnest(
        ${rows.map((one) => new Date(one.at))}::timestamptz[], ${rows.map((one) => one.account ?? own.account)}::integer[],
        ${rows.map((one) => one.channel ?? 'email')}::text[], ${rows.map((one) => one.action ?? null)}::integer[],
        ${rows.map((one) => one.kind ?? 'hits/open')}::text[],
        ${rows.map((one) => parseContactId(one.name === 'stranger' ? stranger : ids[one.name]!)!)}::bigint[],
        ${rows.map((one) => (one.robot ? 'mpp' : null))}::text[]) as e (at, account, channel, subject, kind, contact, robot)`.execute(
      db,
    )
  }
  await sql`select make_event_partitions(now() - interval '3 months', 3)`.execute(db)
  await happen(happenings)
  assert.equal((await call('DELETE', `/targets/${ids['gus']}`)).status, 204)
  delete ids['gus']
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  const everybody = Object.keys(ids)
  const others = (...left: string[]) => everybody.filter((name) => !left.includes(name))

  let made = 0
  async function segment(criteria: object): Promise<number> {
    const answer = await call('POST', '/segments', { body: { type: 'dynamic', name: `Events ${++made}`, criteria } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.id
  }

  const opens = (more: object = {}) => ({ type: 'event', event: 'hits/open', ...more })
  const count = (operator: string, value: unknown) => ({ count: { operator, value } })
  const period = (start: number | undefined, end?: number) => ({
    period: {
      ...(start && { start: new Date(start).toISOString() }),
      ...(end && { end: new Date(end).toISOString() }),
    },
  })

  /** What is asked, and who it selects: wherever the border is. */
  const cases: [string, object, string[]][] = [
    ['any', opens(), ['ann', 'bob', 'cyd', 'dee', 'fay']],
    ['of every kind', { type: 'event', event: 'impression' }, ['eve']],
    ['exactly, on both sides', opens(count('equals', 5)), ['ann']],
    ['exactly, on one side', opens(count('equals', 2)), ['bob', 'cyd', 'fay']],
    ['other than', opens(count('notEquals', 2)), others('bob', 'cyd', 'fay')],
    ['none', opens(count('equals', 0)), ['eve']],
    ['not none', opens(count('notEquals', 0)), others('eve')],
    ['between', opens(count('between', [2, 4])), ['bob', 'cyd', 'fay']],
    ['between from none', opens(count('between', [0, 2])), others('ann')],
    ['less', opens(count('less', 2)), ['dee', 'eve']],
    ['at most', opens(count('lessOrEqual', 5)), everybody],
    ['more', opens(count('greater', 2)), ['ann']],
    ['at least', opens(count('greaterOrEqual', 2)), ['ann', 'bob', 'cyd', 'fay']],
    ['negated', { none: [opens(count('greaterOrEqual', 2))] }, ['dee', 'eve']],
    ['with robots', opens({ robots: true, ...count('equals', 2) }), ['bob', 'cyd', 'dee', 'fay']],
    ['of an action', opens({ actions: [mail], ...count('greaterOrEqual', 1) }), ['ann', 'bob', 'cyd', 'fay']],
    ['of actions', opens({ actions: [mail, second], ...count('equals', 2) }), ['bob', 'cyd', 'fay']],
    ['of the other action', opens({ actions: [second] }), ['dee', 'fay']],
    ['of a notification', { type: 'event', event: 'impression', actions: [numberOf(mail)] }, ['eve']],
    ['of no action', opens({ actions: [] }), []],
    ['of another channel', { type: 'event', event: 'hit', channel: 'sms' }, []],
    ['before the border', opens(period(undefined, border)), ['ann', 'bob', 'fay']],
    ['counted before the border', opens({ ...period(undefined, border), ...count('less', 3) }), others('ann')],
    ['from the border', opens(period(border)), ['ann', 'cyd', 'dee', 'fay']],
    ['across the border', opens({ ...period(later, late + 1), ...count('equals', 2) }), ['ann', 'cyd', 'fay']],
    ['up to an instant, which is not in it', opens(period(later, late)), ['fay']],
    ['of the last days', opens({ period: { last: { value: 20, unit: 'day' } } }), ['ann', 'cyd', 'dee', 'fay']],
    [
      'of the last two months',
      opens({ period: { last: { value: 50, unit: 'day' } }, ...count('equals', 2) }),
      ['ann', 'cyd', 'fay'],
    ],
    ['with another', { all: [opens({ actions: [second] }), opens({ actions: [mail] })] }, ['fay']],
    ['or another', { any: [opens(count('equals', 5)), { type: 'event', event: 'impression' }] }, ['ann', 'eve']],
  ]

  /** The members by every way there is to them. */
  async function check(): Promise<void> {
    for (const [what, criteria, expected] of cases) {
      const id = await segment(criteria)
      const listed = await call('GET', `/segments/${id}/targets`)
      assert.equal(listed.status, 200, listed.text)
      assert.deepEqual(listed.body.map((one: string) => names.get(one) ?? one).toSorted(), expected.toSorted(), what)
      assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, expected.length, what)
      const preview = await call('POST', '/segments/preview', { body: { criteria } })
      assert.deepEqual([preview.body.count, preview.body.sample.length], [expected.length, expected.length], what)
      for (const name of ['ann', 'eve']) {
        const { body } = await call('GET', `/targets/${ids[name]}/segments?type=dynamic`)
        assert.equal(
          body.some((one: { id: number }) => one.id === id),
          expected.includes(name),
          `${what}: ${name}`,
        )
      }
      assert.equal((await call('DELETE', `/segments/${id}`)).status, 204)
    }
  }

  const kept = { old: 0, recent: 0 }

  test('select the same contacts before there is a border', check)

  test('select the same contacts with the border in between and older events removed from the database', async () => {
    await cross(border)
    await sql`delete from events where at < ${new Date(border)}`.execute(db)
    await sql`update event_store set dropped_until = border`.execute(db)
    await check()
  })

  test('select no contacts of another account', async () => {
    const asked = { body: { criteria: opens() }, key: other.key }
    const { body } = await call('POST', '/segments/preview', asked)
    assert.deepEqual([body.count, body.sample[0].id], [1, stranger])
    const elsewhere = await segment(opens())
    assert.equal((await call('GET', `/segments/${elsewhere}/targets`, { key: other.key })).status, 404)
  })

  test('a query fails with 503 if its events were dropped after it was prepared', async () => {
    await sql`update event_store set dropped_until = border + interval '1 second'`.execute(db)
    const { status, body, headers } = await call('POST', '/segments/preview', { body: { criteria: opens() } })
    assert.deepEqual([status, body.type, headers['retry-after']], [503, 'urn:stentor:problem:unavailable', '5'])
    await sql`update event_store set dropped_until = border`.execute(db)
  })

  test('queries that need the store fail with 503 while it is away, and others work', async () => {
    kept.old = await segment(opens(count('greaterOrEqual', 2)))
    kept.recent = await segment(opens(period(border)))
    assert.equal((await call('GET', `/segments/${kept.old}`)).body.targetsCount, 4)
    clock.advance(120_000)
    await engine.pause('refuse')
    try {
      for (const [method, url, body] of [
        ['GET', `/segments/${kept.old}`],
        ['GET', `/segments/${kept.old}/targets`],
        ['GET', `/targets/${ids['ann']}/segments?type=dynamic`],
        ['POST', '/segments/preview', { criteria: opens() }],
        ['POST', '/targets/search', { criteria: opens() }],
      ] as const) {
        const answer = await call(method, url, { body })
        const said = [answer.status, answer.body.type, answer.headers['retry-after']]
        assert.deepEqual(
          said,
          [503, 'urn:stentor:problem:event-history-away', '10'],
          `${method} ${url}: ${answer.text}`,
        )
      }
      assert.equal((await call('GET', `/segments/${kept.recent}/targets`)).body.length, 4)
      assert.equal((await call('GET', `/segments/${kept.recent}`)).body.targetsCount, 4)
    } finally {
      await engine.resume()
    }
    assert.equal((await call('GET', `/segments/${kept.old}/targets`)).body.length, 4)
  })

  test('a campaign waits for the store and then reaches everyone', async () => {
    const scheduler = { type: 'asap', segments: { selected: [kept.old] } }
    const action = await stage.validated(await stage.action({ type: 'mailCampaign', scheduler }))
    await stage.advance()
    const planning = async () => {
      const { rows } = await sql<{ id: number; state: string; audience_at: Date | null }>`
        select g.id, g.state, g.audience_at from sendings g where g.kind = 'campaign'`.execute(db)
      return rows[0]!
    }
    const { id: sending } = await planning()
    await engine.pause('refuse')
    try {
      await assert.rejects(planCampaign(context, { sending }), isEventStoreAway)
      await stage.advance()
      const { state, audience_at } = await planning()
      assert.deepEqual([state, audience_at, await stage.state(action)], ['planning', null, 55])
    } finally {
      await engine.resume()
    }
    await stage.settle()
    const reached = stage.gateway.sent
      .flatMap(({ envelope }) => [envelope.to].flat())
      .filter((to) => to.endsWith('people.example'))
    assert.deepEqual(
      reached.toSorted(),
      ['ann', 'bob', 'cyd', 'fay'].map((name) => `${name}@people.example`),
    )
  })

  test('a watched segment is compared again once the store is back', async () => {
    const members = async () => {
      const { rows } = await sql<{
        contact: number
      }>`select contact from watched_members where segment = ${kept.old}`.execute(db)
      return rows.length
    }
    await watchSegments(db, own.account, 'workflow 1', [kept.old])
    await engine.pause('refuse')
    try {
      await assert.rejects(compareWatchedSegments(db, now + DAY_MS), isEventStoreAway)
      assert.equal(await members(), 0)
    } finally {
      await engine.resume()
    }
    await compareWatchedSegments(db, now + DAY_MS + 60_000)
    assert.equal(await members(), 4)
  })

  test('select the same contacts with everything behind the border', async () => {
    await cross()
    await check()
  })
})
