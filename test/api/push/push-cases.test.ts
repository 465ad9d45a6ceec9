import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { formatContactId } from '../../../src/lib/ids.ts'
import type { PushAnswer } from '../../fakes/push/push-peer.ts'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { fcmError } from '../../fakes/push/push-peer-fcm.ts'
import { type ProviderName, startPushStage } from '../../support/stages/push-stage.ts'
import { receivedBy, report } from '../../support/stages/push-visits.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startPushStage()
const { call, clock, context, own, peers, application, notification, person, device, sendPushes } = stage

const app = await application()
const sale = await notification(app)

async function ok(method: string, url: string, body?: object, key?: null) {
  const answer = await call(method, url, { ...(body && { body }), ...(key === null && { key }) })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

async function someone(provider: ProviderName) {
  const number = await person()
  return { id: formatContactId(number), subscription: await device(app, number, provider) }
}

/** Asks for a push to a contact; gives its stamp. */
async function ask(to: string, more: object = {}): Promise<string> {
  const recipient = { type: 'contact', value: { type: 'id', value: to } }
  return (await ok('POST', `/notifications/${sale}/execution`, { recipient, ...more })).id
}

async function send(to: string, more?: object): Promise<string> {
  const stamp = await ask(to, more)
  await sendPushes()
  return stamp
}

const received = (provider: 'firebase' | 'apns', stamp: string) =>
  receivedBy(peers[provider]).filter(({ meta }) => meta.stamp.id === stamp)

/** What the history of a contact says of a send: kinds, and what tells them apart. */
async function became(contact: string, stamp: string): Promise<string[]> {
  const list = await ok('GET', `/targets/${contact}/events`)
  // biome-ignore lint/suspicious/noExplicitAny: any member of any event.
  return list.flatMap(({ type, source: { detail } }: any) => {
    const { cancellation, bounce, execution = detail.activation } = detail
    if (execution.stamp.id !== stamp || type === 'execution') return []
    const said = bounce && `${bounce.analysis.verdict} ${bounce.status.code.enhanced}`
    return [[type, cancellation?.type, cancellation?.value.type, said].filter((text) => text).join(' ')]
  })
}

/** Puts the clock so far back; the services have the true time. */
const ago = (ms: number) => clock.set(Date.now() - ms)

const status = async (subscription: string) => (await call('GET', `/subscriptions/${subscription}`)).status

/** What the device route takes from an app, as it was put. */
async function putByDevice(id: string): Promise<void> {
  const { application: of, provider } = await ok('GET', `/subscriptions/${id}`)
  const path = `/api/v1.0/${own.code.slice(0, -3)}/${own.code.slice(-3)}/subscriptions`
  await ok('PUT', path, { id, application: of, provider }, null)
}

suite('push service responses', () => {
  test('FCM UNREGISTERED is an activation and a hard bounce, and deletes the subscription', async () => {
    const ada = await someone('firebase')
    peers.firebase.plan.push(fcmError(404, 'UNREGISTERED'))
    const stamp = await send(ada.id)
    assert.deepEqual(await became(ada.id, stamp), ['activation', 'bounce hard 5.1.1'])
    assert.equal(await status(ada.subscription), 404)
    const next = await send(ada.id)
    assert.deepEqual(await became(ada.id, next), ['cancellation no subscription'])
  })

  for (const [provider, answer, status] of [
    ['firebase', fcmError(404, 'UNREGISTERED'), { gateway: 'UNREGISTERED', diagnostic: '404 UNREGISTERED' }],
    ['apns', apnsError(410, 'Unregistered'), { gateway: 'Unregistered', diagnostic: '410 Unregistered' }],
    ['webpush', { status: 410 }, { gateway: '410', diagnostic: '410' }],
    ['http', { status: 404 }, { gateway: '404', diagnostic: '404' }],
  ] as const)
    test(`a bounce names ${provider} and the provider's own error`, async () => {
      const ada = await someone(provider)
      peers[provider].plan.push(answer)
      await send(ada.id)
      const [bounce] = await ok('GET', `/targets/${ada.id}/events/bounces`)
      const { gateway, diagnostic } = status
      assert.deepEqual(bounce.source.detail.bounce.status, {
        type: 'sync',
        code: { enhanced: '5.1.1', gateway },
        diagnostic,
        mta: provider,
      })
    })

  test('FCM 503 is retried without a bounce', async () => {
    const ada = await someone('firebase')
    peers.firebase.plan.push({ ...fcmError(503, 'UNAVAILABLE'), headers: { 'retry-after': '0' } })
    const before = peers.firebase.requests.length
    const stamp = await send(ada.id)
    await eventually(async () => {
      const now = new Date(clock.now())
      await sql`update messages set not_before = ${now} where state = 'queued'`.execute(context.db)
      await sendPushes()
      return (await became(ada.id, stamp)).length > 0
    })
    assert.deepEqual(await became(ada.id, stamp), ['activation'])
    assert.equal(peers.firebase.requests.length, before + 2)
    assert.equal(await status(ada.subscription), 200)
  })

  test('FCM 401 is a cancellation and keeps the subscription', async () => {
    const ada = await someone('firebase')
    const denied = fcmError(401, 'UNAUTHENTICATED')
    peers.firebase.plan.push(denied, denied)
    const stamp = await send(ada.id)
    assert.deepEqual(await became(ada.id, stamp), ['cancellation configuration'])
    const named = (list: { source: { detail: { execution: { stamp: { id: string } } } } }[]) =>
      list.filter(({ source }) => source.detail.execution.stamp.id === stamp).length
    assert.equal(named(await ok('GET', '/notifications/events/cancellations')), 1)
    assert.equal(named(await ok('GET', `/notifications/${sale}/events/cancellations`)), 1)
    assert.equal(await status(ada.subscription), 200)
  })

  suite('APNs 410', () => {
    /** Sends to a device that Apple says to be gone since a moment. */
    async function isGoneSince(timestamp: number, ada: { id: string }) {
      const answer: PushAnswer = apnsError(410, 'Unregistered', { timestamp })
      peers.apns.plan.push(answer)
      const stamp = await send(ada.id)
      assert.deepEqual(await became(ada.id, stamp), ['activation', 'bounce hard 5.1.1'])
    }

    test('keeps the subscription if dated before the last PUT, even one that changed nothing', async () => {
      ago(120_000)
      const ada = await someone('apns')
      const since = clock.now() + 60_000
      const shown = await ok('GET', `/subscriptions/${ada.subscription}`)
      ago(0)
      await ok('PUT', '/subscriptions', shown)
      assert.deepEqual(await ok('GET', `/subscriptions/${ada.subscription}`), shown, 'nothing that is shown changed')
      await isGoneSince(since, ada)
      assert.equal(await status(ada.subscription), 200)
    })

    test("keeps the subscription if dated before the device's own last PUT", async () => {
      ago(120_000)
      const ada = await someone('apns')
      const since = clock.now() + 60_000
      ago(0)
      await putByDevice(ada.subscription)
      await isGoneSince(since, ada)
      assert.equal(await status(ada.subscription), 200)
    })

    test('deletes the subscription if dated after the last PUT', async () => {
      ago(60_000)
      const ada = await someone('apns')
      await putByDevice(ada.subscription)
      ago(0)
      await isGoneSince(clock.now() - 1000, ada)
      assert.equal(await status(ada.subscription), 404)
    })
  })
})

suite('device opt-outs', () => {
  for (const [title, put] of [
    ['the device', putByDevice],
    ['a key', async (id: string) => ok('PUT', '/subscriptions', await ok('GET', `/subscriptions/${id}`))],
  ] as const)
    test(`optout.global cancels executions until ${title} puts the subscription again`, async () => {
      const ada = await someone('firebase')
      const [push] = received('firebase', await send(ada.id))
      // Also what waits already.
      const waiting = await ask(ada.id)
      await report(stage, push!, 'optout.global')
      await sendPushes()
      const next = await send(ada.id)
      for (const stamp of [waiting, next]) {
        assert.deepEqual(await became(ada.id, stamp), ['cancellation opted out global'])
        assert.deepEqual(received('firebase', stamp), [])
      }
      await put(ada.subscription)
      const again = await send(ada.id)
      assert.deepEqual(await became(ada.id, again), ['activation'])
      assert.equal(received('firebase', again).length, 1)
    })
})

test('an hour in the queue is deducted from the 12-hour expiration, for FCM and APNs alike', async () => {
  const [ada, bob] = [await someone('firebase'), await someone('apns')]
  const expiration = { type: 'period', value: { unit: 'HOUR', value: 12 } }
  ago(3_600_000)
  const accepted = clock.now()
  const stamps = [await ask(ada.id, { expiration }), await ask(bob.id, { expiration })]
  ago(0)
  await sendPushes()
  const [android] = received('firebase', stamps[0]!)
  const [ios] = received('apns', stamps[1]!)
  const ttl = Number(/^(\d+)s$/.exec(android!.android!.ttl)?.[1])
  assert.ok(ttl <= 39_600 && ttl > 39_500, android!.android!.ttl)
  const end = Number(ios!.headers['apns-expiration'])
  assert.equal(end, Math.floor((accepted + 12 * 3_600_000) / 1000))
  // The same instant: what is left of it when the clock stands.
  assert.equal(ttl, Math.floor((accepted + 12 * 3_600_000 - clock.now()) / 1000))
})

test('the same token under a new id replaces the old subscription, and one push arrives', async () => {
  const ada = await someone('firebase')
  const { application: of, provider, contact } = await ok('GET', `/subscriptions/${ada.subscription}`)
  const id = randomUUID()
  const linked = { type: 'id', value: ada.id }
  const path = `/api/v1.0/${own.code.slice(0, -3)}/${own.code.slice(-3)}/subscriptions`
  await ok('PUT', path, { id, application: of, provider, contact: linked }, null)
  assert.equal(await status(ada.subscription), 404)
  assert.deepEqual((await ok('GET', `/subscriptions/${id}`)).contact, contact)
  const stamp = await send(ada.id)
  assert.deepEqual(
    received('firebase', stamp).map(({ meta }) => meta.subscription),
    [id],
  )
  assert.deepEqual(await became(ada.id, stamp), ['activation'])
})
