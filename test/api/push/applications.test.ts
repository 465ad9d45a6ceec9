import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { loadApplication } from '../../../src/features/applications/applications.ts'
import { unsealProviderSecrets } from '../../../src/features/applications/provider-secrets.ts'
import { type CallOptions, startHarness } from '../../support/harness.ts'

const { call, clock, context, makeKey, other, own } = await startHarness()
const { db, masterKeys } = context
const PATH = '/parameters/applications'

const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const rsaPem = rsaKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const p8 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
const account = {
  type: 'service_account',
  project_id: 'orchard-prod',
  client_email: 'push@orchard.iam.gserviceaccount.example',
  private_key: rsaPem,
}
const key = JSON.stringify(account)
const PASSWORD = 'password-of-the-file'
const VAPID = { publicKey: '', privateKey: '' }
const secrets = [rsaPem.slice(40, 80), rsaPem.slice(40, 80).replaceAll('\n', '\\n'), p8.slice(40, 80), PASSWORD]

const firebase = { type: 'firebase', key, sender: 'orchard-prod' }
const certificate = { type: 'p8', value: p8, keyId: 'K3Y1D00042', teamId: 'TEAM000042' }
const apns = { type: 'apns', certificate, bundle: 'example.orchard.app' }
const home = { name: 'home', value: { type: 'literal', value: 'app://home' }, default: true }

let names = 0
const bodyOf = (more: object = {}) => ({ type: 'native', name: `Orchard ${++names}`, ...more })

async function ask(method: string, url: string, body?: unknown, options: CallOptions = {}) {
  const answer = await call(method, url, { ...(body !== undefined && { body }), ...options })
  for (const secret of secrets) assert.ok(!answer.text.includes(secret), `${method} ${url} tells a secret`)
  return answer
}

async function make(more: object = {}) {
  const answer = await ask('POST', PATH, bodyOf(more))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function refused(status: number, pointer: string, body: object): Promise<void> {
  const answer = await ask('POST', PATH, bodyOf(body))
  assert.equal(answer.status, status, answer.text)
  assert.ok(
    answer.body.errors.some((error: { pointer: string }) => error.pointer === pointer),
    answer.text,
  )
}

const activation = async (id: string, method = 'POST') => ask(method, `${PATH}/${id}/activation`)
const fingerprintOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** A self-signed certificate with its key as PKCS #12 in base64, valid for so many days. */
function makeP12(days: number, ...more: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'stentor-p12-'))
  try {
    const at = (name: string) => join(directory, name)
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      at('k'),
      '-out',
      at('c'),
      '-days',
      String(days),
      '-subj',
      '/CN=example.orchard.app',
    )
    openssl(
      'pkcs12',
      '-export',
      ...more,
      '-inkey',
      at('k'),
      '-in',
      at('c'),
      '-out',
      at('p'),
      '-passout',
      `pass:${PASSWORD}`,
    )
    return readFileSync(at('p')).toString('base64')
  } finally {
    rmSync(directory, { recursive: true })
  }
}

