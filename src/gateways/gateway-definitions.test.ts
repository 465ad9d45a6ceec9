import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { makeAppleKey } from '#test/fakes/push/push-peer-apns.ts'
import { makeServiceAccount } from '#test/fakes/rcs/rbm-peer-oauth.ts'
import { createVapidKeys } from '../lib/crypto/credentials/vapid.ts'
import { createWebhookSecret } from '../lib/crypto/webhook-signature.ts'
import { systemClock } from '../lib/time/clock.ts'
import {
  addCallbackToken,
  findGatewayCallback,
  findSoleChannel,
  gatewayDefinitions,
  openGateway,
  parseGatewayUrl,
  readGatewayRow,
} from './gateway-definitions.ts'

const context = { dataDir: tmpdir(), clock: systemClock }

describe('gateway registry', () => {
  it('opens gateways by kind', async () => {
    const row = parseGatewayUrl('relay', 'email', 'smtp', 'smtp://a:b@relay.example:587')
    assert.deepEqual(row.secrets, { username: 'a', password: 'b' })
    const gateways = [
      await openGateway(row, context),
      await openGateway({ name: 'files', kind: 'capture', channel: 'sms', settings: {} }, context),
    ]
    assert.deepEqual(
      gateways.map(({ name, kind, channel }) => [name, kind, channel]),
      [
        ['relay', 'smtp', 'email'],
        ['files', 'capture', 'sms'],
      ],
    )
    for (const gateway of gateways) await gateway.close()
    assert.deepEqual(
      gatewayDefinitions.map(({ kind }) => kind),
      [
        'smtp',
        'smtp-direct',
        'sms-smpp',
        'sms-http',
        'rcs-google',
        'push-fcm',
        'push-apns',
        'push-web',
        'push-http',
        'capture',
      ],
    )
  })

  it('opens SMS gateways from an address or from settings', async () => {
    const smpp = parseGatewayUrl('smpp-fr', 'sms', 'sms-smpp', 'smpp://shop:secret@smsc.example')
    assert.deepEqual(smpp.secrets, { systemId: 'shop', password: 'secret' })
    const settings = { url: 'https://sms.example/?to={{to}}', method: 'GET' }
    const http = { name: 'http-fr', kind: 'sms-http', channel: 'sms' as const, settings }
    for (const row of [smpp, http]) {
      const gateway = await openGateway(row, context)
      assert.deepEqual([gateway.name, gateway.kind, gateway.channel], [row.name, row.kind, 'sms'])
      await gateway.close()
    }
    assert.deepEqual(['smtp', 'sms-smpp', 'sms-http', 'capture', 'toString'].map(findSoleChannel), [
      'email',
      'sms',
      'sms',
      undefined,
      undefined,
    ])
  })

  it('opens push gateways from settings and secrets, and only push-apns is idempotent', async () => {
    const channel = 'notification' as const
    const { privateKey } = createVapidKeys()
    const { p8, keyId, teamId } = makeAppleKey()
    const rows = [
      { kind: 'push-fcm', settings: {}, secrets: { key: JSON.stringify(makeServiceAccount()) } },
      {
        kind: 'push-apns',
        settings: { bundle: 'example.orchard.app', certificate: { type: 'p8', keyId, teamId } },
        secrets: { value: p8 },
      },
      { kind: 'push-web', settings: { subject: 'mailto:push@orchard.example' }, secrets: { privateKey } },
      { kind: 'push-http', settings: { url: 'https://push.example/' }, secrets: { secret: createWebhookSecret() } },
    ]
    for (const row of rows) {
      const gateway = await openGateway({ name: 'x', channel, ...row }, context)
      assert.deepEqual([gateway.kind, gateway.channel, findSoleChannel(row.kind)], [row.kind, channel, channel])
      assert.equal(gateway.isIdempotent === true, row.kind === 'push-apns')
      await gateway.close()
    }
  })

  it('gives gateways whose kind has callbacks a token of their own', () => {
    const settings = { url: 'https://sms.example/?to={{to}}', method: 'GET' }
    const row = { name: 'x', kind: 'sms-http', channel: 'sms' as const, settings }
    assert.equal(findGatewayCallback(row), undefined)
    const [one, other] = [
      findGatewayCallback(addCallbackToken(row)),
      findGatewayCallback(addCallbackToken({ ...row, secrets: { hookSecret: 's' } })),
    ]
    assert.match(one?.token ?? '', /^[A-Za-z0-9_-]{32}$/)
    assert.notEqual(one?.token, other?.token)
    const request = {
      method: 'GET' as const,
      query: 'id=A1&status=delivered',
      contentType: undefined,
      body: Buffer.alloc(0),
    }
    assert.deepEqual([one?.isSigned(request, undefined), other?.isSigned(request, undefined)], [true, false])
    assert.equal(one?.read(request, 0)?.receipts[0]?.reference, 'A1')
    const named = { ...row, secrets: { hookToken: 'mine' } }
    assert.equal(addCallbackToken(named), named)
    assert.equal(findGatewayCallback({ name: 'y', kind: 'capture', channel: 'sms', settings: {} }), undefined)
  })

  it('reports correctly which kinds need an address, and has no credentials among settings', () => {
    for (const { kind, channels, needsAddress, settings } of gatewayDefinitions) {
      const read = () => readGatewayRow({ name: 'x', kind, channel: channels[0]!, settings: {} })
      if (needsAddress) assert.throws(read, kind)
      else assert.equal(read().kind, kind)
      const names = Object.keys((settings as { properties?: object } | undefined)?.properties ?? {})
      assert.deepEqual(
        names.filter((name) => /^(username|password|systemId|secret|hookToken)$/i.test(name)),
        [],
      )
    }
  })

  it('refuses invalid gateways with the change to make', async () => {
    await assert.rejects(
      () => openGateway({ name: 'x', kind: 'smpt', channel: 'email', settings: {} }, context),
      /did you mean smtp/,
    )
    await assert.rejects(
      () => openGateway({ name: 'x', kind: 'smtp', channel: 'sms', settings: {} }, context),
      /carries email, not sms/,
    )
    await assert.rejects(
      () => openGateway({ name: 'x', kind: 'smtp', channel: 'email', settings: {} }, context),
      /host/,
    )
    assert.throws(() => parseGatewayUrl('x', 'email', 'capture', 'file:///tmp'), /has no address/)
    await assert.rejects(
      () => openGateway({ name: 'x', kind: 'constructor', channel: 'email', settings: {} }, context),
      /not a kind/,
    )
  })
})
