import assert from 'node:assert/strict'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import { readNotices } from '../../../src/features/notices/reading.ts'
import { finalizePendingLinks } from '../../../src/features/subscriptions/awaited.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, contact, context, makeKey, other, own } = await startStage()
const { db } = context
const DAY = 24 * 3_600_000
const DEVICES = '/api/v1.0/ACME/001/subscriptions'

let made = 0
async function application(more: object = {}, key = own.key): Promise<string> {
  const answer = await call('POST', '/parameters/applications', { key, body: { name: `App ${++made}`, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

const app = await application()
const newToken = () => randomBytes(8).toString('hex')
const bodyOf = (more: object = {}) => ({
  id: randomUUID(),
  application: app,
  provider: { type: 'firebase', token: newToken() },
  ...more,
})

async function put(body: object) {
  const answer = await call('PUT', '/subscriptions', { body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const get = async (id: string) => (await call('GET', `/subscriptions/${id}`)).body
const statusOf = async (id: string) => (await call('GET', `/subscriptions/${id}`)).status

async function device(body: object, status = 200): Promise<void> {
  const answer = await call('PUT', DEVICES, { body, key: null })
  assert.deepEqual([answer.status, answer.text], [status, status === 200 ? '{}' : ''])
}

const footprint = async (id: string) => {
  const { rows } = await sql<{ hash: string; unicity: string }>`
    select encode(hash, 'hex') as hash, unicity from contacts where id = ${Number.parseInt(id, 36)}`.execute(db)
  return { type: 'footprint', id, ...rows[0]! }
}

suite('subscriptions', () => {
  test('are stored and returned whole, including who wrote them', async () => {
    const ada = await contact('ada@orchard.example')
    const body = bodyOf({
      culture: 'fr',
      protocol: '1.0.0',
      contact: { type: 'unicity', value: 'ADA@orchard.example' },
    })
    const shown = await put({ ...body, id: body.id.toUpperCase(), application: app.toUpperCase() })
    assert.deepEqual(shown, {
      ...body,
      contact: await footprint(ada),
      muted: null,
      lifecycle: { creation: { date: new Date(clock.now()).toISOString(), user: shown.lifecycle.creation.user } },
    })
    assert.equal(shown.lifecycle.creation.user.name, 'test')
    assert.deepEqual(await get(body.id.toUpperCase()), shown)
    const without = await put({ ...bodyOf(), id: null })
    assert.match(without.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual([without.contact, without.culture, without.protocol], [null, null, null])
  })

  test('a PUT of the document from GET keeps contact and creation, and an unknown contact id in it is 404', async () => {
    const shown = await put(bodyOf({ contact: { type: 'id', value: await contact('bea@orchard.example') } }))
    clock.advance(1000)
    assert.deepEqual(await put(shown), shown)
    const unknown = await call('PUT', '/subscriptions', {
      body: { ...shown, contact: { ...shown.contact, id: '0000ZZZZ' } },
    })
    assert.equal(unknown.status, 404)
    assert.deepEqual(await get(shown.id), shown)
  })

  test('a repeated PUT updates the modification date at most once a day and nothing else', async () => {
    const shown = await put(bodyOf())
    clock.advance(DAY - 1)
    assert.equal((await put(shown)).lifecycle.modification, undefined)
    clock.advance(1)
    const { lifecycle, ...rest } = await put(shown)
    assert.equal(lifecycle.modification.date, new Date(clock.now()).toISOString())
    assert.deepEqual({ ...rest, lifecycle: { creation: lifecycle.creation } }, shown)
  })

  test('absent members are retained, null detaches, and another contact takes over the device', async () => {
    const [ann, bob] = [await contact('ann@orchard.example'), await contact('bob@orchard.example')]
    const { id, provider } = await put(bodyOf({ culture: 'de', contact: { type: 'id', value: ann } }))
    const short = { id, application: app, provider }
    assert.deepEqual([(await put(short)).contact.id, (await put(short)).culture], [ann, 'de'])
    const { hash } = await footprint(bob)
    assert.equal((await put({ ...short, contact: { type: 'hash', value: hash.toUpperCase() } })).contact.id, bob)
    assert.deepEqual((await call('GET', `/targets/${ann}/subscriptions`)).body, [])
    assert.deepEqual(
      [(await put({ ...short, culture: null, contact: null })).contact, (await get(id)).culture],
      [null, null],
    )
  })

  test('the same token under a new id replaces the older subscription', async () => {
    const first = await put(bodyOf())
    const second = await put({ ...bodyOf(), provider: first.provider })
    assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], [404, 200])
    const elsewhere = await put({ ...bodyOf(), application: await application(), provider: first.provider })
    assert.deepEqual([await statusOf(second.id), await statusOf(elsewhere.id)], [200, 200])
  })

  test('two devices that exchange tokens at the same time both keep a subscription, with its new token', async () => {
    const [one, two] = [await put(bodyOf()), await put(bodyOf())]
    await Promise.all([
      device({ id: one.id, application: app, provider: two.provider }),
      device({ id: two.id, application: app, provider: one.provider }),
    ])
    const left = await sql<{ id: string; token: string }>`
      select id, token from subscriptions where token in (${one.provider.token}, ${two.provider.token})`.execute(db)
    assert.deepEqual(
      new Map(left.rows.map(({ id, token }) => [id, token])),
      new Map([
        [one.id, two.provider.token],
        [two.id, one.provider.token],
      ]),
    )
    assert.equal(left.rows.length, 2)
  })

  test('the 51st subscription of a contact deletes its least recently changed one in that application', async () => {
    const carl = await contact('carl@orchard.example')
    const elsewhere = await put({
      ...bodyOf({ contact: { type: 'id', value: carl } }),
      application: await application(),
    })
    const ids: string[] = []
    for (let n = 0; n < 50; n++) {
      clock.advance(1000)
      ids.push((await put(bodyOf({ contact: { type: 'id', value: carl } }))).id)
    }
    clock.advance(DAY)
    const first = await get(ids[0]!)
    await put(first)
    await put(bodyOf({ contact: { type: 'id', value: carl } }))
    assert.deepEqual([await statusOf(ids[0]!), await statusOf(ids[1]!), await statusOf(ids[2]!)], [200, 404, 200])
    assert.equal(await statusOf(elsewhere.id), 200)
    assert.equal((await call('GET', `/targets/${carl}/subscriptions`)).body.length, 51)
  })

  test('every PUT unmutes', async () => {
    const shown = await put(bodyOf())
    await sql`update subscriptions set muted = true, muted_channels = '{news,null}' where id = ${shown.id}`.execute(db)
    assert.deepEqual((await get(shown.id)).muted, { global: true, channels: ['news', null] })
    assert.equal((await put(shown)).muted, null)
  })

  test('invalid input is 400 with a pointer, unknown references 404, and a change of application 409', async () => {
    const fault = async (more: object, pointer: string, status = 400) => {
      const answer = await call('PUT', '/subscriptions', { body: bodyOf(more) })
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [status, pointer], answer.text)
    }
    await fault({ id: 'x' }, '/id')
    await fault({ application: 'x' }, '/application')
    await fault({ application: randomUUID() }, '/application', 404)
    await fault({ provider: undefined }, '/provider')
    await fault({ provider: { type: 'pigeon' } }, '/provider/type')
    await fault({ provider: { type: 'firebase', token: '' } }, '/provider/token')
    await fault({ provider: { type: 'firebase', token: 'x'.repeat(4097) } }, '/provider/token')
    await fault({ provider: { type: 'apns', token: 'abc' } }, '/provider/token')
    await fault({ contact: { type: 'email', value: 'x' } }, '/contact/type')
    await fault({ contact: { type: 'hash', value: 'x' } }, '/contact/value')
    await fault({ contact: { type: 'id', value: '0000ZZZZ' } }, '/contact', 404)
    await fault({ culture: 'x'.repeat(36) }, '/culture')
    const shown = await put(bodyOf({ provider: { type: 'apns', token: 'ABCDEF' } }))
    assert.equal(shown.provider.token, 'abcdef')
    const moved = await call('PUT', '/subscriptions', { body: { ...shown, application: await application() } })
    assert.equal(moved.status, 409)
  })

  test('a Web Push endpoint must be on a push host', async () => {
    const pair = createECDH('prime256v1')
    const keys = { p256dh: pair.generateKeys('base64'), auth: randomBytes(16).toString('base64') }
    const withEndpoint = (endpoint: string, more: object = {}) =>
      call('PUT', '/subscriptions', { body: bodyOf({ provider: { type: 'webpush', endpoint, keys, ...more } }) })
    for (const endpoint of [
      'https://10.0.0.5/x',
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com.attacker.example/',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com@10.0.0.5/',
    ]) {
      const { status, body } = await withEndpoint(endpoint)
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, '/provider/endpoint'], endpoint)
      await device(bodyOf({ provider: { type: 'webpush', endpoint, keys } }), 400)
    }
    const taken = await withEndpoint('https://updates.push.services.mozilla.com/wpush/v2/x')
    assert.equal(taken.status, 200, taken.text)
    const point = pair.getPublicKey('base64url')
    assert.deepEqual(taken.body.provider.keys.p256dh, point)
    assert.equal(
      (await withEndpoint('https://fcm.googleapis.com/x', { keys: { p256dh: 'AAAA', auth: keys.auth } })).status,
      400,
    )
  })

  test('are listed and deleted by contact id, unicity and hash', async () => {
    const dora = await contact('dora@orchard.example')
    const { hash } = await footprint(dora)
    const paths = [
      `/targets/${dora}/subscriptions`,
      '/targets/subscriptions?unicity=dora@orchard.example',
      `/targets/subscriptions?hash=${hash}`,
    ]
    for (const path of paths) {
      const shown = await put(bodyOf({ contact: { type: 'id', value: dora } }))
      assert.deepEqual((await call('GET', path)).body, [shown])
      for (let time = 0; time < 2; time++) assert.equal((await call('DELETE', path)).status, 204)
      assert.deepEqual((await call('GET', path)).body, [])
    }
    for (const method of ['GET', 'DELETE']) {
      for (const path of [
        '/targets/0000ZZZZ/subscriptions',
        '/targets/subscriptions?unicity=no',
        `/targets/subscriptions?hash=${'0'.repeat(32)}`,
      ])
        assert.equal((await call(method, path)).status, 404, path)
      for (const path of ['/targets/subscriptions', `/targets/subscriptions?unicity=a&hash=${hash}`])
        assert.equal((await call(method, path)).status, 400, path)
    }
    const { id } = await put(bodyOf())
    assert.deepEqual(
      [(await call('DELETE', `/subscriptions/${id}`)).status, (await call('DELETE', `/subscriptions/${id}`)).status],
      [204, 404],
    )
  })

  test('a subscription is 404 in another account, which can use the same id and token', async () => {
    const eve = await contact('eve@orchard.example')
    const shown = await put(bodyOf({ contact: { type: 'id', value: eve } }))
    const theirs = { key: other.key }
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await call(method, `/subscriptions/${shown.id}`, theirs)).status, 404)
      assert.equal((await call(method, `/targets/${eve}/subscriptions`, theirs)).status, 404)
      assert.equal((await call(method, '/targets/subscriptions?unicity=eve@orchard.example', theirs)).status, 404)
      assert.equal((await call(method, `/targets/subscriptions?hash=${shown.contact.hash}`, theirs)).status, 404)
    }
    assert.equal((await call('PUT', '/subscriptions', { ...theirs, body: shown })).status, 404)
    const body = { ...shown, contact: undefined, application: await application({}, other.key) }
    assert.equal((await call('PUT', '/subscriptions', { ...theirs, body })).status, 200)
    assert.deepEqual(await get(shown.id), shown)
    const reader = { key: await makeKey(own.account, ['read']) }
    assert.equal((await call('PUT', '/subscriptions', { ...reader, body: shown })).status, 403)
  })

  test('are deleted with their contact, their application or an erasure, and are part of the export', async () => {
    const fay = await contact('fay@orchard.example')
    const shown = await put(bodyOf({ contact: { type: 'id', value: fay } }))
    assert.deepEqual((await call('GET', `/targets/${fay}/export`)).body.subscriptions, [shown])
    assert.equal((await call('DELETE', `/targets/${fay}?erase=true`)).status, 204)
    assert.equal(await statusOf(shown.id), 404)
    const gone = await application()
    const last = await put({ ...bodyOf(), application: gone })
    assert.equal((await call('DELETE', `/parameters/applications/${gone}`)).status, 204)
    assert.equal(await statusOf(last.id), 404)
  })

  test('notices are written for creation and deletion, whatever the cause', async () => {
    await replaceListenedTypes(db, own.account, 'webhook t', ['subscription.created', 'subscription.deleted'])
    const gus = await contact('gus@orchard.example')
    const first = await put(bodyOf({ contact: { type: 'id', value: gus } }))
    await put(first)
    const second = await put({ ...bodyOf(), provider: first.provider, contact: { type: 'id', value: gus } })
    assert.equal((await call('DELETE', `/targets/${gus}`)).status, 204)
    const notices = await readNotices(db, own.account, undefined, 100)
    assert.deepEqual(
      notices.map(({ type, contact: whose, data }) => [type, whose, data]).sort(),
      [
        ['subscription.created', gus, { subscription: first.id, application: app }],
        ['subscription.created', gus, { subscription: second.id, application: app }],
        ['subscription.deleted', gus, { subscription: first.id, application: app }],
        ['subscription.deleted', gus, { subscription: second.id, application: app }],
      ].sort(),
    )
    await replaceListenedTypes(db, own.account, 'webhook t', [])
  })

  test('criteria select contacts that have a subscription', async () => {
    const hal = await contact('hal@orchard.example')
    const ofIts = await application()
    const body = { name: 'With an app', type: 'dynamic', criteria: { type: 'subscription', application: ofIts } }
    const { id } = (await call('POST', '/segments', { body })).body
    const count = async () => ((await call('GET', `/segments/${id}/targets`)).body as unknown[]).length
    assert.equal(await count(), 0)
    await put({ ...bodyOf({ contact: { type: 'id', value: hal } }), application: ofIts })
    assert.equal(await count(), 1)
  })
})

