import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pushOf } from '#test/support/stages/pushes.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { GatewayOutcome, OutgoingMail } from '../gateway.ts'
import type { OutgoingRcs } from '../rcs.ts'
import { openRcsProviderGateway } from '../rcs-profile.ts'
import { openCaptureGateway } from './capture.ts'
import {
  deleteCapturedMessages,
  listCapturedMessages,
  listCapturedStamps,
  readCapturedMessage,
  trimCapturedMessages,
} from './files.ts'

const rcs = (id: number): OutgoingRcs => ({
  id,
  to: '+33639980012',
  agent: 'orchard_fr_k2',
  contentMessage: '{"text":"Bonjour é"}',
  ttlSeconds: 60,
  trafficType: 'PROMOTION',
  messageId: stamp,
  origin: { account: 1, sourceKind: 'action', source: 7, stamp },
})

const root = await mkdtemp(join(tmpdir(), 'stentor-capture-'))
after(() => rm(root, { recursive: true, force: true }))

const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'

function mail(id: number): OutgoingMail {
  const envelope = { from: 'bounce@shop.example', to: `c${id}@example.com` }
  return {
    id,
    envelope,
    bytes: [Buffer.from('Subject: x\r\n\r\n'), Buffer.from(`${id}\r\n`)],
    origin: { account: 1, sourceKind: 'action', source: 7, stamp },
  }
}

/** A gateway in a directory of its own, whose clock goes on a minute a message. */
function setUp(name: string) {
  const dataDir = join(root, name)
  let now = Date.UTC(2026, 2, 20, 23, 50)
  const clock = { now: () => (now += 60_000) }
  const gateway = openCaptureGateway('captured', 'email', { dataDir, clock })
  const outcomes: GatewayOutcome[] = []
  const send = (ids: number[], signal?: AbortSignal) =>
    gateway.send(ids.map(mail), { outcome: (one) => outcomes.push(one), ...(signal ? { signal } : {}) })
  return { dataDir, gateway, outcomes, send }
}

