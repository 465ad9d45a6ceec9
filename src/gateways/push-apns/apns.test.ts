import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeAuthority } from '#test/fakes/push/push-certificates.ts'
import type { PushAnswer, PushPeer } from '#test/fakes/push/push-peer.ts'
import { apnsError, makeAppleKey, startApnsPeer } from '#test/fakes/push/push-peer-apns.ts'
import { factsOf, type PushBench, patienceWith, pushOf, stampOf, withPushGateway } from '#test/support/stages/pushes.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { PushGatewayContext } from '../push/context.ts'
import { openPushApnsGateway } from './apns.ts'
import { readPushApnsConfig } from './settings.ts'

const authority = makeAuthority()
const tls = authority.server()
const key = makeAppleKey()
const bundle = 'example.orchard.app'
const p8 = { type: 'p8', keyId: key.keyId, teamId: key.teamId }

async function bench(
  work: (bench: PushBench<PushPeer>) => Promise<void>,
  { context = {}, p12 }: { context?: Partial<PushGatewayContext>; p12?: string } = {},
): Promise<void> {
  const own = p12 === undefined ? { key } : { clientAuthority: authority.certificate }
  const peer = await startApnsPeer({ tls, bundle, ...own })
  const given = readPushApnsConfig(
    { bundle, baseUrl: peer.url, ca: authority.certificate, certificate: p12 === undefined ? p8 : { type: 'p12' } },
    p12 === undefined ? { value: key.p8 } : { value: p12, password: 'secret' },
  )
  await withPushGateway({ peer, open: (more) => openPushApnsGateway('ios', given, more) }, context, work)
}

const problemOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Problem && error.status === 400)
    return error.errors?.[0]
  }
  return undefined
}

