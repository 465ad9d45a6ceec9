import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, clock, sendDue } = stage
const { mail, contact, ask, withoutRules } = pressureTools(stage)
const { db } = context
await call('PUT', '/settings/sending', { body: { testRequired: false } })

const [MESSAGES, SLOTS, CONTACTS, DAYS] = [1000, 50, 40, 30]
const [DAY_MS, QUARTER_MS] = [24 * 3_600_000, 900_000]
const START = Date.parse('2026-05-01T00:00:00Z')
const PATH = '/marketing/pressure/backtest'
const expressions = [
  limit(3, { period: { type: 'rolling', unit: 'DAY', value: 7 } }),
  limit(1, { period: { type: 'calendar', unit: 'DAY', value: 1 } }),
]
const predicate = { type: 'and', expressions }

/** Which messages are stopped when each is compared with every one before it: `[contact, at, use, increment]`. */
function naive(sent: readonly (readonly [contact: string, at: number, use: boolean, increment: boolean])[]): boolean[] {
  const counted: (readonly [string, number])[] = []
  const dayOf = (at: number) => Math.floor(at / DAY_MS)
  return sent.map(([to, at, use, increment]) => {
    const own = counted.filter(([contact]) => contact === to).map(([, before]) => before)
    const bucketEnd = (before: number) => Math.floor(before / QUARTER_MS) * QUARTER_MS + QUARTER_MS
    const ofWeek = own.filter((before) => bucketEnd(before) > at - 7 * DAY_MS).length
    const ofDay = own.filter((before) => dayOf(before) === dayOf(at)).length
    const isStopped = use && (ofWeek + 1 > 3 || ofDay + 1 > 1)
    if (!isStopped && increment) counted.push([to, at])
    return isStopped
  })
}

test('a backtest equals a naive replay and the result of sending the same again under the rule', async () => {
  const random = seeded(25)
  const actions = [
    { id: await mail(), use: true, increment: true },
    { id: await mail({ mp: { use: false } }), use: false, increment: true },
    { id: await mail({ mp: { increment: false } }), use: true, increment: false },
  ]
  const people = await Promise.all(Array.from({ length: CONTACTS }, () => contact()))
  // Some at once, to save time: then one a contact, so that their order does not matter.
  const sent = Array.from({ length: SLOTS }, (_, slot) => {
    const at = START + Math.floor(((slot + random()) * DAYS * DAY_MS) / SLOTS)
    const chosen = people.toSorted(() => random() - 0.5).slice(0, MESSAGES / SLOTS)
    return chosen.map((to) => ({ at, to, action: actions[Math.floor(random() * 6)] ?? actions[0]! }))
  }).flat()

  const sendAll = async () => {
    const stamps: string[] = []
    for (const [at, own] of Map.groupBy(sent, (one) => one.at)) {
      clock.set(at)
      const asked = new Map<(typeof sent)[number], string>()
      for (const [{ id }, list] of Map.groupBy(own, ({ action }) => action)) {
        const made = await ask(
          id,
          list.map(({ to }) => to),
        )
        for (const [place, one] of list.entries()) asked.set(one, made[place]!)
      }
      await sendDue()
      stamps.push(...own.map((one) => asked.get(one)!))
    }
    return stamps
  }
  await sendAll()
  const body = { rule: { predicate }, start: START, end: START + DAYS * DAY_MS }
  const { status, body: found, text } = await call('POST', PATH, { body })
  assert.equal(status, 200, text)

  const stopped = naive(sent.map(({ to, at, action: { use, increment } }) => [to, at, use, increment] as const))
  const whose = (is: (one: (typeof sent)[number]) => boolean) => {
    const own = sent.map((one, place) => ({ one, isStopped: stopped[place]! })).filter(({ one }) => is(one))
    return { messages: own.length, stopped: own.filter(({ isStopped }) => isStopped).length }
  }
  const days = [...new Set(sent.map(({ at }) => new Date(at).toISOString().slice(0, 10)))]
  assert.ok(found.stopped > 100 && found.stopped < 900, `${found.stopped} stopped`)
  assert.deepEqual(found, {
    ...whose(() => true),
    contacts: new Set(sent.filter((_, place) => stopped[place]).map(({ to }) => to)).size,
    byAction: found.byAction,
    byDay: days.map((date) => ({ date, ...whose(({ at }) => new Date(at).toISOString().startsWith(date)) })),
  })
  assert.deepEqual(
    new Map(
      found.byAction.map(({ type, name: _, ...one }: { type: string; name: string; id: string }) => [
        one.id,
        { type, ...one },
      ]),
    ),
    new Map(actions.map(({ id }) => [id, { type: 'mailMessage', id, ...whose(({ action }) => action.id === id) }])),
  )

  // The same anew, a year later by whole weeks and days, under the rule, with nothing counted.
  const { rows } = await sql<{ n: number }>`delete from pressure_counters returning 1 as n`.execute(db)
  assert.equal(rows.length, CONTACTS)
  const made = await call('POST', '/marketing/pressure/rules', { body: { label: 'Tried', predicate } })
  assert.equal(made.status, 200)
  for (const one of sent) one.at += 364 * DAY_MS
  const stamps = await sendAll()
  const { rows: cancelled } = await sql<{ stamp: string }>`
    select stamp from sent_messages where stamp = any(${stamps}::uuid[]) and outcome = 'cancelled'`.execute(db)
  const anew = new Set(cancelled.map(({ stamp }) => stamp))
  assert.deepEqual(
    stamps.map((stamp) => anew.has(stamp)),
    stopped,
  )
  await withoutRules()
})

test('a backtest checks its body and covers its own account only', async () => {
  const at = { start: '2026-05-01', end: '2026-05-31' }
  const ask = (body: object, key?: string) => call('POST', PATH, { body, ...(key && { key }) })
  const pointer = async (body: object) => (await ask(body)).body.errors?.[0]?.pointer
  assert.equal(await pointer({ rule: { predicate }, start: '2026-05-31', end: '2026-05-01' }), '/end')
  assert.equal(await pointer({ rule: { predicate }, start: '2026-01-01', end: '2026-05-01' }), '/end')
  assert.equal(await pointer({ rule: {}, ...at }), '/rule/predicate')
  const reserved = { type: 'and', expressions: [limit(1, { reserve: 1 })] }
  assert.equal(await pointer({ rule: { predicate: reserved }, ...at }), '/rule/predicate/expressions/0/reserve')
  const unknown = { type: 'and', expressions: [limit(1, { topics: [crypto.randomUUID()] })] }
  assert.equal((await ask({ rule: { predicate: unknown }, ...at })).status, 404)
  const foreign = await ask({ rule: { predicate }, ...at }, stage.other.key)
  assert.deepEqual(foreign.body, { messages: 0, stopped: 0, contacts: 0, byAction: [], byDay: [] })
})

test('a backtest with Prefer: respond-async is a job with the same result', async () => {
  const body = { rule: { predicate }, start: START, end: START + DAYS * DAY_MS }
  const { body: direct } = await call('POST', PATH, { body })
  const { status, body: job } = await call('POST', PATH, { body, headers: { prefer: 'respond-async' } })
  assert.equal(status, 202)
  const { runJob } = await import('../../../src/features/jobs/run.ts')
  const { createJobHandlers } = await import('../../../src/service/job-handlers.ts')
  await runJob(context, createJobHandlers(context), { job: job.id })
  const done = (await call('GET', `/jobs/${job.id}`)).body
  assert.equal(done.state, 'done')
  assert.deepEqual(done.result, direct)
})