const md5 = async (text: string) => {
  const { rows } = await sql<{ h: string }>`select md5(${text}) as h`.execute(db)
  return rows[0]!.h
}
const awaited = async (id: string) =>
  (await sql`select from awaited_subscriptions where subscription = ${id}`.execute(db)).rows.length

suite('subscriptions of contacts not yet created', () => {
  const waiting = async (linked: object, more: object = {}) => {
    const body = bodyOf({ linked, ...more })
    await device(body)
    assert.equal((await get(body.id)).contact, null)
    return body
  }

  test('are attached when any operation creates the contact', async () => {
    const one = await waiting({ type: 'hash', value: await md5('ida@orchard.example') })
    const ida = await contact('ida@orchard.example')
    assert.deepEqual((await get(one.id)).contact, await footprint(ida))
    assert.equal(await awaited(one.id), 0)
    const two = await waiting({ type: 'unicity', value: ['jon@orchard.example'] })
    assert.equal((await call('PUT', '/targets', { body: { Email: 'jon@orchard.example' } })).status, 200)
    assert.equal((await get(two.id)).contact.unicity, 'jon@orchard.example')
  })

  test('are attached when the contact is renamed', async () => {
    const { id } = await waiting({ type: 'unicity', value: 'kim@orchard.example' })
    const lea = await contact('lea@orchard.example')
    assert.equal((await call('PUT', `/targets/${lea}`, { body: { Email: 'kim@orchard.example' } })).status, 200)
    assert.equal((await get(id)).contact.id, lea)
  })

  test('an unknown contact id is not stored, and a contact identified later ends the wait', async () => {
    const one = await waiting({ type: 'id', value: '0000ZZZZ' })
    assert.equal(await awaited(one.id), 0)
    const two = await waiting({ type: 'unicity', value: 'max@orchard.example' })
    await device({ ...two, linked: null })
    assert.equal(await awaited(two.id), 1)
    const ned = await contact('ned@orchard.example')
    await device({ ...two, linked: { type: 'id', value: ned } })
    assert.deepEqual([await awaited(two.id), (await get(two.id)).contact.id], [0, ned])
    await contact('max@orchard.example')
    assert.equal((await get(two.id)).contact.id, ned)
  })

  test('are attached only up to the maximum per contact', async () => {
    const linked = { type: 'unicity', value: 'ola@orchard.example' }
    const bodies = Array.from({ length: 52 }, () => bodyOf({ linked }))
    await Promise.all(bodies.map((body) => device(body)))
    const ola = await contact('ola@orchard.example')
    assert.equal((await call('GET', `/targets/${ola}/subscriptions`)).body.length, 50)
  })

  test('hashes are deleted after 90 days, and the account then expects none', async () => {
    const flag = async () =>
      (await sql<{ on: boolean }>`select awaits_devices as on from accounts where id = ${own.account}`.execute(db))
        .rows[0]?.on
    const { id } = await waiting({ type: 'unicity', value: 'pam@orchard.example' })
    assert.equal(await flag(), true)
    await purgeExpiredRows(context, 'forgetAwaited', clock.now() + 90 * DAY)
    assert.equal(await awaited(id), 1)
    await purgeExpiredRows(context, 'forgetAwaited', clock.now() + 90 * DAY + 1)
    assert.equal(await awaited(id), 0)
    await finalizePendingLinks(db, new Date(clock.now()))
    assert.equal(await flag(), false)
    await contact('pam@orchard.example')
    assert.equal((await get(id)).contact, null)
  })

  test('a contact and a device written at the same time are joined later', async () => {
    const { id } = await waiting({ type: 'unicity', value: 'quin@orchard.example' })
    await sql`
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      values (${own.account}, '{"1":"quin@orchard.example"}', 'quin@orchard.example', 'quin@orchard.example',
        decode(md5('quin@orchard.example'), 'hex'), now(), now())`.execute(db)
    await finalizePendingLinks(db, new Date(clock.now()))
    assert.equal((await get(id)).contact.unicity, 'quin@orchard.example')
  })

  test('an erasure of the person deletes the hash', async () => {
    const rob = await contact('rob@orchard.example')
    const { id } = await waiting({ type: 'unicity', value: 'rob2@orchard.example' })
    await sql`update awaited_subscriptions set hash = decode(md5('rob@orchard.example'), 'hex') where subscription = ${id}`.execute(
      db,
    )
    assert.equal((await call('DELETE', `/targets/${rob}?erase=true`)).status, 204)
    assert.equal(await awaited(id), 0)
  })
})