describe('pushes over APNs', () => {
  it('have custom data in addition to the alert, and the headers that APNs expects', () =>
    bench(async ({ peer, outcomes, send }) => {
      const expiresAt = Date.now() + 11 * 3_600_000
      const push = pushOf(7, { expiresAt })
      await send(push)
      assert.deepEqual(peer.faults, [])
      const [request] = peer.requests
      assert.deepEqual(JSON.parse(String(request?.body)), {
        aps: {
          alert: { title: push.render.title, body: push.render.body },
          'mutable-content': 1,
          'content-available': 1,
          category: 'Default_Notification_Category',
        },
        meta: push.meta,
        tracking: push.tracking,
      })
      const { headers = {} } = request ?? {}
      assert.equal(headers['apns-collapse-id'], stampOf(7))
      assert.equal(headers['apns-priority'], '5')
      assert.ok(Math.abs(Number(headers['apns-expiration']) - Math.floor(expiresAt / 1000)) <= 1)
      assert.deepEqual(outcomes, [
        { id: 7, result: 'accepted', reference: headers['apns-id'], reply: '200 OK', mta: 'apns' },
      ])
    }))

  it('without a redirection, too long or without a valid token are refused and not sent', () =>
    bench(async ({ peer, outcomes, send }) => {
      const { meta, render } = pushOf(1)
      await send(
        pushOf(1, { meta: { ...meta, redirection: null } }),
        pushOf(2, { render: { ...render, body: 'x'.repeat(5000) } }),
        pushOf(3, { device: { token: '../../x' } }),
      )
      assert.deepEqual(
        outcomes.map(({ result }) => result),
        ['refused', 'refused', 'refused'],
      )
      assert.equal(peer.connections, 0)
    }))

  const table: [title: string, answer: PushAnswer, facts: unknown[]][] = [
    [
      '410 Unregistered',
      apnsError(410, 'Unregistered', { timestamp: 1_770_000_000_123 }),
      ['refused', 'rcpt', '5.1.1', 'Unregistered', { timestamp: 1_770_000_000_123 }],
    ],
    ['410 ExpiredToken', apnsError(410, 'ExpiredToken'), ['refused', 'rcpt', '5.1.1', 'ExpiredToken', {}]],
    ['410 in HTML', { status: 410, body: '<html></html>' }, ['refused', 'data', '5.6.0', '410']],
    ['400 BadDeviceToken', apnsError(400, 'BadDeviceToken'), ['refused', 'rcpt', '5.1.1', 'BadDeviceToken', {}]],
    [
      '400 DeviceTokenNotForTopic',
      apnsError(400, 'DeviceTokenNotForTopic'),
      ['refused', 'rcpt', '5.1.1', 'DeviceTokenNotForTopic', {}],
    ],
    ['400 BadTopic', apnsError(400, 'BadTopic'), ['refused', 'connect', '5.7.8', 'BadTopic']],
    ['400 TopicDisallowed', apnsError(400, 'TopicDisallowed'), ['refused', 'connect', '5.7.8', 'TopicDisallowed']],
    ['400 BadPriority', apnsError(400, 'BadPriority'), ['refused', 'data', '5.6.0', 'BadPriority']],
    [
      '403 InvalidProviderToken',
      apnsError(403, 'InvalidProviderToken'),
      ['refused', 'connect', '5.7.8', 'InvalidProviderToken'],
    ],
    ['413', apnsError(413, 'PayloadTooLarge'), ['refused', 'data', '5.3.4', 'PayloadTooLarge']],
    ['429', apnsError(429, 'TooManyRequests'), ['deferred', 'TooManyRequests']],
    ['503', apnsError(503, 'Shutdown'), ['deferred', 'Shutdown']],
    ['500 in HTML', { status: 500, body: '<html></html>' }, ['deferred', '500']],
    ['no answer', { how: 'stall' }, ['deferred', undefined]],
    ['a stream that is reset after the body', { how: 'reset' }, ['deferred', undefined]],
    ['a connection that is cut', { how: 'drop' }, ['deferred', undefined]],
  ]
  for (const [title, answer, facts] of table)
    it(`answered with ${title} get their outcome and are never doubtful`, () =>
      bench(
        async ({ peer, outcomes, send }) => {
          peer.plan.push(answer)
          await send(pushOf(1))
          assert.deepEqual(outcomes.map(factsOf), [facts])
          assert.equal(peer.requests.length, 1)
        },
        { context: patienceWith(answer) },
      ))

  it('get a new token every 40 minutes, and at once when the token has expired', async () => {
    const started = Date.now()
    let now = started - 41 * 60_000
    await bench(
      async ({ peer, outcomes, send }) => {
        const tokens = () => peer.requests.map(({ headers }) => headers.authorization)
        await send(pushOf(1))
        now = started - 2 * 60_000
        await send(pushOf(2))
        assert.equal(new Set(tokens()).size, 1)
        now = started
        await send(pushOf(3))
        assert.equal(new Set(tokens()).size, 2)
        peer.plan.push(apnsError(403, 'ExpiredProviderToken'))
        await send(pushOf(4))
        assert.deepEqual(outcomes.at(-1)?.result, 'accepted')
        assert.equal(new Set(tokens()).size, 3)
        assert.equal(peer.requests.length, 5)
      },
      { context: { clock: { now: () => now } } },
    )
  })

  it('use a certificate without a token', () =>
    bench(
      async ({ peer, outcomes, send }) => {
        await send(pushOf(1), pushOf(2))
        assert.deepEqual([peer.faults, outcomes.map(factsOf)], [[], [['accepted'], ['accepted']]])
        assert.ok(peer.requests.every(({ hasCertificate }) => hasCertificate))
      },
      { p12: authority.p12() },
    ))

  it('with a rejected certificate are our fault and do not affect the device', () =>
    bench(
      async ({ outcomes, send }) => {
        await send(pushOf(1))
        assert.deepEqual(outcomes.map(factsOf), [['refused', 'connect', '5.7.8', 'BadCertificate']])
      },
      { p12: makeAuthority('another').p12() },
    ))
})

describe('APNs credentials', () => {
  const read = (certificate: object, secrets: unknown) => () => readPushApnsConfig({ bundle, certificate }, secrets)
  const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const wrong: [title: string, work: () => unknown, pointer: string, text: RegExp][] = [
    ['none', read(p8, undefined), '/secrets', /p8/],
    ['a key that is none', read(p8, { value: 'x' }), '/secrets/value', /private key/],
    [
      'a key of another curve',
      read(p8, { value: other.export({ type: 'pkcs8', format: 'pem' }) }),
      '/secrets/value',
      /P-256/,
    ],
    ['a certificate that is none', read({ type: 'p12' }, { value: 'x', password: '' }), '/secrets/value', /PKCS #12/],
    [
      'a wrong password',
      read({ type: 'p12' }, { value: authority.p12(), password: 'other' }),
      '/secrets/password',
      /does not open/,
    ],
  ]
  for (const [title, work, pointer, text] of wrong)
    it(`are refused: ${title}`, () => {
      const fault = problemOf(work)
      assert.equal(fault?.pointer, pointer)
      assert.match(fault?.detail ?? '', text)
    })

  it('are refused when the certificate has expired', () => {
    const value = authority.p12({ expiresAt: new Date(Date.UTC(2020, 0, 2)) })
    const given = readPushApnsConfig({ bundle, certificate: { type: 'p12' } }, { value, password: 'secret' })
    const open = () =>
      openPushApnsGateway('x', given, {
        clock: { now: () => Date.now() },
        reach: { open: new Set(), resolve: async () => [] },
      })
    assert.match(problemOf(open)?.detail ?? '', /expired on 2020-01-02/)
  })
})
