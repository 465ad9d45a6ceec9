import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createWebhookSecret } from '../../../src/lib/crypto/webhook-signature.ts'
import { makeAuthority } from '../../fakes/push/push-certificates.ts'
import { startHttpPeer } from '../../fakes/push/push-peer-http.ts'
import type { TestDatabase } from '../../support/database/database.ts'
import { makeService, prepareService, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

/** Parts of the plan: 500, and the rest. */
const CONTACTS = 2000

/** What the peer was given. */
interface Given {
  token: string
  meta: { version: string; stamp: { id: string; set: string } }
}

/** Two processes on one database, and a receiver of pushes that both trust. */
async function prepared(t: TestContext) {
  const authority = makeAuthority()
  const secret = createWebhookSecret()
  const peer = await startHttpPeer({ tls: authority.server(), secret })
  const directory = await mkdtemp(join(tmpdir(), 'stentor-authority-'))
  const file = join(directory, 'authority.pem')
  await writeFile(file, authority.certificate)
  const settings = { STENTOR_OUTGOING_ALLOW: peer.host, NODE_EXTRA_CA_CERTS: file }
  const cleans: (() => Promise<void>)[] = []
  const first = await prepareService({ signal: t.signal, after: (clean) => void cleans.push(clean) }, settings)
  const { database, dataDir } = first
  const second = await makeService(
    { ...settings, STENTOR_DATABASE_URL: database.url, STENTOR_DATA_DIR: dataDir },
    t.signal,
  )
  // Both have ended when the database goes.
  t.after(async () => {
    await second.kill()
    for (const clean of cleans) await clean()
    await peer.close()
    await rm(directory, { recursive: true })
  })
  return { first, second, peer, secret, database }
}

/** Contacts with a device each; gives the application and a segment of all. */
async function audience({ call }: Service, { pool }: TestDatabase, provider: object) {
  for (let from = 0; from < CONTACTS; from += 1000) {
    const some = Array.from({ length: 1000 }, (_, n) => ({ Email: `p${from + n}@killed.example` }))
    await call('PUT', '/targets', some)
  }
  const { id: application } = await call('POST', '/parameters/applications', { name: 'App', providers: [provider] })
  await call('POST', `/parameters/applications/${application}/activation`)
  await pool.query(
    `insert into subscriptions (account, id, application, contact, provider, token, token_digest, created_at)
     select account, gen_random_uuid(), $1, id, 'http', key, substring(sha256(convert_to(key, 'UTF8')) for 16), now()
     from contacts`,
    [application],
  )
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  return { application, segment: everybody.id as number }
}

const content = { title: 'Twenty off', body: 'Tonight only' }
const versions = [
  { name: 'seven', condition: "contact.Email contains '7@'", content },
  { name: 'other', master: true, content },
]

test('a notification run whose two processes are killed while planning it stays one run with each contact once', async (t) => {
  const { signal } = t
  const { first, second, peer, secret, database } = await prepared(t)
  await first.start()
  const { application, segment } = await audience(first, database, { type: 'http', url: `${peer.url}/p`, secret })
  await second.start()
  const scheduler = { type: 'scheduled', startDate: new Date(Date.now() + 3000).toISOString() }
  const task = { segments: { selected: [segment], excluded: [] }, scheduler }
  const body = { type: 'push-app', name: 'Run', settings: { application, mp: { use: false } }, versions, task }
  const one = await first.call('POST', '/notifications', body)
  await first.call('POST', `/notifications/${one.id}/activation`)

  const planned = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      `select coalesce(sum(c.recipients), 0)::integer as n from sendings g join sending_counts c on c.sending = g.id
       where g.source_kind = 'notification' and g.kind = 'campaign'`,
    )
    return rows[0]!.n
  }
  await eventually(async () => (await planned()) > 0, signal)
  await Promise.all([first.kill(), second.kill()])
  await second.start()
  await eventually(async () => (await planned()) === CONTACTS, signal)
  await second.kill()
  await first.start()
  const { rows: sendings } = await eventually(async () => {
    const found = await database.pool.query<{ id: number; run: string; state: string }>(
      `select id, run, state from sendings where source_kind = 'notification' and kind = 'campaign'`,
    )
    return found.rows[0]?.state === 'finished' && found
  }, signal)
  assert.equal(sendings.length, 1, 'one run')

  const { rows: held } = await database.pool.query<{ key: string }>(
    `select c.key from messages m join contacts c on c.id = m.contact where m.state = 'held'`,
  )
  const given = peer.requests.map(({ body: sent }) => JSON.parse(sent.toString()) as Given)
  const times = Map.groupBy(given, ({ token }) => token)
  const doubtful = new Set(held.map(({ key }) => key))
  const names = new Map<string, string>(one.versions.map(({ id, name }: { id: string; name: string }) => [id, name]))
  for (let n = 0; n < CONTACTS; n++) {
    const key = `p${n}@killed.example`
    const pushes = times.get(key) ?? []
    assert.ok(pushes.length === 1 || doubtful.has(key), `${key} got ${pushes.length}`)
    for (const { meta } of pushes) assert.equal(names.get(meta.version), n % 10 === 7 ? 'seven' : 'other')
  }
  assert.deepEqual([...new Set(given.map(({ meta }) => meta.stamp.set))], [sendings[0]!.run])
  assert.deepEqual(peer.faults, [])
  const { lastRun, nextRun } = (await first.call('GET', `/notifications/${one.id}`)).task.scheduler
  assert.ok(lastRun !== null && nextRun === null)
  t.diagnostic(`${doubtful.size} of ${CONTACTS} in doubt`)
})
