import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateEventCounts } from '../../../src/features/events/counts/summary-counts.ts'
import { aggregateEndedCounts, purgeEndedInstants } from '../../../src/sending/record/ended-counts.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { reportTools, type Shown, sum } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, contact, context, gateway, other } = stage
const { db, pool } = context
const { report, behind, assertBalance, assertLists } = reportTools(stage, '/actions')
const MINUTE = 60_000
const begin = Date.parse('2026-03-02T09:52:13.417Z')

type Random = () => number

/** What anybody does to messages sent on demand, in any order; each message has its instant. */
function play(random: Random, seed: number, id: string, asked: Map<string, number>) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  let people = 0
  const results = ['accepted', 'accepted', 'refused', 'deferred', 'doubtful'] as const
  const execute = async (): Promise<void> => {
    const recipients: string[] = []
    for (let n = 0; n <= random() * 3; n++) {
      const address = `p${seed}-${people++}@orchard.example`
      const value = await contact(address)
      if (random() < 0.15) await call('POST', `/targets/${value}/redlist/mail`, { body: {} })
      gateway.plan(address, { result: pick(results) })
      recipients.push(value)
    }
    for (const value of recipients) {
      const answer = await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value } } })
      assert.equal(answer.status, 200, answer.text)
      asked.set(value, clock.now())
    }
  }
  const held = async (decision: 'send' | 'drop'): Promise<void> => {
    const { rows } = await pool.query<{ stamp: string }>("select stamp from messages where state = 'held' order by id")
    if (rows.length === 0) return
    const body = { decision, messages: [pick(rows).stamp] }
    const answer = await call('POST', '/settings/sending/held/release', { body })
    assert.ok(answer.status < 300, answer.text)
  }
  const moves = [
    execute,
    execute,
    () => Promise.resolve(clock.advance(Math.floor(random() * 20 * MINUTE))),
    async () => void (await stage.sendDue()),
    () => held('send'),
    () => held('drop'),
    () => aggregateEndedCounts(db),
    () => updateEventCounts(db),
  ]
  return () => pick(moves)()
}

/** Any bounds, of whole quarters or not. */
function somePeriod(random: Random): { start: number; end: number } {
  const span = clock.now() + MINUTE - begin
  const [a, b] = [random(), random()].map((part) => Math.floor(begin + part * span)).sort((x, y) => x - y)
  const floor = (ms: number): number => (random() < 0.4 ? ms - (ms % (15 * MINUTE)) : ms)
  const [start, end] = [floor(a!), floor(b!)]
  return { start: Math.min(start, end), end: Math.max(start, end) + 1 }
}

suite('the balance of executions on demand', () => {
  for (const seed of [1, 2, 3])
    test(`equals the lists of messages after any sequence of events, in any period: ${seed}`, async () => {
      const random = seeded(20_261_200 + seed)
      clock.set(begin)
      const id = await stage.validated(await stage.action())
      const asked = new Map<string, number>()
      const move = play(random, seed, id, asked)
      for (let n = 0; n < 40; n++) {
        await move()
        if (n % 8 !== 7) continue
        const whole = await assertLists(id)
        assert.equal(whole.audience, asked.size)
        const { start, end } = somePeriod(random)
        const period = `?start=${new Date(start).toISOString()}&end=${new Date(end).toISOString()}`
        const part = await assertLists(id, period)
        assert.equal(part.audience, [...asked.values()].filter((at) => at >= start && at < end).length, period)
      }
    })

  test('adds up in every reading while messages end and are counted', async () => {
    clock.set(Date.now())
    const id = await stage.validated(await stage.action())
    for (let n = 0; n < 30; n++) {
      gateway.plan(`c${n}@orchard.example`, { result: n % 3 === 0 ? 'refused' : 'accepted' })
      const value = await contact(`c${n}@orchard.example`)
      assert.equal(
        (await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value } } })).status,
        200,
      )
    }
    let isOver = false
    const sending = stage.sendDue().finally(() => {
      isOver = true
    })
    while (!isOver) {
      await Promise.all([aggregateEndedCounts(db), aggregateEndedCounts(db)])
      assert.equal((await assertBalance(id)).audience, 30)
    }
    await sending
    const { sent, refused } = await assertLists(id)
    assert.deepEqual([sent, refused], [20, 10])
    assert.equal((await call('GET', `/actions/${id}/report`, { key: other.key })).status, 404)
  })

  test('remains when messages, their events and single instants are no longer kept', async () => {
    clock.set('2026-03-02T10:00:00.000Z')
    const id = await stage.validated(await stage.action())
    for (const [name, result] of [
      ['yes', 'accepted'],
      ['no', 'refused'],
    ] as const) {
      gateway.plan(`${name}@orchard.example`, { result })
      const value = await contact(`${name}@orchard.example`)
      await call('POST', `/actions/${id}/execution`, { body: { recipient: { type: 'id', value } } })
    }
    await stage.sendDue()
    await aggregateEndedCounts(db)
    const numbers = ({ audience, sent, refused, cancelled }: Shown) => [audience, sent, refused, sum(cancelled)]
    const before = numbers(await assertLists(id))
    assert.deepEqual(before, [2, 1, 1, 0])
    await pool.query('delete from sent_messages; delete from events')
    assert.ok((await pool.query("select from ended_quarters where instants <> ''")).rows.length > 0)
    await purgeEndedInstants(db, new Date('2030-01-01'))
    assert.equal((await pool.query("select from ended_quarters where instants <> ''")).rows.length, 0)
    assert.equal((await pool.query('select from ended_batches')).rows.length, 0)
    assert.deepEqual(numbers(await report(id)), before)
    assert.deepEqual(await behind(id, 'audience'), [])
    const day = await report(id, '?start=2026-03-02&end=2026-03-03')
    assert.deepEqual([...numbers(day), (await report(id, '?start=2026-03-03')).audience], [...before, 0])
  })
})
