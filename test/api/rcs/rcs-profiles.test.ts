import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { checkRcsProfiles } from '../../../src/cli/doctor/doctor-rcs.ts'
import {
  allRcsFeatures,
  type CheckedRcsPhone,
  purgePhoneCapabilities,
  readPhoneCapabilities,
  writePhoneCapabilities,
} from '../../../src/features/rcs-profiles/capabilities.ts'
import type { PhoneLookupAnswer } from '../../../src/features/rcs-profiles/lookup.ts'
import {
  findRcsProfiles,
  holdRcsProfile,
  listRcsProfilesByAgent,
  loadRcsProfile,
} from '../../../src/features/rcs-profiles/profiles.ts'
import { unsealRcsProfileSecrets } from '../../../src/features/rcs-profiles/provider.ts'
import { findProfileByWebhookToken } from '../../../src/features/rcs-profiles/webhook-tokens.ts'
import { createLogger } from '../../../src/log.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startRbmPeer } from '../../fakes/rcs/rbm-peer.ts'
import { rbmError } from '../../fakes/rcs/rbm-peer-api.ts'
import { type CallOptions, startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { call, clock, context, makeAccount, makeKey, own, other } = harness
const { db, masterKeys } = context
const PATH = '/channel/rcs/profiles'
const DAY = 24 * 3_600_000

function keyPem(bits = 2048, type: 'pkcs8' | 'pkcs1' = 'pkcs8'): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return privateKey.export({ type, format: 'pem' }).toString()
}

const EMAIL = 'sender@orchard.iam.gserviceaccount.example'
const serviceAccount = { type: 'service_account', client_email: EMAIL, private_key: keyPem(), private_key_id: 'k1' }
const fingerprint = createHash('sha256').update(`${EMAIL}\n${serviceAccount.private_key}`).digest('hex').slice(0, 16)
const CLIENT_TOKEN = 'token-of-the-webhook'
const google = { type: 'google-rbm', region: 'europe', credentials: serviceAccount, clientToken: CLIENT_TOKEN }

let names = 0
const newName = () => `Orchard ${++names}`
const bodyOf = (more: object = {}) => ({
  name: newName(),
  agent: 'orchard_fr_k2',
  provider: { type: 'capture' },
  ...more,
})

async function ask(method: string, url: string, body?: unknown, options: CallOptions = {}) {
  const answer = await call(method, url, { ...(body !== undefined && { body }), ...options })
  for (const secret of [serviceAccount.private_key.slice(40, 80), CLIENT_TOKEN, EMAIL])
    assert.ok(!answer.text.includes(secret), `${method} ${url} tells a secret`)
  return answer
}

