import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { writeCapturedMessage } from '../../../src/gateways/capture/files.ts'
import { startHarness } from '../../support/harness.ts'

const harness = await startHarness()
const bytes = Buffer.from(
  [
    'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Hello =3D =C3=A9</p>',
    '',
    '--b',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="menu.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBE',
    '--b--',
  ].join('\r\n'),
)
let id: string

before(async () => {
  const origin = {
    account: harness.own.account,
    sourceKind: 'action',
    source: 1,
    stamp: '01890000-0000-7000-8000-000000000001',
  } as const
  const envelope = { from: 'shop@shop.example', to: 'ann@customer.example' }
  const mail = { id: 12, envelope, bytes, origin }
  id = await writeCapturedMessage(harness.dataDir, mail as Parameters<typeof writeCapturedMessage>[1], Date.now())
})

/** The status of the list and of one message, and whether the list shows the message. */
async function look(headers: Record<string, string>, key: string | null = null, remoteAddress = '127.0.0.1') {
  const ask = (url: string) =>
    harness.app.inject({ url, headers: { ...(key !== null && { 'x-key': key }), ...headers }, remoteAddress })
  const [list, one] = [await ask('/captured'), await ask(`/captured/${id}`)]
  return [list.statusCode, one.statusCode, list.payload.includes('ann@customer.example')]
}

suite('captured messages', () => {
  test('are shown without a key to this machine under a local host name', async () => {
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'LOCALHOST'])
      assert.deepEqual(await look({ host }), [200, 200, true], host)
    assert.deepEqual(await look({ host: 'localhost' }, null, '::1'), [200, 200, true])
    assert.deepEqual(await look({ host: 'localhost' }, null, '::ffff:127.0.0.1'), [200, 200, true])
  })

  test('are refused to anyone else without a key, and to everyone under an unknown host name', async () => {
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

  test("require the admin right with a key, which shows only its own account's messages", async () => {
    const { own, other, makeKey } = harness
    assert.deepEqual(await look({ host: 'stentor.example' }, own.key), [200, 200, true])
    assert.deepEqual(await look({ host: 'stentor.example' }, other.key), [200, 404, false])
    assert.deepEqual(await look({ host: 'localhost' }, other.key), [200, 404, false])
    const reader = await makeKey(own.account, ['read', 'write', 'send'])
    assert.deepEqual(await look({ host: 'localhost' }, reader), [403, 403, false])
    assert.deepEqual(await look({ host: 'localhost' }, 'no-key'), [401, 401, false])
  })

  test('are listed and returned as JSON, with their parts, on request', async () => {
    const ask = (url: string, key = harness.own.key) =>
      harness.app.inject({ url, headers: { 'x-key': key, accept: 'application/json', host: 'stentor.example' } })
    const listed = {
      id,
      channel: 'email',
      from: 'shop@shop.example',
      to: 'ann@customer.example',
      subject: 'Grüße',
      confidential: false,
      stamp: '01890000-0000-7000-8000-000000000001',
      size: bytes.length,
    }
    const [{ date, ...first }] = (await ask('/captured')).json()
    assert.deepEqual(first, listed)
    const { date: same, source, ...whole } = (await ask(`/captured/${id}`)).json()
    assert.equal(same, date)
    assert.equal(source, bytes.toString().replaceAll('\r\n', '\n'))
    assert.deepEqual(whole, {
      ...listed,
      html: '<p>Hello = é</p>\n',
      text: 'Hello',
      headers: [
        { name: 'subject', value: 'Grüße' },
        { name: 'content-type', value: 'multipart/mixed; boundary="b"' },
      ],
      attachments: [{ name: 'menu.pdf', type: 'application/pdf', size: 3 }],
      content: null,
    })
    assert.equal((await ask(`/captured/${id}`, harness.other.key)).statusCode, 404)
    assert.equal((await ask('/captured/20260320T080000000Z-0000000003')).statusCode, 404)
  })

  test('confidential mails are shown to no key', async () => {
    const mail = {
      id: 13,
      envelope: { from: 'a@shop.example', to: 'reset@customer.example' },
      bytes,
      isConfidential: true,
    }
    const origin = { account: harness.own.account, sourceKind: null, source: null, stamp: null }
    const secret = await writeCapturedMessage(harness.dataDir, { ...mail, origin } as never, Date.now())
    const headers = { 'x-key': harness.own.key, accept: 'application/json', host: 'stentor.example' }
    const list = await harness.app.inject({ url: '/captured', headers })
    assert.ok(!list.payload.includes('reset@customer.example'))
    assert.equal((await harness.app.inject({ url: `/captured/${secret}`, headers })).statusCode, 404)
  })
})