suite('mobile applications', () => {
  test('server-owned members and null are ignored, channels stay null and [] stays []', async () => {
    const body = bodyOf({ id: null, stamp: null, icon: null, channels: null, active: false, providers: [] })
    const { status, body: made } = await ask('POST', PATH, body)
    assert.equal(status, 200)
    const now = new Date(clock.now()).toISOString()
    assert.deepEqual(made, {
      type: 'native',
      id: made.id,
      name: body.name,
      description: null,
      active: false,
      stamp: { creation: now, modification: now },
      icon: null,
      providers: [],
      routes: null,
      channels: null,
      registration: { open: true, identifiers: ['id', 'unicity', 'hash'], proof: 'none', secret: null },
    })
    assert.deepEqual((await ask('GET', `${PATH}/${made.id.toUpperCase()}`)).body, made)
    const empty = await make({ channels: [], routes: [] })
    assert.deepEqual([empty.channels, empty.routes], [[], []])
    const listed = (await ask('GET', PATH)).body as { id: string }[]
    assert.deepEqual(
      listed.filter(({ id }) => id === made.id),
      [made],
    )
  })

  test('an application sent back as read keeps its secrets and fingerprints', async () => {
    const made = await make({ providers: [firebase, apns], routes: [home] })
    assert.deepEqual(made.providers, [
      { type: 'firebase', key: null, sender: 'orchard-prod', fingerprint: fingerprintOf(key) },
      {
        type: 'apns',
        certificate: { type: 'p8', value: null, keyId: 'K3Y1D00042', teamId: 'TEAM000042' },
        bundle: 'example.orchard.app',
        environment: 'production',
        fingerprint: fingerprintOf(p8),
      },
    ])
    assert.equal((await activation(made.id)).status, 204)
    clock.advance(1000)
    const again = await ask('PUT', `${PATH}/${made.id}`, made)
    assert.equal(again.status, 200, again.text)
    const modification = new Date(clock.now()).toISOString()
    assert.deepEqual(again.body, { ...made, active: true, stamp: { ...made.stamp, modification } })
    const { providers } = await loadApplication(db, { account: own.account, id: made.id })
    const open = (type: 'firebase' | 'apns') =>
      unsealProviderSecrets(masterKeys, { application: made.id, type }, providers.find((one) => one.type === type)!)
    assert.deepEqual([open('firebase'), open('apns')], [{ key }, { value: p8 }])
  })

  test('store their secrets sealed', async () => {
    await make({ providers: [firebase, apns] })
    const { rows } = await sql<{ row: string }>`
      select encode(secret, 'escape') || p::text as row from application_providers p where secret is not null`.execute(
      db,
    )
    assert.ok(rows.length > 0)
    for (const { row } of rows) assert.doesNotMatch(row, /PRIVATE KEY|gserviceaccount/)
  })

  test('a PUT replaces lists, merges other members and removes an omitted provider with its secret', async () => {
    const made = await make({ providers: [firebase, apns], routes: [home], description: 'ours' })
    const url = `${PATH}/${made.id}`
    const put = async (body: object) => {
      const answer = await ask('PUT', url, body)
      assert.equal(answer.status, 200, answer.text)
      return answer.body
    }
    const unproven = { proof: 'none', secret: null }
    assert.deepEqual((await put({ registration: { open: false } })).registration, {
      open: false,
      identifiers: ['id', 'unicity', 'hash'],
      ...unproven,
    })
    assert.deepEqual(await put({ registration: { identifiers: ['hash'] } }), {
      ...made,
      registration: { open: false, identifiers: ['hash'], ...unproven },
    })
    const bare = await put({ providers: [{ type: 'apns', environment: 'sandbox' }] })
    assert.deepEqual(bare.providers, [{ ...made.providers[1], environment: 'sandbox' }])
    const back = await put({ providers: [{ type: 'firebase' }] })
    assert.deepEqual(back.providers, [{ type: 'firebase', key: null, sender: null, fingerprint: null }])
    assert.deepEqual([(await put({ routes: null })).routes, (await put({})).description], [null, 'ours'])
  })

  test("a p12 certificate's password is checked, its expiry is shown, and an expired one is not activated", async () => {
    const value = makeP12(3)
    const p12 = { ...apns, certificate: { type: 'p12', value, password: PASSWORD, expiration: '2020-01-01' } }
    const made = await make({ providers: [p12], routes: [home] })
    const [shown] = made.providers
    assert.deepEqual(
      { ...shown.certificate, expiration: null },
      { type: 'p12', value: null, password: null, expiration: null },
    )
    const days = (Date.parse(shown.certificate.expiration) - clock.now()) / 86_400_000
    assert.ok(days > 2.9 && days <= 3.01, `${days}`)
    assert.equal(shown.fingerprint, fingerprintOf(value))
    assert.equal((await activation(made.id)).status, 204)
    const wrong = { ...p12, certificate: { ...p12.certificate, password: 'another' } }
    await refused(400, '/providers/0/certificate/password', { providers: [wrong] })
    await refused(400, '/providers/0/certificate/value', {
      providers: [{ ...apns, certificate: { type: 'p12', value: 'AAAA' } }],
    })
    const late = await make({ providers: [p12], routes: [home] })
    clock.advance(4 * 86_400_000)
    const answer = await activation(late.id)
    assert.deepEqual([answer.status, answer.body.errors[0].pointer], [409, '/providers/0'])
    clock.advance(-4 * 86_400_000)
  })

  test('malformed keys are 400 with a pointer and are not repeated', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    })
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const withKey = (given: unknown) => ({ providers: [{ type: 'firebase', key: given }] })
    await refused(400, '/providers/0/key', withKey('no json'))
    await refused(400, '/providers/0/key/private_key', withKey({ ...account, private_key: 'x' }))
    await refused(400, '/providers/0/key/private_key', withKey({ ...account, private_key: short }))
    await refused(400, '/providers/0/sender', withKey({ ...account, project_id: undefined }))
    const withCertificate = (more: object) => ({ providers: [{ ...apns, certificate: { ...certificate, ...more } }] })
    await refused(400, '/providers/0/certificate/value', withCertificate({ value: p384 }))
    await refused(400, '/providers/0/certificate/value', withCertificate({ value: 'x' }))
    await refused(400, '/providers/0/certificate/keyId', withCertificate({ keyId: null }))
    await refused(400, '/providers/0/bundle', { providers: [{ type: 'apns', certificate }] })
    await refused(400, '/providers/1/type', { providers: [firebase, firebase] })
    await refused(400, '/providers/0/url', { providers: [{ type: 'http', url: 'http://10.0.0.5/x' }] })
    await refused(400, '/providers/0/secret', {
      providers: [{ type: 'http', url: 'https://8.8.8.8/', secret: 'short' }],
    })
    await refused(400, '/providers/0/type', { providers: [{ type: 'pigeon' }] })
    const webpush = { type: 'webpush', subject: 'mailto:push@orchard.example' }
    await refused(400, '/providers/0/subject', { providers: [{ ...webpush, subject: 'push' }] })
    await refused(400, '/providers/0/privateKey', { providers: [{ ...webpush, privateKey: 'AAAA' }] })
    await refused(400, '/routes/1/name', { routes: [home, { ...home, default: false }] })
    await refused(400, '/channels/1/default', { channels: [home, { ...home, name: 'b' }] })
    await refused(400, '/icon', { icon: 'http://shop.example/icon.png' })
    await refused(400, '/type', { type: 'web' })
    assert.equal((await ask('POST', PATH, {})).status, 400)
    const many = Array.from({ length: 201 }, (_, n) => ({ ...home, name: `r${n}`, default: false }))
    assert.equal((await ask('POST', PATH, bodyOf({ routes: many }))).status, 400)
  })

  test('a generated secret is shown once, and Web Push keys are generated when both are absent', async () => {
    const webpush = { type: 'webpush', subject: 'mailto:push@orchard.example' }
    const made = await make({ providers: [{ type: 'http', url: 'https://8.8.8.8/push' }, webpush] })
    const [http, web] = made.providers
    assert.match(http.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(http.fingerprint, fingerprintOf(http.secret))
    assert.equal(Buffer.from(web.publicKey, 'base64url').length, 65)
    const again = (await ask('PUT', `${PATH}/${made.id}`, made)).body
    assert.deepEqual(
      again.providers,
      [{ ...http, secret: http.secret }, web].map((one) => ({ ...one, ...(one.secret && { secret: null }) })),
    )
    const read = (await ask('GET', `${PATH}/${made.id}`)).body
    assert.equal(read.providers[0].secret, null)
    const { providers } = await loadApplication(db, { account: own.account, id: made.id })
    const stored = unsealProviderSecrets(masterKeys, { application: made.id, type: 'webpush' }, providers[1]!)!
    Object.assign(VAPID, { publicKey: web.publicKey, privateKey: stored.privateKey })
    secrets.push(stored.privateKey)
    const given = await make({ providers: [{ ...webpush, ...VAPID }] })
    assert.equal(given.providers[0].fingerprint, web.fingerprint)
    const mixed = { ...webpush, ...VAPID, publicKey: Buffer.alloc(65, 4).toString('base64url') }
    await refused(400, '/providers/0/publicKey', { providers: [mixed] })
  })

  test('activation with apns and no default route is 409 with every fault', async () => {
    const made = await make({ providers: [{ type: 'firebase' }, apns], routes: [{ ...home, default: false }] })
    const answer = await activation(made.id)
    assert.equal(answer.status, 409)
    assert.deepEqual(
      answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/providers/0', '/routes'],
    )
    const empty = await activation((await make()).id)
    assert.deepEqual([empty.status, empty.body.errors[0].pointer], [409, '/providers'])
  })

  test("operations succeed or are refused as the application's state requires", async () => {
    const { id } = await make({ providers: [firebase] })
    const url = `${PATH}/${id}`
    assert.equal((await activation(id, 'DELETE')).status, 409)
    assert.equal((await activation(id)).status, 204)
    assert.equal((await activation(id)).status, 409)
    assert.equal((await ask('GET', url)).body.active, true)
    const broken = await ask('PUT', url, { name: 'Changed', providers: [] })
    assert.deepEqual([broken.status, broken.body.errors[0].pointer], [409, '/providers'])
    assert.notEqual((await ask('GET', url)).body.name, 'Changed')
    assert.equal((await ask('PUT', url, { description: 'x' })).status, 200)
    assert.equal((await ask('DELETE', url)).status, 409)
    assert.equal((await activation(id, 'DELETE')).status, 204)
    assert.equal((await ask('DELETE', url)).status, 204)
    for (const method of ['GET', 'PUT', 'DELETE'])
      assert.equal((await ask(method, url, method === 'PUT' ? {} : undefined)).status, 404, method)
    for (const method of ['POST', 'DELETE']) assert.equal((await activation(id, method)).status, 404)
  })

  test('names are unique within an account, ignoring case', async () => {
    const { name } = await make()
    const { id } = await make()
    const upper = name.toUpperCase()
    assert.equal((await ask('POST', PATH, { name: upper })).status, 409)
    assert.equal((await ask('PUT', `${PATH}/${id}`, { name: upper })).status, 409)
    assert.equal((await ask('POST', PATH, { name }, { key: other.key })).status, 200)
  })

  test('an application of another account is unknown', async () => {
    const { id } = await make({ providers: [firebase] })
    const theirs = { key: other.key }
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'taken over' }],
      ['DELETE', '', undefined],
      ['POST', '/activation', undefined],
      ['DELETE', '/activation', undefined],
    ] as const) {
      const answer = await ask(method, `${PATH}/${id}${path}`, body, theirs)
      assert.equal(answer.status, 404, `${method} ${path}`)
      const never = await ask(method, `${PATH}/${randomUUID()}${path}`, body)
      assert.deepEqual([never.status, never.body.type], [404, answer.body.type])
    }
    assert.equal((await ask('GET', `${PATH}/${id}`)).status, 200)
    assert.deepEqual(
      ((await ask('GET', PATH, undefined, theirs)).body as { id: string }[]).filter((one) => one.id === id),
      [],
    )
  })

  test('are written and activated only by administrators', async () => {
    const { id } = await make({ providers: [firebase] })
    const writer = { key: await makeKey(own.account, ['read', 'write', 'send']) }
    assert.equal((await ask('GET', `${PATH}/${id}`, undefined, writer)).status, 200)
    assert.equal((await ask('PUT', `${PATH}/${id}`, {}, writer)).status, 403)
    assert.equal((await ask('POST', PATH, bodyOf(), writer)).status, 403)
    assert.equal((await ask('DELETE', `${PATH}/${id}`, undefined, writer)).status, 403)
    assert.equal((await ask('POST', `${PATH}/${id}/activation`, undefined, writer)).status, 403)
  })
})
