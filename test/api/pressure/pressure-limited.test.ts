import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { pressureBucketKey } from '../../../src/features/pressure/counters/buckets.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { calendarDay, limit, pressureTools, rollingHour } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, other, own } = stage
const tools = pressureTools(stage)
const { topic, rule, contact, mail } = tools
await call('PUT', '/settings/sending', { body: { testRequired: false } })

const limited = async (query = '') => (await call('GET', `/marketing/pressure/limited${query}`)).body
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

/** Nothing is counted, and no rule asked. */
async function anew(): Promise<void> {
  await tools.withoutRules()
  await sql`delete from pressure_counters`.execute(context.db)
}

/** Counts messages of a contact at a moment. */
async function count(id: string, at: number, n: number, scope: object = {}): Promise<void> {
  const key = pressureBucketKey({ channel: 'email', purpose: 'marketing', topic: 0, ...scope }, at)
  await sql`
    insert into pressure_counters as p (account, contact, buckets)
    values (${own.account}, ${parseContactId(id)!}, array[${key}::bigint * 16384 + ${n}])
    on conflict (account, contact) do update set buckets = p.buckets || excluded.buckets`.execute(context.db)
}

suite('GET /marketing/pressure/limited', () => {
  test('lists contacts that a message would not reach and until when, and their next message is stopped', async () => {
    await anew()
    const weekly = await rule([limit(2)])
    const [reached, half] = [await contact(), await contact()]
    const action = await mail()
    for (const to of [reached, reached, half]) assert.equal(await tools.send(action, to), 'accepted')
    const answer = await limited()
    const until = (await call('GET', `/targets/${reached}/pressure`)).body[0].until
    const { unicity } = (await call('POST', '/targets/resolve', { body: { type: 'id', value: reached } })).body
    assert.deepEqual(answer, {
      items: [
        {
          id: reached,
          unicity,
          rule: { id: weekly.id, label: weekly.label },
          expression: 0,
          limit: 2,
          until,
          count: 2,
        },
      ],
      total: 1,
      exact: true,
      next: null,
      closed: [],
    })
    assert.equal(await tools.send(action, reached), 'cancelled')
    assert.deepEqual(idsOf(await limited('?purpose=service')), [])
  })

  test('respects the topic, the channel and the priority of the message', async () => {
    await anew()
    const [fruit, wine] = [await topic(), await topic()]
    await rule([
      limit(1, { topics: [fruit], reserve: 0 }),
      limit(2, { channels: ['sms'], reserve: 1, reservePriority: 80 }),
    ])
    const { rows } = await sql<{ number: number }>`select number from pressure_topics where id = ${fruit}`.execute(
      context.db,
    )
    const [about, texted] = [await contact(), await contact()]
    await count(about, clock.now(), 1, { topic: rows[0]!.number })
    await count(texted, clock.now(), 1, { channel: 'sms' })
    assert.deepEqual(idsOf(await limited(`?topic=${fruit}`)), [about])
    assert.deepEqual(idsOf(await limited(`?topic=${wine}`)), [])
    assert.deepEqual(idsOf(await limited('?channel=sms')), [texted])
    assert.deepEqual(idsOf(await limited('?channel=sms&priority=90')), [])
    assert.deepEqual(idsOf(await limited()), [])
  })

  test('requires all limits of `or` to be reached, and rolling and calendar periods end', async () => {
    await anew()
    const { id } = await rule([limit(2), limit(1, { period: calendarDay })], { type: 'or' })
    const [both, one, yesterday] = [await contact(), await contact(), await contact()]
    const day = 24 * 3_600_000
    await count(both, clock.now() - day, 1)
    await count(both, clock.now(), 1)
    await count(one, clock.now(), 1)
    await count(yesterday, clock.now() - day, 2)
    assert.deepEqual(idsOf(await limited(`?rule=${id}`)), [both])
    const hourly = await rule([limit(1, { period: rollingHour })])
    const { total, items } = await limited()
    assert.deepEqual(
      [total, items.map((item: { rule: { id: string } }) => item.rule.id).toSorted()],
      [2, [hourly.id, id].toSorted()],
    )
    clock.advance(2 * 3_600_000)
    assert.deepEqual(idsOf(await limited(`?rule=${hourly.id}`)), [])
  })

  test('lists rules that stop everybody separately', async () => {
    await anew()
    const quiet = await rule([limit(0, { window: { from: '00:00', to: '00:00' } })])
    const { items, total, closed } = await limited()
    assert.deepEqual([items, total], [[], 0])
    assert.deepEqual(
      closed.map(({ rule: { id }, expression, limit }: (typeof closed)[number]) => [id, expression, limit]),
      [[quiet.id, 0, 0]],
    )
    assert.equal(typeof closed[0].until, 'number')
  })

  test('respects the time zones of contacts', async () => {
    await anew()
    const field = (await call('POST', '/fields', { body: { type: 'textField', name: 'Zone' } })).body.id
    await call('PUT', '/settings/marketing/pressure', { body: { timeZoneField: field } })
    await rule([limit(1, { period: calendarDay })])
    const [utc, east] = [await contact(), await contact()]
    await call('PUT', `/targets/${east}`, { body: { Zone: 'Pacific/Kiritimati' } })
    // An hour and a half ago in UTC is the same day there unless midnight was between.
    clock.set(Date.parse('2026-06-10T10:45:00Z'))
    for (const id of [utc, east]) await count(id, Date.parse('2026-06-10T09:15:00Z'), 1)
    const { items, exact } = await limited()
    assert.deepEqual([items.map(({ id }: { id: string }) => id), exact], [[utc], false])
    await call('PUT', '/settings/marketing/pressure', { body: { timeZoneField: null } })
  })

  test('continues page by page over whole lists', async () => {
    await anew()
    await rule([limit(1)])
    const all: string[] = []
    for (let index = 0; index < 5; index++) {
      const id = await contact()
      await count(id, clock.now(), 1)
      all.push(id)
    }
    const before = new Set(idsOf(await limited('?limit=500')))
    assert.ok(all.every((id) => before.has(id)))
    const found: string[] = []
    let next: string | null = null
    do {
      const page = await limited(`?limit=2${next === null ? '' : `&after=${next}`}`)
      assert.equal(page.total, before.size)
      found.push(...idsOf(page))
      next = page.next
    } while (next !== null)
    assert.deepEqual(found, [...before])
    assert.deepEqual(idsOf(await limited('?at=0')), found)
    const late = idsOf(await limited('?at=0.9'))
    assert.ok(late.length > 0 && late.length < found.length)
    assert.equal(late.at(-1), found.at(-1))
  })

  test('is 404 for unknown objects, 400 for invalid queries, and empty for another account', async () => {
    const none = '0198c2d5-0c4a-7b11-8a2e-5f60718293a4'
    const path = '/marketing/pressure/limited'
    const inactive = await rule([limit(1)], { active: false } as object)
    for (const [query, status] of [
      [`topic=${none}`, 404],
      [`rule=${none}`, 404],
      [`rule=${inactive.id}`, 404],
      ['channel=fax', 400],
      ['limit=0', 400],
      ['after=-', 400],
      ['at=2', 400],
      ['at=0.5&after=00000001.1.1', 400],
    ] as const)
      assert.equal((await call('GET', `${path}?${query}`)).status, status, query)
    const { body } = await call('GET', path, { key: other.key })
    assert.deepEqual(body, { items: [], total: 0, exact: true, next: null, closed: [] })
  })
})