async function make(more: object = {}, options?: CallOptions) {
  const answer = await ask('POST', PATH, bodyOf(more), options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function refused(status: number, pointer: string, answer: ReturnType<typeof ask>): Promise<void> {
  const { status: given, body, text } = await answer
  assert.equal(given, status, text)
  assert.equal(body.errors?.[0]?.pointer, pointer, text)
}

const tokenOf = ({ webhook }: { webhook: { url: string } }) => webhook.url.split('/').at(-1)!

async function action(profile: number, type = 'rcsMessage') {
  // Whatever types of actions there are by now.
  await sql`alter table actions drop constraint if exists actions_type_check`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${own.account}, ${type}, 'Pear week', 10, 1, id, jsonb_build_object('profile', ${profile}::integer), '{}', now(), now()
    from categories where account = ${own.account} limit 1 returning id`.execute(db)
  return rows[0]!.id
}

suite('RCS profiles', () => {
  test('are created with every default and read as they were answered', async () => {
    const { key } = await makeAccount('DFLT001')
    assert.equal((await call('PUT', '/settings/contacts', { key, body: { defaultCountry: 'ESP' } })).status, 200)
    const { status, body } = await ask(
      'POST',
      PATH,
      { name: ' Orchard ', agent: 'a', provider: { type: 'capture' } },
      { key },
    )
    assert.equal(status, 200)
    const now = new Date(clock.now()).toISOString()
    assert.deepEqual(body, {
      id: body.id,
      name: 'Orchard',
      description: null,
      agent: 'a',
      active: true,
      country: 'ESP',
      speed: 100,
      capability: { check: true, cacheHours: 24 },
      fallback: null,
      provider: { type: 'capture' },
      webhook: { url: body.webhook.url },
      stamp: { creation: now, modification: now },
    })
    assert.match(body.webhook.url, /^https:\/\/stentor\.example\/hooks\/rcs\/[A-Za-z0-9_-]{32}$/)
    assert.deepEqual((await ask('GET', `${PATH}/${body.id}`, undefined, { key })).body, body)
    assert.deepEqual((await ask('GET', PATH, undefined, { key })).body, [body])
  })

  test('show only the fingerprint of a service account, whether given as an object or a string', async () => {
    for (const credentials of [serviceAccount, JSON.stringify(serviceAccount)]) {
      const made = await make({ provider: { ...google, credentials }, fallback: { type: 'sms' } })
      assert.deepEqual(made.provider, {
        type: 'google-rbm',
        region: 'europe',
        baseUrl: null,
        tokenUrl: null,
        credentials: null,
        fingerprint,
        clientToken: null,
        clientTokenSet: true,
      })
      assert.deepEqual(made.fallback, { type: 'sms', sender: null })
      const secrets = unsealRcsProfileSecrets(masterKeys, await loadRcsProfile(db, own.account, made.id))
      assert.deepEqual(secrets, {
        credentials: { client_email: EMAIL, private_key: serviceAccount.private_key, private_key_id: 'k1' },
        clientToken: CLIENT_TOKEN,
      })
    }
    const bare = await make({ provider: { type: 'google-rbm' } })
    assert.deepEqual(
      [bare.provider.region, bare.provider.fingerprint, bare.provider.clientTokenSet],
      [null, null, false],
    )
  })

  test('store their secrets sealed', async () => {
    await make({ provider: google })
    const { rows } = await sql<{ row: string }>`
      select encode(credentials || client_token, 'escape') || p::text as row from rcs_profiles p
      where credentials is not null`.execute(db)
    assert.ok(rows.length > 0)
    for (const { row } of rows) assert.doesNotMatch(row, /PRIVATE KEY|token-of-the-webhook|gserviceaccount/)
  })

  test('keep their secrets and fingerprint when sent back as read', async () => {
    const made = await make({ provider: google })
    clock.advance(1000)
    const before = unsealRcsProfileSecrets(masterKeys, await loadRcsProfile(db, own.account, made.id))
    const again = await ask('PUT', `${PATH}/${made.id}`, made)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(again.body, {
      ...made,
      stamp: { creation: made.stamp.creation, modification: new Date(clock.now()).toISOString() },
    })
    assert.deepEqual(unsealRcsProfileSecrets(masterKeys, await loadRcsProfile(db, own.account, made.id)), before)
  })

  test('change only in the given members, including those of capability, fallback and provider', async () => {
    const made = await make({ provider: google, fallback: { type: 'sms', sender: 'ORCHARD' }, description: 'ours' })
    const url = `${PATH}/${made.id}`
    const put = async (body: object) => {
      const answer = await ask('PUT', url, body)
      assert.equal(answer.status, 200, answer.text)
      const { stamp: _, ...rest } = answer.body
      return rest
    }
    const { stamp: _, ...before } = made
    assert.deepEqual(await put({}), before)
    assert.deepEqual(await put({ capability: { cacheHours: 1 } }), {
      ...before,
      capability: { check: true, cacheHours: 1 },
    })
    const changed = { active: false, country: 'deu', speed: 0, description: null, fallback: null, agent: 'b@c.d' }
    const after = { ...before, ...changed, country: 'DEU', capability: { check: true, cacheHours: 1 } }
    assert.deepEqual(await put(changed), after)
    const renewed = { ...serviceAccount, private_key: keyPem() }
    const other = await put({ provider: { type: 'google-rbm', region: null, credentials: renewed } })
    assert.deepEqual([other.provider.region, other.provider.clientTokenSet], [null, true])
    assert.notEqual(other.provider.fingerprint, fingerprint)
    assert.deepEqual((await put({ provider: { type: 'capture' } })).provider, { type: 'capture' })
    const back = await put({ provider: { type: 'google-rbm' } })
    assert.deepEqual([back.provider.fingerprint, back.provider.clientTokenSet], [null, false])
  })

  test('have a name that is unique in the account, ignoring case', async () => {
    const [first, second] = [await make(), await make()]
    const upper = first.name.toUpperCase()
    assert.equal((await ask('POST', PATH, bodyOf({ name: upper }))).status, 409)
    assert.equal((await ask('PUT', `${PATH}/${second.id}`, { name: upper })).status, 409)
    assert.equal((await ask('PUT', `${PATH}/${first.id}`, { name: upper })).body.name, upper)
    assert.equal((await make({ name: upper }, { key: other.key })).name, upper)
  })

  test('refuse invalid members with a pointer, and repeat no secret', async () => {
    const faults: [pointer: string, body: object][] = [
      ['/name', bodyOf({ name: undefined })],
      ['/name', bodyOf({ name: ' ' })],
      ['/name', bodyOf({ name: 'x'.repeat(101) })],
      ['/description', bodyOf({ description: 'x'.repeat(501) })],
      ['/agent', bodyOf({ agent: undefined })],
      ['/agent', bodyOf({ agent: 'a b' })],
      ['/agent', bodyOf({ agent: 'a'.repeat(201) })],
      ['/country', bodyOf({ country: 'FR' })],
      ['/country', bodyOf({ country: 'XXX' })],
      ['/speed', bodyOf({ speed: 5001 })],
      ['/speed', bodyOf({ speed: 1.5 })],
      ['/capability/cacheHours', bodyOf({ capability: { cacheHours: 721 } })],
      ['/fallback/type', bodyOf({ fallback: { type: 'mail' } })],
      ['/fallback/sender', bodyOf({ fallback: { type: 'sms', sender: '!' } })],
      ['/provider', bodyOf({ provider: undefined })],
      ['/provider/type', bodyOf({ provider: { type: 'pigeon' } })],
      ['/provider/region', bodyOf({ provider: { ...google, region: 'mars' } })],
      ['/provider/clientToken', bodyOf({ provider: { ...google, clientToken: 'x'.repeat(201) } })],
      ['/provider/baseUrl', bodyOf({ provider: { ...google, baseUrl: 'http://rbm.example' } })],
      ['/provider/baseUrl', bodyOf({ provider: { ...google, baseUrl: 'https://127.0.0.1/' } })],
      ['/provider/tokenUrl', bodyOf({ provider: { ...google, tokenUrl: 'https://rbm.example/token?x=1' } })],
    ]
    for (const [pointer, body] of faults) await refused(400, pointer, ask('POST', PATH, body))
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from rcs_profiles where account = ${own.account} and name like '%!%'`.execute(db)
    assert.equal(rows[0]?.n, 0)
  })

  test("accept only a service account's JSON with an RSA key of 2048 bits in PKCS #8", async () => {
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const wrong: unknown[] = [
      '',
      'not json',
      '[]',
      {},
      { client_email: EMAIL },
      { private_key: serviceAccount.private_key },
      { ...serviceAccount, client_email: 'nobody' },
      { ...serviceAccount, private_key: 'x' },
      { ...serviceAccount, private_key: serviceAccount.private_key.replace(/\n.{20}/, '\n') },
      { ...serviceAccount, private_key: keyPem(1024) },
      { ...serviceAccount, private_key: keyPem(2048, 'pkcs1') },
      { ...serviceAccount, private_key: elliptic.export({ type: 'pkcs8', format: 'pem' }) },
    ]
    for (const credentials of wrong)
      await refused(400, '/provider/credentials', ask('POST', PATH, bodyOf({ provider: { ...google, credentials } })))
  })

  test('are listed by id, by active state and in pages', async () => {
    const { key } = await makeAccount('LIST001')
    const made = [await make({ active: false }, { key }), await make({}, { key }), await make({}, { key })]
    const ids = async (query: string) =>
      (await ask('GET', PATH + query, undefined, { key })).body.map(({ id }: { id: number }) => id)
    const [idle, ...active] = made.map(({ id }) => id)
    assert.deepEqual(await ids(''), [idle, ...active])
    assert.deepEqual(await ids('?active=true'), active)
    assert.deepEqual(await ids('?active=false'), [idle])
    assert.deepEqual(await ids('?active='), [idle, ...active])
    assert.equal((await ask('GET', `${PATH}?active=maybe`, undefined, { key })).status, 400)
    const page = await ask('GET', `${PATH}?active=true&limit=1`, undefined, { key })
    const next = /<(.+)>; rel="next"/.exec(String(page.headers['link']))?.[1]
    assert.deepEqual((await ask('GET', next!, undefined, { key })).body, [made[2]])
  })

  test('have an ETag and are changed under If-Match', async () => {
    const made = await make()
    const url = `${PATH}/${made.id}`
    const { etag } = (await ask('GET', url)).headers
    clock.advance(1000)
    const headers = { 'if-match': String(etag) }
    assert.equal((await ask('PUT', url, { speed: 1 }, { headers })).status, 200)
    assert.equal((await ask('PUT', url, { speed: 2 }, { headers })).status, 412)
    assert.equal((await ask('DELETE', url, undefined, { headers })).status, 412)
    assert.equal((await ask('GET', url)).body.speed, 1)
  })

  test('are written only by administrators, and others do not see the webhook', async () => {
    const made = await make()
    const url = `${PATH}/${made.id}`
    const reader = await makeKey(own.account, ['read'])
    const editor = await makeKey(own.account, ['read', 'write', 'send'])
    for (const key of [reader, editor]) {
      assert.deepEqual((await ask('GET', url, undefined, { key })).body, { ...made, webhook: null })
      const listed = (await ask('GET', PATH, undefined, { key })).body
      assert.ok(listed.length > 0 && listed.every(({ webhook }: { webhook: unknown }) => webhook === null))
      const writes = [
        ask('POST', PATH, bodyOf(), { key }),
        ask('PUT', url, {}, { key }),
        ask('DELETE', url, undefined, { key }),
        ask('POST', `${url}/token`, undefined, { key }),
      ]
      for (const { status } of await Promise.all(writes)) assert.equal(status, 403)
      assert.equal((await ask('GET', `${url}/capabilities?phone=%2B33639980012`, undefined, { key })).status, 200)
    }
    const admin = await makeKey(own.account, ['admin'])
    assert.equal((await ask('GET', url, undefined, { key: admin })).status, 403)
  })

  test('are unknown to another account in every operation', async () => {
    const made = await make()
    for (const id of [made.id, 2 ** 31 - 1, 0, 'x', 99999999999]) {
      const options = { key: other.key }
      const url = `${PATH}/${id}`
      const answers = [
        ask('GET', url, undefined, options),
        ask('PUT', url, { speed: 1 }, options),
        ask('DELETE', url, undefined, options),
        ask('POST', `${url}/token`, undefined, options),
        ask('GET', `${url}/capabilities?phone=%2B33639980012`, undefined, options),
      ]
      for (const { status, text } of await Promise.all(answers)) assert.equal(status, 404, text)
    }
    await assert.rejects(loadRcsProfile(db, other.account, made.id), { status: 404 })
    assert.deepEqual((await ask('GET', `${PATH}/${made.id}`)).body, made)
  })

  test('cannot be deleted while an action that is not deleted names them', async () => {
    for (const type of ['rcsMessage', 'rcsCampaign']) {
      const made = await make()
      const url = `${PATH}/${made.id}`
      const id = await action(made.id, type)
      const answer = await ask('DELETE', url)
      assert.deepEqual([answer.status, answer.body.detail.includes('Pear week')], [409, true])
      await sql`update actions set deleted_at = now() where id = ${id}`.execute(db)
      assert.deepEqual([(await ask('DELETE', url)).status, (await ask('GET', url)).status], [204, 404])
      assert.equal(await findProfileByWebhookToken(db, tokenOf(made), new Date(clock.now())), undefined)
    }
  })

  test('cannot be deleted while a new action is about to name them', async () => {
    const made = await make()
    const { promise: isKept, resolve: kept } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const naming = db.transaction().execute(async (tx) => {
      await holdRcsProfile(tx, own.account, made.id)
      kept()
      await mayEnd
      await action(made.id)
    })
    await isKept
    const deletion = ask('DELETE', `${PATH}/${made.id}`)
    await eventually(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(db)
      return rows.length > 0
    })
    end()
    await naming
    assert.equal((await deletion).status, 409)
  })
})

