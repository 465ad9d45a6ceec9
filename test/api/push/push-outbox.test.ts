import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { PushAnswer } from '../../fakes/push/push-peer.ts'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { fcmError, violationOf } from '../../fakes/push/push-peer-fcm.ts'
import { pushSends } from '../../support/stages/push-sends.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { call, clock, context, peers, application, notification, person, device, isKept } = stage
const { request, sendPushes, outcomes } = stage
const { db } = context

const app = await application()
const sale = await notification(app)

const { sendTo, comeDue, sendOn } = pushSends(stage, app, sale)

const activation = (provider: string) => `activations ${provider}`
const bounce = (provider: string, said: string) => `bounces ${provider} ${said}`
const wait = { 'retry-after': '0' }

suite('pushes through the providers of their application', () => {
  test("reach a contact's devices at every provider, each with its own activation", async () => {
    const contact = await person()
    const providers = ['firebase', 'apns', 'webpush', 'http'] as const
    for (const provider of providers) await device(app, contact, provider)
    const [stamp] = await request(sale, [contact])
    assert.equal(await sendPushes(), 1)
    assert.deepEqual(await outcomes(stamp!), [...providers].map(activation).sort())
    for (const provider of providers) {
      assert.deepEqual(peers[provider].faults, [])
      assert.equal(peers[provider].requests.length, 1)
    }
    assert.match(JSON.stringify(peers.webpush.read), /For ada\d+@orchard\.example/)
    assert.equal(await sendPushes(), 0)
  })

  test('are cancelled for a provider without a secret, and the other devices get theirs', async () => {
    const own = await application(['firebase', 'apns'])
    const news = await notification(own)
    const contact = await person()
    await device(own, contact, 'firebase')
    await device(own, contact, 'apns')
    await sql`update application_providers set secret = null, fingerprint = null where application = ${own} and type = 'apns'`.execute(
      db,
    )
    const [stamp] = await request(news, [contact])
    await sendPushes()
    assert.deepEqual(await outcomes(stamp!), [activation('firebase'), 'cancellations configuration'])
  })

  const about = violationOf('message.token')
  const rows: [string, 'firebase' | 'apns', PushAnswer[], string[], boolean][] = [
    ['FCM 200', 'firebase', [], [], true],
    ['FCM 404 UNREGISTERED', 'firebase', [fcmError(404, 'UNREGISTERED')], ['hard 5.1.1'], false],
    ['FCM 400 about the token', 'firebase', [fcmError(400, 'INVALID_ARGUMENT', [about])], ['hard 5.1.1'], false],
    ['FCM 403 SENDER_ID_MISMATCH', 'firebase', [fcmError(403, 'SENDER_ID_MISMATCH')], ['hard 5.1.1'], false],
    ['any other FCM 400', 'firebase', [fcmError(400, 'INVALID_ARGUMENT')], ['soft 5.6.0'], true],
    ['FCM 413', 'firebase', [fcmError(413, 'INVALID_ARGUMENT')], ['soft 5.3.4'], true],
    ['APNs 200', 'apns', [], [], true],
    ['APNs 410 Unregistered', 'apns', [apnsError(410, 'Unregistered')], ['hard 5.1.1'], false],
    ['APNs 410 ExpiredToken', 'apns', [apnsError(410, 'ExpiredToken')], ['hard 5.1.1'], false],
    ['APNs 400 BadDeviceToken', 'apns', [apnsError(400, 'BadDeviceToken')], ['hard 5.1.1'], false],
    ['APNs 400 about the topic', 'apns', [apnsError(400, 'DeviceTokenNotForTopic')], ['hard 5.1.1'], false],
    ['APNs 413', 'apns', [apnsError(413, 'PayloadTooLarge')], ['soft 5.3.4'], true],
    ['any other APNs 400', 'apns', [apnsError(400, 'BadCollapseId')], ['soft 5.6.0'], true],
  ]
  for (const [title, provider, plan, bounces, kept] of rows)
    test(`have the right bounce and keep or delete the device after ${title}`, async () => {
      const { stamp, subscription } = await sendTo(provider, plan)
      assert.deepEqual(await outcomes(stamp), [activation(provider), ...bounces.map((one) => bounce(provider, one))])
      assert.equal(await isKept(subscription), kept)
      assert.equal((await call('GET', `/subscriptions/${subscription}`)).status, kept ? 200 : 404)
    })

  const denied: [string, 'firebase' | 'apns', PushAnswer[]][] = [
    ['FCM 401 after a new token', 'firebase', [fcmError(401, 'UNAUTHENTICATED'), fcmError(401, 'UNAUTHENTICATED')]],
    ['FCM THIRD_PARTY_AUTH_ERROR', 'firebase', [fcmError(401, 'THIRD_PARTY_AUTH_ERROR')]],
    ['any other FCM 403', 'firebase', [fcmError(403, 'PERMISSION_DENIED')]],
    ['APNs 403', 'apns', [apnsError(403, 'InvalidProviderToken')]],
    ['APNs 400 BadTopic', 'apns', [apnsError(400, 'BadTopic')]],
    ['APNs 400 TopicDisallowed', 'apns', [apnsError(400, 'TopicDisallowed')]],
  ]
  for (const [title, provider, plan] of denied)
    test(`are cancelled after ${title}, and the device is kept`, async () => {
      const { stamp, subscription } = await sendTo(provider, plan)
      assert.deepEqual(await outcomes(stamp), ['cancellations configuration'])
      assert.equal(await isKept(subscription), true)
      assert.equal(peers[provider].plan.length, 0)
    })

  const passing: [string, 'firebase' | 'apns', PushAnswer[]][] = [
    ['FCM 503', 'firebase', [{ ...fcmError(503, 'UNAVAILABLE'), headers: wait }]],
    ['FCM 500', 'firebase', [{ ...fcmError(500, 'INTERNAL'), headers: wait }]],
    ['FCM 429', 'firebase', [{ ...fcmError(429, 'QUOTA_EXCEEDED'), headers: wait }]],
    ['APNs 503', 'apns', [{ ...apnsError(503, 'ServiceUnavailable'), headers: wait }]],
    ['APNs 429', 'apns', [{ ...apnsError(429, 'TooManyRequests'), headers: wait }]],
    ['a lost connection to APNs', 'apns', [{ how: 'drop' }]],
  ]
  for (const [title, provider, plan] of passing)
    test(`are retried after ${title}, without a bounce`, async () => {
      const { stamp, subscription, requests } = await sendTo(provider, plan)
      assert.deepEqual(await sendOn(stamp), [activation(provider)])
      assert.equal(requests().length, 2)
      assert.equal(await isKept(subscription), true)
    })

  test('are repeated with a new token when APNs reports an expired one', async () => {
    const { stamp, requests } = await sendTo('apns', [apnsError(403, 'ExpiredProviderToken')])
    assert.deepEqual(await outcomes(stamp), [activation('apns')])
    const [first, second] = requests().map(({ headers }) => headers)
    assert.equal(first?.['apns-collapse-id'], second?.['apns-collapse-id'])
  })

  test('get a soft bounce 4.4.7 when no attempt succeeds before they expire', async () => {
    const away = { ...apnsError(503, 'ServiceUnavailable'), headers: { 'retry-after': '30' } }
    const { stamp, subscription } = await sendTo('apns', [away, away])
    assert.deepEqual(await outcomes(stamp), [])
    await comeDue({ isOver: true })
    await stage.reopen()
    assert.deepEqual(await sendOn(stamp), [activation('apns'), bounce('apns', 'soft 4.4.7')])
    assert.equal(await isKept(subscription), true)
    assert.equal(peers.apns.plan.length, 0)
    await stage.reopen()
  })

  test('are held and not retried by themselves when FCM may have accepted them', async () => {
    const { stamp, requests } = await sendTo('firebase', [{ how: 'drop' }])
    assert.equal(requests().length, 1)
    assert.deepEqual(await outcomes(stamp), [])
    const { rows } = await sql<{ state: string }>`select state from messages where stamp = ${stamp}::uuid`.execute(db)
    assert.deepEqual(rows, [{ state: 'held' }])
  })

  test('have one outcome each when connections close in the middle of a batch', async () => {
    const contacts = await Promise.all(Array.from({ length: 60 }, () => person()))
    for (const contact of contacts) await device(app, contact, 'apns')
    const plan = Array.from({ length: 60 }, (_, n): PushAnswer => (n % 20 === 7 ? { how: 'goaway unprocessed' } : {}))
    peers.apns.plan.push(...plan)
    const before = peers.apns.requests.length
    const stamps = await request(sale, contacts)
    await sendPushes()
    for (const stamp of stamps) {
      assert.deepEqual(await sendOn(stamp), [activation('apns')])
    }
    const collapsed = peers.apns.requests.slice(before).map(({ headers }) => headers['apns-collapse-id'])
    assert.equal(new Set(collapsed).size, 60)
    assert.equal(collapsed.length, 60)
    peers.apns.plan.length = 0
  })

  test('keep the device after a 410 from before it was put again', async () => {
    const gone = apnsError(410, 'Unregistered', { timestamp: clock.now() - 60_000 })
    const { stamp, subscription } = await sendTo('apns', [gone])
    assert.deepEqual(await outcomes(stamp), [activation('apns'), bounce('apns', 'hard 5.1.1')])
    assert.equal(await isKept(subscription), true)
  })
})

