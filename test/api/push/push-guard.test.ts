import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { UNREGISTERED_RETENTION_MS } from '../../../src/features/subscriptions/gone.ts'
import { countPushAttempts, type PushAttempt } from '../../../src/features/subscriptions/providers/push-guard.ts'
import { openGatewayRegistry } from '../../../src/sending/gateway-registry/gateway-registry.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startHarness } from '../../support/harness.ts'

const { call, clock, context, own, other } = await startHarness()
const { db } = context
const PATH = '/parameters/applications'
const p8 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const certificate = { type: 'p8', value: p8, keyId: 'K3Y1D00042', teamId: 'TEAM000042' }
const home = { name: 'home', value: { type: 'literal', value: 'app://home' }, default: true }
const providers = [
  { type: 'apns', certificate, bundle: 'example.orchard.app', baseUrl: 'https://push.shop.example' },
  { type: 'http', url: 'https://hooks.shop.example/push' },
]

interface Device {
  id: string
  application: string
  token: string
}

async function application(): Promise<string> {
  const { body } = await call('POST', PATH, { body: { name: `Orchard ${randomUUID()}`, providers, routes: [home] } })
  assert.equal((await call('POST', `${PATH}/${body.id}/activation`)).status, 204)
  return body.id
}

const newToken = () => createHash('sha256').update(randomUUID()).digest('hex')

async function put(device: Device, more: object = {}): Promise<void> {
  const { id, application, token } = device
  const body = { id, application, provider: { type: 'apns', token }, ...more }
  const answer = await call('PUT', '/subscriptions', { body })
  assert.equal(answer.status, 200, answer.text)
}

async function devices(of: string, count: number, more: object = {}): Promise<Device[]> {
  const made = Array.from({ length: count }, () => ({ id: randomUUID(), application: of, token: newToken() }))
  for (const device of made) await put(device, more)
  return made
}

function attempt({ id, application, token }: Device, gone: boolean, timestamp?: number): PushAttempt {
  const digest = createHash('sha256').update(token).digest('hex').slice(0, 32)
  const of = { account: own.account, application, provider: 'apns', at: clock.now() }
  return gone ? { ...of, gone: { subscription: id, digest, since: timestamp } } : of
}

const record = (attempts: readonly PushAttempt[]) => inTransaction(db, (tx) => countPushAttempts(tx, attempts))
const answered = (of: string, count: number) =>
  Array.from({ length: count }, () => attempt({ id: '', application: of, token: '' }, false))

async function kept(list: readonly Device[]): Promise<number> {
  const answers = await Promise.all(list.map(({ id }) => call('GET', `/subscriptions/${id}`)))
  return answers.filter(({ status }) => status === 200).length
}

const restingSince = async (id: string) => (await call('GET', `${PATH}/${id}`)).body.providers[0].restingSince