suite('webhook addresses of RCS profiles', () => {
  test('are replaced, and each old one works for 8 more days', async () => {
    const made = await make({ provider: google })
    const url = `${PATH}/${made.id}`
    const key = { account: own.account, id: made.id }
    const found = (token: string) => findProfileByWebhookToken(db, token, new Date(clock.now()))
    const first = tokenOf(made)
    assert.deepEqual(await found(first), key)
    const renewed = await ask('POST', `${url}/token`)
    assert.equal(renewed.status, 200)
    assert.deepEqual({ ...renewed.body, webhook: made.webhook }, made)
    const second = tokenOf(renewed.body)
    assert.notEqual(second, first)
    assert.deepEqual((await ask('GET', url)).body, renewed.body)
    clock.advance(4 * DAY)
    const third = tokenOf((await ask('POST', `${url}/token`)).body)
    assert.deepEqual([await found(first), await found(second), await found(third)], [key, key, key])
    clock.advance(4 * DAY - 1)
    assert.deepEqual(await found(first), key)
    clock.advance(1)
    assert.deepEqual([await found(first), await found(second)], [undefined, key])
    clock.advance(4 * DAY)
    assert.deepEqual([await found(second), await found(third)], [undefined, key])
    await purgeExpiredRows(context, 'forgetWebhookTokens', clock.now())
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from rcs_webhook_tokens where profile = ${made.id}`.execute(db)
    assert.equal(rows[0]?.n, 1)
    for (const token of ['', 'x', `${third}A`, third.slice(1)]) assert.equal(await found(token), undefined)
  })

  test('serve every profile of the account with the agent, active ones first', async () => {
    const agent = 'shared.agent@x'
    const idle = await make({ agent, active: false })
    const made = await make({ agent })
    await make({ agent: agent.toUpperCase() })
    await make({ agent }, { key: other.key })
    const ids = (await listRcsProfilesByAgent(db, own.account, agent)).map(({ id }) => id)
    assert.deepEqual(ids, [made.id, idle.id])
    const keys = [made.id, idle.id, 2 ** 31 - 1].map((id) => ({ account: own.account, id }))
    assert.deepEqual(
      (await findRcsProfiles(db, [...keys, { account: other.account, id: made.id }])).map(({ id }) => id),
      [idle.id, made.id],
    )
  })

  test('are not shown when their master key is lost, and a new one can be created', async () => {
    const made = await make()
    await sql`update rcs_webhook_tokens set sealed = '\\x00' where profile = ${made.id} and sealed is not null`.execute(
      db,
    )
    assert.equal((await ask('GET', `${PATH}/${made.id}`)).body.webhook, null)
    const renewed = (await ask('POST', `${PATH}/${made.id}/token`)).body
    assert.ok(await findProfileByWebhookToken(db, tokenOf(renewed), new Date(clock.now())))
  })
})

suite('the doctor of RCS profiles', () => {
  const seen = async (asks: boolean) =>
    (await checkRcsProfiles(context.config, db, masterKeys, { asks })).map(({ subject, ok, seen: text }) => [
      subject.replace(/profile \d+ .*/, 'profile'),
      ok,
      text,
    ])

  test('checks the secrets of active sending profiles, and calls their provider on request', async () => {
    await sql`delete from rcs_profiles`.execute(db)
    let calls = 0
    const peer = createServer((_, response) => {
      calls++
      response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(peer, 'listening')
    const host = `127.0.0.1:${(peer.address() as AddressInfo).port}`
    context.config.outgoingAllow.push(host)
    const [baseUrl, tokenUrl] = [`http://${host}/`, `http://${host}/token`]
    await make()
    await make({ active: false, provider: { type: 'google-rbm' } })
    await make({ provider: { ...google, baseUrl, tokenUrl } })
    await make({ provider: { ...google, clientToken: null } }, { key: other.key })
    await make({ provider: { type: 'google-rbm' } }, { key: other.key })
    const flaws = [
      ['RIVL002 RCS profile', false, 'has no client token, so its webhook rejects every request'],
      ['RIVL002 RCS profile', false, 'has no credentials'],
    ]
    const good = `credentials ${fingerprint} are set`
    assert.deepEqual(await seen(false), [['ACME001 RCS profile', true, good], ...flaws])
    assert.equal(calls, 0)
    assert.deepEqual(await seen(true), [['ACME001 RCS profile', true, `${good}, and its provider responds`], ...flaws])
    assert.equal(calls, 2)
    peer.close()
    await once(peer, 'close')
    assert.deepEqual(await seen(true), [['ACME001 RCS profile', false, `${baseUrl}: the connection failed`], ...flaws])
    await sql`update rcs_profiles set credentials = '\\x00' where credentials is not null`.execute(db)
    const closed = [false, 'has secrets that the master key cannot decrypt']
    assert.deepEqual(await seen(false), [
      ['ACME001 RCS profile', ...closed],
      ['RIVL002 RCS profile', ...closed],
      flaws[1],
    ])
  })
})