test('300 BadDeviceToken responses delete no device, suspend the provider and leave its messages waiting', async () => {
  const own = await application(['apns', 'http'])
  const news = await notification(own)
  const contacts = await Promise.all(Array.from({ length: 300 }, () => person()))
  const devices: string[] = []
  for (const contact of contacts) devices.push(await device(own, contact, 'apns'))
  peers.apns.plan.push(...contacts.map(() => apnsError(400, 'BadDeviceToken')))
  await request(news, contacts)
  await sendPushes()
  const { rows } = await sql<{ left: number }>`
    select count(*)::integer as left from subscriptions where application = ${own}`.execute(db)
  assert.equal(rows[0]?.left, 300)

  await stage.reopen()
  await device(own, contacts[0]!, 'http')
  const before = peers.apns.requests.length
  const [both, alone] = await request(news, contacts.slice(0, 2))
  await sendPushes()
  assert.deepEqual(await outcomes(both!), [activation('http')], 'the other provider goes on')
  assert.deepEqual(await outcomes(alone!), [])
  await comeDue()
  await sendPushes()
  assert.equal(peers.apns.requests.length, before)

  assert.equal((await call('POST', `/parameters/applications/${own}/activation`)).status, 204)
  await stage.reopen()
  await sendPushes()
  assert.deepEqual(await outcomes(both!), [activation('apns'), activation('http')])
  assert.deepEqual(await outcomes(alone!), [activation('apns')])
  assert.equal(peers.apns.requests.length, before + 2)
})

test('a push whose provider is suspended until it expires is cancelled, since it was never handed over', async () => {
  const own = await application(['apns'])
  const news = await notification(own)
  const contact = await person()
  await device(own, contact, 'apns')
  await sql`insert into push_rests (account, application, provider, rested_at)
    values (${stage.own.account}, ${own}, 'apns', now())`.execute(db)
  const [stamp] = await request(news, [contact])
  await sendPushes()
  await comeDue({ isOver: true })
  await sendPushes()
  assert.deepEqual(await outcomes(stamp!), ['cancellations expired'])
})