suite('devices reported as gone', () => {
  test('are kept if they were put again or have a new token, and deleted otherwise', async () => {
    const of = await application()
    const [early, late, renewed, gone] = await devices(of, 4)
    const since = clock.now() - 1000
    await record([attempt(early!, true, since), attempt(gone!, true, clock.now())])
    assert.deepEqual([await kept([early!]), await kept([gone!])], [1, 0])
    await put({ ...renewed!, token: newToken() })
    await record([attempt(renewed!, true), attempt(late!, true)])
    assert.deepEqual([await kept([renewed!]), await kept([late!])], [1, 0])
  })

  test('are not deleted by a report of another account', async () => {
    const of = await application()
    const [device] = await devices(of, 1)
    await record([{ ...attempt(device!, true), account: other.account }])
    assert.equal(await kept([device!]), 1)
  })

  test('are restored when all 300 are gone, across concurrent transactions, and the provider is suspended', async () => {
    const of = await application()
    const list = await devices(of, 300)
    const groups = Array.from({ length: 10 }, (_, n) => list.slice(n * 30, n * 30 + 30))
    await record(groups[0]!.map((device) => attempt(device, true)))
    assert.equal(await kept(list), 270)
    await Promise.all(groups.slice(1).map((group) => record(group.map((device) => attempt(device, true)))))
    assert.equal(await kept(list), 300)
    assert.equal(await restingSince(of), new Date(clock.now()).toISOString())
    await record([attempt(list[0]!, true)])
    assert.equal(await kept(list), 300, 'deletions have stopped')
  })

  test('are neither deleted nor counted when a rejection from before the suspension ended is recorded later', async () => {
    const of = await application()
    const list = await devices(of, 260)
    await record(list.slice(0, 200).map((device) => attempt(device, true)))
    const late = list.slice(200).map((device) => attempt(device, true))
    clock.advance(1000)
    assert.equal((await call('POST', `${PATH}/${of}/activation`)).status, 204)
    await record([...late, ...answered(of, 190)])
    assert.equal(await kept(list), 260)
    await record([...answered(of, 10), attempt(list[0]!, true)])
    assert.equal(await kept(list), 259, 'what is answered from now on counts')
    assert.equal(await restingSince(of), undefined)
  })

  test('leave a suspension that only an admin ends, by activating the application again', async () => {
    const of = await application()
    const list = await devices(of, 200)
    await record(list.map((device) => attempt(device, true)))
    const shown = (await call('GET', `${PATH}/${of}`)).body
    assert.equal(typeof shown.providers[0].restingSince, 'string')
    assert.equal(shown.providers[1].restingSince, undefined, 'the other provider goes on')
    assert.equal((await call('PUT', `${PATH}/${of}`, { body: shown })).status, 200)
    assert.equal(await restingSince(of), shown.providers[0].restingSince, 'a change of the application does not')
    assert.equal((await call('POST', `${PATH}/${of}/activation`, { key: other.key })).status, 404)
    assert.equal((await call('POST', `${PATH}/${of}/activation`)).status, 204)
    assert.equal(await restingSince(of), undefined)
    assert.equal((await call('POST', `${PATH}/${of}/activation`)).status, 409)
    await record([attempt(list[0]!, true)])
    assert.equal(await kept(list), 199, 'it counts anew')
  })

  test('are deleted while they are at most 20% of at least 200 attempts in 10 minutes', async () => {
    const of = await application()
    const list = await devices(of, 60)
    await record([...answered(of, 160), ...list.slice(0, 40).map((device) => attempt(device, true))])
    assert.equal(await kept(list), 20)
    await record([attempt(list[40]!, true)])
    assert.equal(await kept(list), 60, '41 of 201 are more')

    const slow = await application()
    const few = await devices(slow, 150)
    await record(few.slice(0, 100).map((device) => attempt(device, true)))
    clock.advance(UNREGISTERED_RETENTION_MS + 20_000)
    await record(few.slice(100).map((device) => attempt(device, true)))
    await record(answered(slow, 60))
    assert.equal(await kept(few), 0, 'those of before do not count')
  })

  test('are restored with contact, pending link and notice, unless put or deleted meanwhile', async () => {
    const of = await application()
    const address = `${randomUUID()}@shop.example`
    const { body: contact } = await call('POST', '/targets', { body: { Email: address } })
    const linked = { contact: { type: 'id', value: contact.id } }
    const [first, erased, again] = await devices(of, 3, linked)
    const { body: lost } = await call('POST', '/targets', { body: { Email: `${randomUUID()}@shop.example` } })
    const [orphan] = await devices(of, 1, { contact: { type: 'id', value: lost.id } })
    const [waiting] = await devices(of, 1)
    await sql`insert into awaited_subscriptions (account, subscription, hash, awaited_at)
      values (${own.account}, ${waiting!.id}, decode(repeat('ab', 16), 'hex'), now())`.execute(db)
    await sql`update accounts set listening = '{subscription.created,subscription.deleted}' where id = ${own.account}`.execute(
      db,
    )
    const all = [first!, erased!, again!, orphan!, waiting!]
    await record(all.map((device) => attempt(device, true)))
    assert.equal(await kept(all), 0)
    assert.equal((await call('DELETE', `/subscriptions/${erased!.id}`)).status, 404)
    await put({ ...again!, token: newToken() }, linked)
    assert.equal((await call('DELETE', `/targets/${lost.id}?erase=true`)).status, 204)
    const { rows: left } = await sql<{
      id: string
    }>`select id from gone_subscriptions where application = ${of}`.execute(db)
    assert.deepEqual(
      left.map(({ id }) => id).sort(),
      [first!.id, again!.id, waiting!.id].sort(),
      'nothing is kept of an erased one',
    )
    const more = await devices(of, 200)
    await record(more.map((device) => attempt(device, true)))
    assert.deepEqual([await kept([first!]), await kept([erased!]), await kept([orphan!])], [1, 0, 0])
    assert.equal((await call('GET', `/subscriptions/${first!.id}`)).body.contact.id, contact.id)
    assert.equal((await call('GET', `/targets/${contact.id}/subscriptions`)).body.length, 2)
    const { rows: awaited } = await sql<{ hash: string }>`
      select encode(hash, 'hex') as hash from awaited_subscriptions where subscription = ${waiting!.id}`.execute(db)
    assert.deepEqual(awaited, [{ hash: 'ab'.repeat(16) }])
    const { rows: told } = await sql<{ type: string }>`
      select type from notices where data ->> 'subscription' = ${first!.id} order by id`.execute(db)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['subscription.deleted', 'subscription.created'],
    )
    await sql`update accounts set listening = '{}' where id = ${own.account}`.execute(db)
  })

  test('are forgotten after 10 minutes', async () => {
    const of = await application()
    const [device] = await devices(of, 1)
    await record([attempt(device!, true)])
    clock.advance(UNREGISTERED_RETENTION_MS + 61_000)
    await purgeExpiredRows(context, 'forgetGone', clock.now())
    const { rows } =
      await sql`select id from gone_subscriptions union all select application from push_attempts`.execute(db)
    assert.deepEqual(rows, [])
  })

  test('stop nothing else when their application was deleted meanwhile', async () => {
    const of = await application()
    assert.equal((await call('DELETE', `${PATH}/${of}/activation`)).status, 204)
    assert.equal((await call('DELETE', `${PATH}/${of}`)).status, 204)
    await record(Array.from({ length: 200 }, () => attempt({ id: randomUUID(), application: of, token: 'x' }, true)))
  })
})

suite('push provider gateways', () => {
  const registry = () => openGatewayRegistry({ ...context, configured: [], destinations: { rules: [] } as never })

  test('are opened by application and type, only for their own account', async () => {
    const of = await application()
    const gateways = registry()
    const named = (account: number, kind: string) => gateways.named(account, 'notification', { kind, key: of })
    try {
      assert.equal((await named(own.account, 'push-apns'))?.kind, 'push-apns')
      assert.equal((await named(own.account, 'push-http'))?.kind, 'push-http')
      assert.equal(await named(own.account, 'push-fcm'), undefined)
      assert.equal(await named(other.account, 'push-apns'), undefined)
      await sql`update application_providers set secret = null, fingerprint = null
        where application = ${of} and type = 'apns'`.execute(db)
      await sql`update application_providers set secret = '\\x00' where application = ${of} and type = 'http'`.execute(
        db,
      )
      const again = registry()
      assert.equal(await again.named(own.account, 'notification', { kind: 'push-apns', key: of }), undefined)
      assert.equal(await again.named(own.account, 'notification', { kind: 'push-http', key: of }), undefined)
      await again.close()
    } finally {
      await gateways.close()
    }
  })
})
