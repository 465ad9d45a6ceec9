import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import type { PushAnswer } from '../../fakes/push/push-peer.ts'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { fcmError } from '../../fakes/push/push-peer-fcm.ts'
import { pushSends } from '../../support/stages/push-sends.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { call, context, peers, application, notification, person, device, isKept, request, sendPushes, outcomes } = stage
const { db } = context
const app = await application()
const sale = await notification(app)
const { sendTo, comeDue, sendOn } = pushSends(stage, app, sale)

const activation = (provider: string) => `activations ${provider}`
const soon = { 'retry-after': '0' }

async function stateOf(stamp: string) {
  const { rows } = await sql<{ state: string; waits: number }>`
    select state, extract(epoch from not_before)::double precision * 1000 as waits from messages
    where stamp = ${stamp}::uuid`.execute(db)
  return rows[0]
}

for (const provider of ['webpush', 'http'] as const)
  suite(`pushes through ${provider}`, () => {
    const rows: [PushAnswer[], string[], boolean][] = [
      [[], [], true],
      [[{ status: 202 }], [], true],
      [[{ status: 200 }], [], true],
      [[{ status: 404 }], ['hard 5.1.1'], false],
      [[{ status: 410 }], ['hard 5.1.1'], false],
      [[{ status: 413 }], ['soft 5.3.4'], true],
      [[{ status: 400 }], ['soft 5.6.0'], true],
    ]
    for (const [plan, bounces, kept] of rows)
      test(`${plan[0]?.status ?? 'its usual response'} results in ${bounces[0] ?? 'no bounce'}`, async () => {
        const { stamp, subscription, requests } = await sendTo(provider, plan)
        const expected = [activation(provider), ...bounces.map((said) => `bounces ${provider} ${said}`)]
        assert.deepEqual(await outcomes(stamp), expected)
        assert.equal(await isKept(subscription), kept)
        assert.equal(requests().length, 1)
      })

    for (const status of [401, 403])
      test(`${status} is a cancellation and keeps the device`, async () => {
        const { stamp, subscription, requests } = await sendTo(provider, [{ status }])
        assert.deepEqual(await outcomes(stamp), ['cancellations configuration'])
        assert.equal(await isKept(subscription), true)
        assert.equal(requests().length, 1)
      })

    for (const status of [429, 500, 503])
      test(`${status} is retried without a bounce`, async () => {
        const { stamp, subscription, requests } = await sendTo(provider, [{ status, headers: soon }])
        assert.deepEqual(await sendOn(stamp), [activation(provider)])
        assert.equal(requests().length, 2)
        assert.equal(await isKept(subscription), true)
      })

    test('a request refused before it was processed is repeated at once', async () => {
      const { stamp, requests } = await sendTo(provider, [{ how: 'refuse' }])
      assert.deepEqual(await outcomes(stamp), [activation(provider)])
      assert.equal(requests().length, 1)
    })

    test('a retry waits as long as Retry-After requires', async () => {
      const before = stage.clock.now()
      const { stamp } = await sendTo(provider, [{ status: 503, headers: { 'retry-after': '120' } }])
      const { state, waits } = (await stateOf(stamp))!
      assert.equal(state, 'queued')
      assert.ok(waits >= before + 120_000 && waits <= stage.clock.now() + 120_000, String(waits - before))
      await stage.reopen()
      assert.deepEqual(await sendOn(stamp), [activation(provider)])
    })

    test('a push not accepted before it expires gets a soft bounce 4.4.7', async () => {
      const away = { status: 503, headers: { 'retry-after': '30' } }
      const { stamp, subscription, requests } = await sendTo(provider, [away, away])
      assert.deepEqual(await outcomes(stamp), [])
      await comeDue({ isOver: true })
      await stage.reopen()
      assert.deepEqual(await sendOn(stamp), [activation(provider), `bounces ${provider} soft 4.4.7`])
      assert.equal(requests().length, 2)
      assert.equal(await isKept(subscription), true)
      await stage.reopen()
    })

    test('a push that may have been accepted is held, or resent if the account prefers that', async () => {
      const held = await sendTo(provider, [{ how: 'drop' }])
      assert.deepEqual(await outcomes(held.stamp), [])
      assert.equal((await stateOf(held.stamp))?.state, 'held')
      await stage.reopen()
      const again = await sendDoubtful(provider)
      assert.equal(again.requests().length, 2)
      assert.deepEqual(await outcomes(again.stamp), [activation(provider)])
      assert.equal(held.requests().length, 3)
    })
  })

/** Sends what has no answer, while the account has what is in doubt sent again. */
async function sendDoubtful(provider: 'webpush' | 'http' | 'firebase') {
  assert.equal((await call('PUT', '/settings/sending', { body: { inDoubt: 'send' } })).status, 200)
  stage.clock.advance(1001)
  try {
    const sent = await sendTo(provider, [{ how: 'drop' }])
    await stage.reopen()
    await sendOn(sent.stamp)
    return sent
  } finally {
    assert.equal((await call('PUT', '/settings/sending', { body: { inDoubt: 'hold' } })).status, 200)
    stage.clock.advance(1001)
  }
}

test('a push that FCM may have accepted is resent if the account prefers that', async () => {
  const { stamp, requests } = await sendDoubtful('firebase')
  assert.equal(requests().length, 2)
  assert.deepEqual(await outcomes(stamp), [activation('firebase')])
})

suite('a provider that reports too many requests', () => {
  test('FCM: the rate shared by all senders is halved for 60 s', async () => {
    await sendTo('firebase', [{ ...fcmError(429, 'QUOTA_EXCEEDED'), headers: soon }])
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from slowed_until - clock_timestamp())::double precision as seconds from rate_limits
      where key = ${`push-fcm ${peers.firebase.account.project_id}`}`.execute(db)
    assert.ok((rows[0]?.seconds ?? 0) > 30 && (rows[0]?.seconds ?? 0) <= 60, JSON.stringify(rows))
    await stage.reopen()
  })

  const tooMany = { http: { status: 429 }, webpush: { status: 429 }, apns: apnsError(429, 'TooManyRequests') }
  for (const [provider, most] of [
    ['http', 25],
    ['webpush', 50],
  ] as const)
    test(`${provider}: the number of concurrent requests is halved`, async () => {
      await stage.reopen()
      const first = await sendTo(provider, [{ ...tooMany[provider], headers: soon }])
      assert.deepEqual(await sendOn(first.stamp), [activation(provider)])
      const contacts: number[] = []
      for (let n = 0; n < most + 15; n++) contacts.push(await person())
      for (const contact of contacts) await device(app, contact, provider)
      peers[provider].most = 0
      peers[provider].plan.push(...contacts.map(() => ({ afterMs: 300 })))
      const stamps = await request(sale, contacts)
      await sendPushes()
      assert.equal(peers[provider].most, most)
      for (const stamp of stamps) assert.deepEqual(await sendOn(stamp), [activation(provider)])
    })
})