describe('captured messages', () => {
  it('are stored by day as a message file and a metadata file', async () => {
    const { dataDir, outcomes, send } = setUp('kept')
    assert.deepEqual(await send(Array.from({ length: 12 }, (_, index) => index + 1)), { taken: 12 })
    assert.ok(outcomes.every(({ result }) => result === 'accepted'))
    assert.deepEqual(await readdir(join(dataDir, 'captured')), ['2026-03-20', '2026-03-21'])
    assert.deepEqual((await readdir(join(dataDir, 'captured', '2026-03-20'))).slice(0, 2), [
      '20260320T235100000Z-0000000001.eml',
      '20260320T235100000Z-0000000001.json',
    ])

    const listed = await listCapturedMessages(dataDir)
    assert.deepEqual(
      listed.map(({ message }) => message),
      [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
    assert.deepEqual(
      (await listCapturedMessages(dataDir, { limit: 4 })).map(({ message }) => message),
      [12, 11, 10, 9],
    )
    const found = await readCapturedMessage(dataDir, '20260320T235100000Z-0000000001')
    assert.deepEqual(found, {
      id: '20260320T235100000Z-0000000001',
      channel: 'email',
      message: 1,
      capturedAt: '2026-03-20T23:51:00.000Z',
      from: 'bounce@shop.example',
      to: 'c1@example.com',
      subject: 'x',
      account: 1,
      sourceKind: 'action',
      source: 7,
      stamp,
      size: 17,
      bytes: Buffer.from('Subject: x\r\n\r\n1\r\n'),
    })
  })

  it('name the sender that recipients see, also where the envelope names no sender', async () => {
    const { dataDir, gateway } = setUp('senders')
    const heads = [
      'From: News <news@shop.example>',
      'From: =?utf-8?q?Caf=C3=A9?=\r\n <cafe@shop.example>',
      'From: "<x@shop.example>" <y@shop.example>',
      'from: plain@shop.example',
      'Subject: x',
    ]
    const mails = heads.map((head, index) => ({
      ...mail(index + 1),
      envelope: { from: index % 2 ? '' : 'bounce@shop.example', to: 'ann@reader.example' },
      bytes: Buffer.from(`${head}\r\n\r\nFrom: body@shop.example\r\n`),
    }))
    await gateway.send(mails, { outcome: () => undefined })
    const senders = (await listCapturedMessages(dataDir)).map(({ from }) => from).toReversed()
    const visibleSenders = ['news', 'cafe', 'y', 'plain', 'bounce'].map((name) => `${name}@shop.example`)
    assert.deepEqual(senders, visibleSenders)
  })

  it('can be read by any id, including the negative ids of slices', async () => {
    const { dataDir, send } = setUp('slices')
    await send([-205_824])
    const [listed] = await listCapturedMessages(dataDir)
    assert.deepEqual([listed?.message, listed?.id], [-205_824, '20260320T235100000Z--0000205824'])
    assert.equal((await readCapturedMessage(dataDir, listed!.id))?.to, 'c-205824@example.com')
    assert.equal((await listCapturedStamps(dataDir, 1)).size, 1)
    await deleteCapturedMessages(dataDir, [listed!.id])
    assert.deepEqual(await listCapturedMessages(dataDir), [])
  })

  it('may be SMS, stored as their text', async () => {
    const dataDir = join(root, 'sms')
    const clock = { now: () => Date.UTC(2026, 2, 20, 8) }
    const gateway = openCaptureGateway('captured', 'sms', { dataDir, clock })
    const sms = { id: 3, to: '+33601020304', from: 'SHOP', text: `${'a'.repeat(160)}€`, encoding: 'gsm7' as const }
    assert.deepEqual(await gateway.send([sms], { outcome: ({ result }) => assert.equal(result, 'accepted') }), {
      taken: 1,
    })
    const id = '20260320T080000000Z-0000000003'
    assert.deepEqual(await readCapturedMessage(dataDir, id), {
      id,
      channel: 'sms',
      message: 3,
      capturedAt: '2026-03-20T08:00:00.000Z',
      from: 'SHOP',
      to: '+33601020304',
      subject: sms.text,
      account: null,
      sourceKind: null,
      source: null,
      stamp: null,
      size: 163,
      encoding: 'gsm7',
      segments: 2,
      bytes: Buffer.from(sms.text),
    })
    assert.equal(await trimCapturedMessages(dataDir, 0), 0)
    assert.deepEqual(await readdir(join(dataDir, 'captured')), [])
  })

  it('stored before SMS support are still listed and shown', async () => {
    const { dataDir, send } = setUp('older')
    await send([1])
    const id = '20260320T235100000Z-0000000001'
    const file = join(dataDir, 'captured', '2026-03-20', `${id}.json`)
    const { channel, ...older } = JSON.parse(await readFile(file, 'utf8'))
    assert.equal(channel, 'email')
    await writeFile(file, JSON.stringify(older))
    assert.equal((await readCapturedMessage(dataDir, id))?.channel, 'email')
  })

  it('are found by id only, never by anything that resembles a path', async () => {
    const { dataDir, send } = setUp('paths')
    await send([1])
    await writeFile(join(dataDir, 'secret.json'), '{}')
    const invalid = [
      '../secret',
      '20260320T235100000Z-0000000002',
      '',
      '..',
      '20260320T235100000Z-0000000001/../x',
      'a\0b',
    ]
    for (const id of invalid) assert.equal(await readCapturedMessage(dataDir, id), undefined, id)
  })

  it('are pruned to the newest ones', async () => {
    const { dataDir, send } = setUp('pruned')
    await send(Array.from({ length: 14 }, (_, index) => index + 1))
    assert.equal(await trimCapturedMessages(dataDir, 12), 12)
    assert.equal((await listCapturedMessages(dataDir)).at(-1)?.message, 3)
    assert.equal(await trimCapturedMessages(dataDir, 3), 3)
    assert.deepEqual(
      (await listCapturedMessages(dataDir)).map(({ message }) => message),
      [14, 13, 12],
    )
    assert.deepEqual(await readdir(join(dataDir, 'captured')), ['2026-03-21'])
    assert.equal((await readdir(join(dataDir, 'captured', '2026-03-21'))).length, 6)
  })

  it('are an empty list when nothing was captured', async () => {
    assert.deepEqual(await listCapturedMessages(join(root, 'nowhere')), [])
  })

  it('are no longer taken after an abort or a close', async () => {
    const { send, gateway } = setUp('stopped')
    assert.deepEqual(await send([1, 2], AbortSignal.abort()), {
      taken: 0,
      stop: { why: 'aborted', detail: 'the sender is stopping' },
    })
    await gateway.close()
    assert.equal((await send([1])).taken, 0)
  })

  it('are deferred, and no more are taken, when the disk refuses writes', async () => {
    const { dataDir, send, outcomes, gateway } = setUp('full')
    await writeFile(dataDir, 'a file where the directory should be')
    const { taken, stop } = await send([1, 2, 3])
    assert.deepEqual([taken, stop?.why], [1, 'down'])
    assert.deepEqual(
      outcomes.map(({ result }) => result),
      ['deferred'],
    )
    assert.equal((await gateway.check()).ok, false)
  })

  it('may be RCS messages, reported as delivered, with every phone reachable', async () => {
    const dataDir = join(root, 'rich')
    const context = { dataDir, clock: { now: () => Date.UTC(2026, 2, 20) }, reach: createOutboundPolicy([]) }
    const values = { provider: { type: 'capture' as const }, agent: 'orchard_fr_k2', speed: 100 }
    const gateway = openRcsProviderGateway('orchard', values, context)
    const outcomes: GatewayOutcome[] = []
    assert.deepEqual(await gateway.send([rcs(1)], { outcome: (one) => outcomes.push(one) }), { taken: 1 })
    const [about] = await listCapturedMessages(dataDir)
    assert.ok(about !== undefined)
    const { id, message, channel, from, to, subject, size } = about
    assert.deepEqual(
      [message, channel, from, to, subject, size],
      [1, 'rcs', 'orchard_fr_k2', '+33639980012', 'Bonjour é', 21],
    )
    assert.equal((await readCapturedMessage(dataDir, id))?.bytes.toString(), '{"text":"Bonjour é"}')
    assert.deepEqual(outcomes, [
      { id: 1, mta: '', result: 'accepted', reference: id, reply: '250 2.0.0 captured', delivered: true },
    ])
    const capability = await gateway.capabilities('+33639980012')
    assert.ok(capability.result === 'reachable' && capability.features.includes('RICHCARD_CAROUSEL'))
    const phones = ['+33639980012', '+33639980013']
    assert.deepEqual(await gateway.usersBatchGet({ region: 'europe', phones }), {
      result: 'known',
      reachable: new Set(phones),
    })
    assert.deepEqual(await gateway.revoke({ to: '+33639980012', messageId: stamp }), { result: 'absent' })
    assert.deepEqual(await listCapturedStamps(dataDir, 1), new Map([[stamp, [id]]]))
    await deleteCapturedMessages(dataDir, [id])
    assert.deepEqual(
      [await listCapturedMessages(dataDir), (await readdir(join(dataDir, 'captured', '2026-03-20'))).length],
      [[], 0],
    )
  })
})

describe('captured pushes', () => {
  it('are stored once per device when a message has several', async () => {
    const dataDir = join(root, 'pushes')
    const clock = { now: () => Date.UTC(2026, 2, 20, 12) }
    const gateway = openCaptureGateway('captured', 'notification', { dataDir, clock })
    const outcomes: GatewayOutcome[] = []
    const devices = [pushOf(1, { id: 9 }), pushOf(2, { id: 9, sequence: 1 })]
    assert.deepEqual(await gateway.send(devices, { outcome: (one) => outcomes.push(one) }), { taken: 2 })
    const kept = await listCapturedMessages(dataDir)
    assert.deepEqual(
      kept.map(({ id, message, channel, to }) => [id, message, channel, to]),
      [
        ['20260320T120000000Z-0000000009', 9, 'notification', devices[0]?.meta.subscription],
        ['20260320T120000000Z-0000000009-1', 9, 'notification', devices[1]?.meta.subscription],
      ],
    )
    const { bytes } = (await readCapturedMessage(dataDir, kept[1]?.id ?? '')) ?? {}
    assert.deepEqual(JSON.parse(String(bytes)).render, devices[1]?.render)
  })
})
