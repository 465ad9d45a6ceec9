import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { systemClock } from '../lib/clock.ts'
import { gatewayKinds, openGateway, parseGatewayUrl } from './gateways.ts'

const context = { dataDir: tmpdir(), clock: systemClock }

describe('gateways', () => {
  it('are opened by kind', async () => {
    const row = parseGatewayUrl('relay', 'email', 'smtp', 'smtp://a:b@relay.example:587')
    assert.deepEqual(row.secrets, { username: 'a', password: 'b' })
    const gateways = [
      openGateway(row, context),
      openGateway({ name: 'files', kind: 'capture', channel: 'sms', settings: {} }, context),
    ]
    assert.deepEqual(
      gateways.map(({ name, kind, channel }) => [name, kind, channel]),
      [
        ['relay', 'smtp', 'email'],
        ['files', 'capture', 'sms'],
      ],
    )
    for (const gateway of gateways) await gateway.close()
    assert.deepEqual(gatewayKinds, ['smtp', 'capture'])
  })

  it('are refused with what to change', () => {
    assert.throws(
      () => openGateway({ name: 'x', kind: 'smpt', channel: 'email', settings: {} }, context),
      /did you mean smtp/,
    )
    assert.throws(
      () => openGateway({ name: 'x', kind: 'smtp', channel: 'sms', settings: {} }, context),
      /carries email, not sms/,
    )
    assert.throws(() => openGateway({ name: 'x', kind: 'smtp', channel: 'email', settings: {} }, context), /host/)
    assert.throws(() => parseGatewayUrl('x', 'email', 'capture', 'file:///tmp'), /has no address/)
    assert.throws(
      () => openGateway({ name: 'x', kind: 'constructor', channel: 'email', settings: {} }, context),
      /no kind/,
    )
  })
})
