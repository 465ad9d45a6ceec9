import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { pushSends } from '../../support/stages/push-sends.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { call, clock, context, peers, application, notification, person, device, request, sendPushes, outcomes } = stage
const { db } = context
const { requests, plan } = peers.webpush
const MINUTE = 60_000
const PATH = '/parameters/applications'
/** Of the providers, the one that takes any time of its sender. */
const PROVIDER = 'webpush'

interface Refused {
  app: string
  stamps: string[]
  /** Counts of the outcomes. */
  counts(): Promise<Record<string, number>>
  comeDue(): Promise<void>
  /** Rests in a row, and how many minutes the last of them has left. */
  rest(): Promise<[number, number] | undefined>
}

/** An application whose credentials were refused for so many messages at once. */
async function refused(count: number): Promise<Refused> {
  const app = await application([PROVIDER, 'http'])
  const news = await notification(app)
  const contacts: number[] = []
  for (let n = 0; n < count; n++) contacts.push(await person())
  for (const contact of contacts) await device(app, contact, PROVIDER)
  plan.push(...contacts.map(() => ({ status: 403 })))
  const stamps = await request(news, contacts)
  await sendPushes()
  return {
    app,
    stamps,
    comeDue: pushSends(stage, app, news).comeDue,
    async counts() {
      const all = await Promise.all(stamps.map(outcomes))
      return Object.fromEntries(
        [...Map.groupBy(all, (one) => one.join(', '))].map(([said, list]) => [said, list.length]),
      )
    },
    async rest() {
      const { rows } = await sql<{ rests: number; rests_until: Date }>`
        select rests, rests_until from push_refusals where application = ${app}`.execute(db)
      return rows[0] && [rows[0].rests, (rows[0].rests_until.getTime() - clock.now()) / MINUTE]
    },
  }
}

/** How many requests some work made. */
async function requestsOf(work: () => Promise<unknown>): Promise<number> {
  const before = requests.length
  await work()
  return requests.length - before
}

test('20 refused credentials in a row suspend the provider for all senders, 5 minutes to an hour, and lose nothing', async () => {
  const { app, counts, comeDue, rest } = await refused(32)
  plan.length = 0
  assert.deepEqual(await counts(), { 'cancellations configuration': 20, '': 12 })
  assert.deepEqual(await rest(), [1, 5])
  assert.ok((await call('GET', `${PATH}/${app}`)).body.providers[0].restingUntil > new Date(clock.now()).toISOString())

  const other = stage.anotherSender()
  await comeDue()
  assert.equal(await requestsOf(other), 0, 'another sender knows of it')
  for (const [rests, minutes] of [
    [2, 10],
    [3, 20],
    [4, 40],
    [5, 60],
    [6, 60],
  ] as const) {
    clock.advance((await rest())![1] * MINUTE)
    await stage.reopen()
    plan.push({ status: 401 }, { status: 401 })
    const both = [sendPushes, stage.anotherSender()]
    await comeDue()
    const probes = await requestsOf(() => Promise.all(both.map((send) => send())))
    assert.ok(probes === 1 || probes === 2, `each sender asks once: ${probes}`)
    plan.length = 0
    assert.deepEqual(await rest(), [rests, minutes])
    await comeDue()
    assert.equal(await requestsOf(stage.anotherSender()), 0)
    assert.deepEqual(await counts(), { 'cancellations configuration': 20, '': 12 })
  }
  clock.advance(60 * MINUTE)
  await stage.reopen()
  await comeDue()
  await sendPushes()
  await comeDue()
  await stage.reopen()
  await sendPushes()
  assert.deepEqual(await counts(), { 'cancellations configuration': 20, [`activations ${PROVIDER}`]: 12 })
  assert.equal(await rest(), undefined)
  assert.equal((await call('GET', `${PATH}/${app}`)).body.providers[0].restingUntil, undefined)
})

test('new credentials end the suspension and make waiting messages due, unchanged ones do not', async () => {
  const { app, counts, comeDue, rest } = await refused(25)
  await comeDue()
  await stage.reopen()
  await sendPushes()
  const { body: shown } = await call('GET', `${PATH}/${app}`)
  assert.equal((await call('PUT', `${PATH}/${app}`, { body: shown })).status, 200)
  assert.equal((await rest())?.[0], 1, 'nothing was changed')
  assert.equal((await call('PUT', `${PATH}/${app}`, { body: shown, key: stage.other.key })).status, 404)
  const providers = shown.providers.map((one: { type: string }) =>
    one.type === PROVIDER ? { ...one, subject: 'mailto:other@orchard.example' } : one,
  )
  assert.equal((await call('PUT', `${PATH}/${app}`, { body: { providers } })).status, 200)
  assert.equal(await rest(), undefined)
  await stage.reopen()
  await sendPushes()
  assert.deepEqual(await counts(), { 'cancellations configuration': 20, [`activations ${PROVIDER}`]: 5 })
})

test('activating the application ends the suspension, for its own account only', async () => {
  const { app, counts, comeDue, rest } = await refused(22)
  await comeDue()
  await stage.reopen()
  await sendPushes()
  assert.equal((await call('POST', `${PATH}/${app}/activation`, { key: stage.other.key })).status, 404)
  assert.equal((await rest())?.[0], 1)
  assert.equal((await call('POST', `${PATH}/${app}/activation`)).status, 204)
  assert.equal((await call('POST', `${PATH}/${app}/activation`)).status, 409)
  await stage.reopen()
  await sendPushes()
  assert.deepEqual(await counts(), { 'cancellations configuration': 20, [`activations ${PROVIDER}`]: 2 })
})

test('a message waits for its own provider only, not for another one in its batch', async () => {
  const app = await application(['apns', 'http'])
  const news = await notification(app)
  const [first, second, third] = [await person(), await person(), await person()]
  await device(app, first, 'apns')
  await device(app, second, 'http')
  await device(app, third, 'http')
  await stage.reopen()
  peers.apns.plan.push({ ...apnsError(503, 'ServiceUnavailable'), headers: { 'retry-after': '3000' } })
  peers.http.plan.push(
    { status: 503, headers: { 'retry-after': '30' } },
    { status: 503, headers: { 'retry-after': '30' } },
  )
  const begin = clock.now()
  await request(news, [first, second, third])
  await sendPushes()
  // Both are away now: nothing of these is begun.
  await pushSends(stage, app, news).comeDue()
  await sendPushes()
  const { rows } = await sql<{ contact: number; not_before: Date }>`
    select contact, not_before from messages where contact in (${first}, ${second}, ${third})`.execute(db)
  const waits = new Map(rows.map((row) => [row.contact, (row.not_before.getTime() - begin) / 1000]))
  assert.ok(waits.get(first)! > 2900, `${waits.get(first)}`)
  for (const contact of [second, third]) assert.ok(waits.get(contact)! <= 31, `${waits.get(contact)}`)
})