suite('RCS capabilities of phones', () => {
  const PHONE = '+33639980012'
  const answers = new Map<string, PhoneLookupAnswer>()
  const asked: { agent: string; phone: string; email: string }[] = []
  context.askCapability = async ({ agent }, { client_email: email }, phone) => {
    asked.push({ agent, phone, email })
    return answers.get(phone) ?? { result: 'unreachable' }
  }

  /** The same context, with what reaches providers. */
  async function lookups() {
    const lines: string[] = []
    const log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
    const app = await buildApiServer({ ...context, log }, new Registry())
    const get = async (url: string) => {
      const response = await app.inject({ method: 'GET', url, headers: { 'x-key': own.key } })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    }
    return { app, get, lines }
  }

  test('are requested from the provider each time and stored for sends', async () => {
    const { app, get } = await lookups()
    const made = await make({ provider: google, agent: 'asking' })
    const profile = await loadRcsProfile(db, own.account, made.id)
    const url = `${PATH}/${made.id}/capabilities?phone=`
    const kept = () =>
      readPhoneCapabilities(db, profile, [PHONE], { now: new Date(clock.now()), purpose: 'marketing' }).then((found) =>
        found.get(PHONE),
      )
    answers.set(PHONE, { result: 'reachable', features: ['RICHCARD_STANDALONE'] })
    const checkedAt = new Date(clock.now())
    for (const phone of ['%2B33639980012', '+33639980012', '0033639980012', '06%2039%2098%2000%2012']) {
      const { status, body } = await get(url + phone)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(body, {
        phone: PHONE,
        reachable: true,
        features: ['RICHCARD_STANDALONE'],
        checkedAt: checkedAt.toISOString(),
      })
    }
    assert.deepEqual(asked, new Array(4).fill({ agent: 'asking', phone: PHONE, email: EMAIL }))
    assert.deepEqual(await kept(), { reachable: true, features: ['RICHCARD_STANDALONE'], checkedAt })
    answers.delete(PHONE)
    const { phone, reachable, features } = (await get(url + PHONE)).body
    assert.deepEqual({ phone, reachable, features }, { phone: PHONE, reachable: false, features: [] })
    assert.equal((await kept())?.reachable, false)
    await app.close()
  })

  test('are 503 when the provider does not answer, 409 without credentials and 400 for an invalid phone', async () => {
    const { app, get } = await lookups()
    const made = await make({ provider: google })
    const url = `${PATH}/${made.id}/capabilities`
    answers.set(PHONE, { result: 'unknown', reason: 'no answer within 10000 ms' })
    const { status, body, headers } = await get(`${url}?phone=${PHONE}`)
    assert.deepEqual([status, headers['retry-after']], [503, '30'])
    assert.equal(body.detail, 'The provider does not respond: no answer within 10000 ms.')
    const bare = await make({ provider: { type: 'google-rbm' } })
    assert.equal((await get(`${PATH}/${bare.id}/capabilities?phone=${PHONE}`)).status, 409)
    for (const query of ['', '?phone=', '?phone=12', '?phone=hello', '?phone=%2B33123', '?phone=1&phone=2'])
      assert.equal((await get(url + query)).status, 400, query)
    await app.close()
  })

  test("are requested over the provider's own protocol with the credentials of the profile", async (t) => {
    const peer = await startRbmPeer()
    t.after(() => peer.close())
    // The far side refuses a token that is asked for at another time than its own.
    clock.set(Date.now())
    context.config.outgoingAllow.push(peer.host)
    const { askCapability: _, ...bare } = context
    const app = await buildApiServer(bare, new Registry())
    t.after(() => app.close())
    const addresses = { baseUrl: peer.url, tokenUrl: `${peer.url}/token` }
    const made = await make({
      provider: { ...google, ...addresses, credentials: peer.account },
      agent: 'orchard_fr_k2',
    })
    const get = async () => {
      const url = `${PATH}/${made.id}/capabilities?phone=${PHONE}`
      const response = await app.inject({ method: 'GET', url, headers: { 'x-key': own.key } })
      return { status: response.statusCode, body: response.json() }
    }
    assert.deepEqual([(await get()).body.features, (await get()).status], [peer.book.features, 200])
    peer.book.unreachable.add(PHONE)
    assert.equal((await get()).body.reachable, false)
    assert.deepEqual(peer.book.lookups, new Array(3).fill({ phone: PHONE, agent: 'orchard_fr_k2' }))
    assert.deepEqual(peer.book.faults, [])
    peer.book.plan('*', rbmError(500))
    assert.equal((await get()).status, 503)
  })

  test('include every feature for a capturing profile', async () => {
    const made = await make()
    const { body } = await ask('GET', `${PATH}/${made.id}/capabilities?phone=%2B33639980012`)
    assert.deepEqual([body.reachable, body.features], [true, allRcsFeatures])
  })

  test('leave no secret and no phone in any log line', async () => {
    const { app, get, lines } = await lookups()
    const headers = { 'x-key': own.key }
    const payload = bodyOf({
      provider: { ...google, credentials: { ...serviceAccount, private_key: 'PRIVATE KEY x' } },
    })
    await app.inject({ method: 'POST', url: PATH, headers, payload })
    const made = await make({ provider: google })
    for (const phone of [PHONE, '+33123']) await get(`${PATH}/${made.id}/capabilities?phone=${phone}`)
    await app.inject({ method: 'PUT', url: `${PATH}/${made.id}`, headers, payload: { provider: google } })
    await app.close()
    assert.ok(lines.length >= 4)
    for (const line of lines)
      assert.doesNotMatch(line, /PRIVATE KEY|token-of-the-webhook|gserviceaccount|33639980012|hooks\/rcs\/\w/)
  })

  test('are valid for the profile\'s hours, a "not reachable" at most an hour for service messages', async () => {
    const { id } = await make({ capability: { cacheHours: 24 } })
    const profile = await loadRcsProfile(db, own.account, id)
    const checked = Date.now()
    const phones: CheckedRcsPhone[] = [
      { phone: '+33639980001', reachable: true, features: ['A', 'B'] },
      { phone: '+33639980002', reachable: false, features: [] },
      { phone: '+33639980003', reachable: true, features: null },
    ]
    await writePhoneCapabilities(db, profile, phones, new Date(checked))
    // An answer that is older than the one that is known changes nothing.
    await writePhoneCapabilities(db, profile, [{ ...phones[0]!, reachable: false }], new Date(checked - 1))
    const known = async (hours: number, purpose: 'marketing' | 'service') => {
      const now = new Date(checked + hours * 3_600_000)
      const asked = [...phones.map(({ phone }) => phone), '+33639980009']
      return [...(await readPhoneCapabilities(db, profile, asked, { now, purpose }))]
        .map(([phone, { checkedAt: _, ...rest }]) => ({ phone, ...rest }))
        .toSorted((a, b) => a.phone.localeCompare(b.phone))
    }
    assert.deepEqual(await known(0.9, 'service'), phones)
    assert.deepEqual(await known(1.1, 'service'), [phones[0], phones[2]])
    assert.deepEqual(await known(23, 'marketing'), phones)
    assert.deepEqual(await known(25, 'marketing'), [])
    const never = { ...profile, capability: { check: true, cacheHours: 0 } }
    await writePhoneCapabilities(
      db,
      never,
      [{ phone: '+33639980004', reachable: true, features: [] }],
      new Date(checked),
    )
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n from rcs_capabilities where profile = ${id}`.execute(db)
    assert.equal(rows[0]?.n, 3)
    await purgePhoneCapabilities(db, new Date(checked + 23 * 3_600_000))
    assert.equal((await known(0, 'marketing')).length, 3)
    await purgePhoneCapabilities(db, new Date(checked + 24 * 3_600_000))
    assert.deepEqual(await known(0, 'marketing'), [])
  })

  test('are deleted when the agent or provider changes, and kept at any other change', async () => {
    const { id } = await make()
    const phone = '+33639980001'
    const known = async (body: object) => {
      const profile = await loadRcsProfile(db, own.account, id)
      const now = new Date(clock.now())
      await writePhoneCapabilities(db, profile, [{ phone, reachable: true, features: [] }], now)
      assert.equal((await ask('PUT', `${PATH}/${id}`, body)).status, 200)
      return (await readPhoneCapabilities(db, profile, [phone], { now, purpose: 'marketing' })).size
    }
    assert.equal(await known({ speed: 7, agent: 'orchard_fr_k2' }), 1)
    assert.equal(await known({ agent: 'another' }), 0)
    assert.equal(await known({ provider: { type: 'google-rbm' } }), 0)
  })

  test('are erased with the contact that has the phone, in whatever form', async () => {
    const { body: field } = await call('POST', '/fields', { body: { type: 'phone', name: 'Mobile' } })
    const { id } = await make({ country: 'FRA' })
    const profile = await loadRcsProfile(db, own.account, id)
    const phones = ['+33639980021', '+33639980022', '+33639980023']
    const now = new Date(clock.now())
    await writePhoneCapabilities(
      db,
      profile,
      phones.map((phone) => ({ phone, reachable: true, features: [] })),
      now,
    )
    const [email] = await db
      .selectFrom('fields')
      .select('id')
      .where('account', '=', own.account)
      .orderBy('id')
      .execute()
    const contacts: string[] = []
    for (const [n, phone] of ['+33639980021', '0639980022'].entries()) {
      const made = await call('POST', '/targets', { body: { [email!.id]: `erase${n}@shop.test`, [field.id]: phone } })
      assert.equal(made.status, 200, made.text)
      contacts.push(made.body.id)
    }
    for (const contact of contacts) assert.ok((await call('DELETE', `/targets/${contact}?erase=true`)).status < 300)
    const left = await readPhoneCapabilities(db, profile, phones, { now, purpose: 'marketing' })
    assert.deepEqual([...left.keys()], ['+33639980023'])
  })
})
