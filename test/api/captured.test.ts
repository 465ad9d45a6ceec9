import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { writeCaptured } from '../../src/gateways/capture/files.ts'
import { startHarness } from '../harness.ts'

const harness = await startHarness()
let id: string

before(async () => {
  const origin = {
    ...{ account: harness.own.account, sourceKind: 'action', source: 1 },
    stamp: '01890000-0000-7000-8000-000000000001',
  } as const
  const envelope = { from: 'shop@shop.example', to: 'ann@customer.example' }
  const mail = { id: 12, envelope, bytes: Buffer.from('Subject: Hi\r\n\r\nHello'), origin }
  id = await writeCaptured(harness.dataDir, mail as Parameters<typeof writeCaptured>[1], Date.now())
})

/** The status of the list and of one message, and whether the list shows the message. */
async function look(headers: Record<string, string>, key: string | null = null, remoteAddress = '127.0.0.1') {
  const ask = (url: string) =>
    harness.app.inject({ url, headers: { ...(key !== null && { 'x-key': key }), ...headers }, remoteAddress })
  const [list, one] = [await ask('/captured'), await ask(`/captured/${id}`)]
  return [list.statusCode, one.statusCode, list.payload.includes('ann@customer.example')]
}

suite('captured messages', () => {
  test('are shown on this machine, under a name of this machine', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST'])
      assert.deepEqual(await look({ host }), [200, 200, true], host)
    assert.deepEqual(await look({ host: 'localhost' }, null, '::1'), [200, 200, true])
    assert.deepEqual(await look({ host: 'localhost' }, null, '::ffff:127.0.0.1'), [200, 200, true])
  })

  test('are shown to nobody else without a key; under a name that is neither ours nor of this machine to nobody', async () => {
    assert.deepEqual(await look({ host: 'stentor.example' }), [401, 401, false])
    const hosts = ['localhost.shop.example', '127.0.0.1.shop.example', 'localhost@shop.example', '10.0.0.7']
    for (const host of hosts) assert.deepEqual(await look({ host }), [421, 421, false], host)
    assert.deepEqual(await look({ host: 'localhost' }, null, '10.0.0.7'), [401, 401, false])
    const added = {
      forwarded: 'for=10.0.0.7',
      'x-forwarded-for': '10.0.0.7',
      'x-forwarded-proto': 'https',
      via: '1.1 proxy',
      'x-real-ip': '10.0.0.7',
    }
    for (const [name, value] of Object.entries(added))
      assert.deepEqual(await look({ host: 'localhost', [name]: value }), [401, 401, false], name)
  })

  test('need the right admin with a key, which shows those of its account', async () => {
    const { own, other, makeKey } = harness
    assert.deepEqual(await look({ host: 'stentor.example' }, own.key), [200, 200, true])
    assert.deepEqual(await look({ host: 'stentor.example' }, other.key), [200, 404, false])
    assert.deepEqual(await look({ host: 'localhost' }, other.key), [200, 404, false])
    const reader = await makeKey(own.account, ['read', 'write', 'send'])
    assert.deepEqual(await look({ host: 'localhost' }, reader), [403, 403, false])
    assert.deepEqual(await look({ host: 'localhost' }, 'no-key'), [401, 401, false])
  })
})
