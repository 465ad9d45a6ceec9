import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, contact, context, own } = stage
const APPLICATIONS = '/parameters/applications'
const SECRET = 'a secret of at least thirty-two letters'
const HOUR_S = 3600

let serial = 0
async function application(registration: object = {}) {
  const answer = await call('POST', APPLICATIONS, { body: { name: `Proven ${++serial}`, registration } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const proven = async (): Promise<string> => (await application({ proof: 'required', secret: SECRET })).id
const person = async () => {
  const address = `p${++serial}@orchard.example`
  return { id: await contact(address), address }
}

let addresses = 0
/** A device that is put; gives the status and what is stored of it. */
async function put(target: string, linked: unknown, id: string = randomUUID(), more: object = {}) {
  clock.advance(1)
  const body = {
    id,
    application: target,
    gateway: { type: 'http', token: randomUUID() },
    ...(linked !== undefined && { linked }),
    ...more,
  }
  const { statusCode: status, payload } = await app.inject({
    method: 'PUT',
    url: '/api/v1.0/ACME/001/subscriptions',
    payload: JSON.stringify(body),
    remoteAddress: `10.${++addresses >> 8}.${addresses & 255}.1`,
  })
  assert.equal(payload, status === 200 ? '{}' : '')
  const subscription = await call('GET', `/subscriptions/${id}`)
  return { status, id, contact: subscription.status === 200 ? (subscription.body.contact?.id ?? null) : undefined }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const inSeconds = (seconds: number) => Math.floor(clock.now() / 1000) + seconds

/** A JWT, signed by hand as any server does. */
function jwt(claims: object, { secret = SECRET, header = { alg: 'HS256', typ: 'JWT' } as object } = {}): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const hashOf = async (id: string) =>
  (
    await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from contacts where account = ${own.account} and id = ${Number.parseInt(id, 36)}`.execute(
      context.db,
    )
  ).rows[0]!.hash

suite('an application that requires proofs', () => {
  test('attaches a device by a JWT of its contact, for itself, of at most a day', async () => {
    const target = await proven()
    const { id, address } = await person()
    const hash = await hashOf(id)
    const claims = (sub: string) => ({ sub, aud: target, exp: inSeconds(HOUR_S) })
    for (const linked of [
      { type: 'id', value: id },
      { type: 'id', value: id.toLowerCase() },
      { type: 'unicity', value: address },
      { type: 'unicity', value: [address] },
      { type: 'hash', value: hash.toUpperCase() },
    ]) {
      const sub = [linked.value].flat().join('')
      const { status, contact: attached } = await put(target, { ...linked, proof: jwt(claims(sub)) })
      assert.deepEqual([status, attached], [200, id], JSON.stringify(linked))
    }
    const day = { ...claims(id), exp: inSeconds(24 * HOUR_S) }
    assert.equal((await put(target, { type: 'id', value: id, proof: jwt(day) })).status, 200)
    const aud = [randomUUID(), target.toUpperCase()]
    assert.equal((await put(target, { type: 'id', value: id, proof: jwt({ ...day, aud }) })).status, 200)
  })

  test('answers 400 without one that is good, and attaches and stores nothing', async () => {
    const [target, other] = [await proven(), await proven()]
    const [{ id, address }, stranger] = [await person(), await person()]
    const good = { sub: id, aud: target, exp: inSeconds(HOUR_S) }
    const { exp: _, ...endless } = good
    const { aud: __, ...forAny } = good
    const { sub: ___, ...ofNobody } = good
    const signed = jwt(good)
    const byId: Record<string, unknown> = {
      'no proof': undefined,
      'no text': 7,
      'an empty one': '',
      'no JWT': 'proof',
      'another secret': jwt(good, { secret: `${SECRET}!` }),
      'no signature': `${encoded({ alg: 'none' })}.${encoded(good)}.`,
      'another algorithm': jwt(good, { header: { alg: 'HS512' } }),
      'another signature': `${signed.slice(0, -4)}AAAA`,
      'another contact': jwt({ ...good, sub: stranger.id }),
      'another application': jwt({ ...good, aud: other }),
      'no application': jwt(forAny),
      'no contact': jwt(ofNobody),
      'no end': jwt(endless),
      'an end that is over': jwt({ ...good, exp: inSeconds(-1) }),
      'an end in more than a day': jwt({ ...good, exp: inSeconds(24 * HOUR_S + 60) }),
      'not yet good': jwt({ ...good, nbf: inSeconds(HOUR_S / 2) }),
    }
    for (const [what, proof] of Object.entries(byId)) {
      const { status, contact: attached } = await put(target, { type: 'id', value: id, proof })
      assert.deepEqual([status, attached], [400, undefined], what)
    }
    for (const linked of [
      { type: 'hash', value: await hashOf(id) },
      { type: 'unicity', value: address },
    ])
      assert.equal((await put(target, linked)).status, 400)
    assert.equal((await put(target, { type: 'unicity', value: address, proof: signed })).status, 400)
  })

  test('takes devices that name nobody, keeps their contact, and asks nothing of keys', async () => {
    const target = await proven()
    const { id } = await person()
    const bare = await put(target, undefined)
    assert.deepEqual([bare.status, bare.contact], [200, null])
    const proof = jwt({ sub: id, aud: target, exp: inSeconds(HOUR_S) })
    await put(target, { type: 'id', value: id, proof }, bare.id)
    assert.equal((await put(target, null, bare.id)).contact, id)
    assert.equal((await put(target, { type: 'hash', value: '' }, bare.id)).contact, id)
    const next = await person()
    assert.equal((await put(target, { type: 'id', value: next.id }, bare.id)).status, 400)
    assert.equal((await call('GET', `/subscriptions/${bare.id}`)).body.contact.id, id)
    const body = {
      application: target,
      provider: { type: 'http', token: 'by a key' },
      contact: { type: 'id', value: id },
    }
    assert.equal((await call('PUT', '/subscriptions', { body })).body.contact.id, id)
  })

  test('detaches a device at logout without a proof, and attaches it again with the next proof', async () => {
    const target = await proven()
    const { id } = await person()
    const proof = jwt({ sub: id, aud: target, exp: inSeconds(HOUR_S) })
    const linked = { type: 'id', value: id, proof }
    const device = await put(target, linked)
    assert.equal((await put(target, null, device.id, { detach: false })).contact, id)
    for (const nobody of [null, undefined, { type: 'hash', value: '' }]) {
      assert.deepEqual(await put(target, nobody, device.id, { detach: true }), { ...device, contact: null })
      assert.deepEqual(await put(target, linked, device.id), device)
    }
    assert.equal((await put(target, linked, device.id, { detach: true })).status, 400)
    assert.equal((await call('GET', `/subscriptions/${device.id}`)).body.contact.id, id)
    const unknown = await put(target, null, randomUUID(), { detach: true })
    assert.deepEqual([unknown.status, unknown.contact], [200, null])
  })

  test('makes a secret where none is given, shows it once, and keeps it until another one is given', async () => {
    const { id, registration, ...made } = await application({ proof: 'required' })
    const { secret } = registration
    assert.match(secret, /^[\w-]{43}$/)
    const read = (await call('GET', `${APPLICATIONS}/${id}`)).body
    assert.deepEqual(read, { ...made, id, registration: { ...registration, secret: null } })
    const of = await person()
    const claims = { sub: of.id, aud: id, exp: inSeconds(HOUR_S) }
    const statusOf = async (key: string) =>
      (await put(id, { type: 'id', value: of.id, proof: jwt(claims, { secret: key }) })).status
    assert.equal(await statusOf(secret), 200)
    assert.equal((await call('PUT', `${APPLICATIONS}/${id}`, { body: read })).body.registration.secret, null)
    assert.equal(await statusOf(secret), 200)
    const change = (given: object) => call('PUT', `${APPLICATIONS}/${id}`, { body: { registration: given } })
    assert.equal((await change({ secret: SECRET })).body.registration.secret, null)
    assert.deepEqual([await statusOf(secret), await statusOf(SECRET)], [400, 200])
    assert.equal((await change({ secret: 'short' })).status, 400)
    assert.equal((await change({ proof: 'perhaps' })).status, 400)
    await change({ proof: 'none' })
    assert.deepEqual([await statusOf(secret), (await put(id, { type: 'id', value: of.id })).contact], [200, of.id])
    assert.equal((await change({ proof: 'required' })).body.registration.secret, null)
    assert.deepEqual([await statusOf(secret), await statusOf(SECRET)], [400, 200])
    const { rows } = await sql<{ text: string }>`
      select encode(registration_secret, 'escape') as text from applications where id = ${id}`.execute(context.db)
    assert.ok(!rows[0]!.text.includes('thirty-two'))
    const audit = (await call('GET', '/audit')).text
    assert.ok(!audit.includes(SECRET) && !audit.includes(secret))
  })
})

suite('the 51st device of a contact', () => {
  /** So many devices of a contact that were put some days ago. */
  async function devices(target: string, of: string, count: number, daysAgo: number): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      const body = {
        application: target,
        provider: { type: 'http', token: randomUUID() },
        contact: { type: 'id', value: of },
      }
      const { id } = (await call('PUT', '/subscriptions', { body })).body
      ids.push(id)
      clock.advance(1)
    }
    await sql`
      update subscriptions set created_at = created_at - ${daysAgo} * interval '1 day'
      where account = ${own.account} and id = any(${ids}::uuid[])`.execute(context.db)
    return ids
  }
  const idsOf = async (of: string): Promise<string[]> =>
    (await call('GET', `/targets/${of}/subscriptions`)).body.map(({ id }: { id: string }) => id)

  test('is stored without the contact while the others were put this month, and nothing of them goes', async () => {
    const { id: target } = await application()
    const { id } = await person()
    const present = await devices(target, id, 50, 29)
    for (let n = 0; n < 3; n++) {
      const stranger = await put(target, { type: 'id', value: id })
      assert.deepEqual([stranger.status, stranger.contact], [200, null])
    }
    assert.deepEqual((await idsOf(id)).sort(), present.toSorted())
    // Another application has room of its own.
    const other = (await application()).id
    assert.equal((await put(other, { type: 'id', value: id })).contact, id)
  })

  test('replaces the one that was silent longest, if that was silent for a month', async () => {
    const { id: target } = await application()
    const { id } = await person()
    const [silent, longer] = [(await devices(target, id, 1, 31))[0]!, (await devices(target, id, 1, 90))[0]!]
    const current = (await devices(target, id, 1, 200))[0]!
    // It was put again, as it was.
    await sql`
      update subscriptions set put_at = ${new Date(clock.now())} where account = ${own.account} and id = ${current}`.execute(
      context.db,
    )
    const others = await devices(target, id, 47, 0)
    const first = await put(target, { type: 'id', value: id })
    assert.equal(first.contact, id)
    assert.deepEqual((await idsOf(id)).sort(), [silent, current, ...others, first.id].sort())
    assert.equal((await call('GET', `/subscriptions/${longer}`)).status, 404)
    assert.equal((await put(target, { type: 'id', value: id })).contact, id)
    assert.equal((await put(target, { type: 'id', value: id })).contact, null)
  })

  test('takes the place of the one silent longest, whenever that was, if a proof or a key says whose it is', async () => {
    const target = await proven()
    const { id } = await person()
    const present = await devices(target, id, 50, 1)
    const proof = jwt({ sub: id, aud: target, exp: inSeconds(HOUR_S) })
    const mine = await put(target, { type: 'id', value: id, proof })
    assert.equal(mine.contact, id)
    const [byKey] = await devices(target, id, 1, 0)
    assert.deepEqual((await idsOf(id)).sort(), [...present.slice(2), mine.id, byKey!].sort())
  })

  test('has no room either if it awaited the contact, who gets an address that devices await', async () => {
    const { id: target } = await application()
    const { id } = await person()
    const present = await devices(target, id, 50, 5)
    const address = `later${++serial}@orchard.example`
    const waiting = await put(target, { type: 'unicity', value: address })
    const otherApplication = (await application()).id
    const roomy = await put(otherApplication, { type: 'unicity', value: address })
    const answer = await call('PUT', `/targets/${id}`, { body: { Email: address } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual((await idsOf(id)).sort(), [...present, roomy.id].sort())
    assert.equal((await call('GET', `/subscriptions/${waiting.id}`)).body.contact, null)
  })

  test('is left without the contact if more than 50 awaited one that is created', async () => {
    const { id: target } = await application()
    const address = `new${++serial}@orchard.example`
    for (let n = 0; n < 52; n++) await put(target, { type: 'unicity', value: address })
    const id = await contact(address)
    assert.equal((await idsOf(id)).length, 50)
  })
})
