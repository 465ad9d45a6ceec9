import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createFields, importContacts } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { type Db, openDatabasePool } from '../src/database/connection/connect.ts'
import { buildPushSource, loadPushSourceContext } from '../src/features/notifications/content/drafts.ts'
import { loadNotification } from '../src/features/notifications/stored.ts'
import { createUuidsV7 } from '../src/lib/ids.ts'
import { outboxLanes } from '../src/lib/lanes.ts'
import { storeContentVersion } from '../src/sending/plan/content-version.ts'
import { requestSends } from '../src/sending/plan/request-sends.ts'
import type { BarePush, BarePushed } from './bare-push.ts'
import { median, rounded } from './load.ts'
import { processorSeconds } from './processes.ts'
import type { PeerName, PeerPost, PeerQuestion, PeersReady, PeerTaken } from './push-peers.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const PUSHES = 10_000
const ROUNDS = 3
/** Requests at once, as the gateways of the program have them. */
const STREAMS = { apns: 500, firebase: 400 }
const PATIENCE_MS = 600_000
const LOOK_MS = 10
const AT_ONCE = 1000

interface Stage {
  service: BenchService
  db: Db
  peers: ChildProcess
  bare: ChildProcess
  ready: PeersReady
  contacts: number[]
}

async function asked<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answer = once(child, 'message')
  child.send(question)
  return (await answer)[0] as Answer
}

function ask<Answer>({ peers }: Stage, question: PeerQuestion): Promise<Answer> {
  return asked(peers, question)
}

/** An application with one provider, a device of every contact, and a notification of it; gives the notification's number. */
async function prepare({ service, db, ready }: Stage, of: PeerName): Promise<number> {
  const { client, account } = service
  const provider = ready.providers[of === 'apns' ? 0 : 1]
  const routes = [{ name: 'home', value: { type: 'literal', value: 'app://home' }, default: true }]
  const { id: application } = await client.call<{ id: string }>('POST', '/parameters/applications', {
    name: of,
    providers: [provider],
    routes,
  })
  await client.call('POST', `/parameters/applications/${application}/activation`)
  await sql`
    insert into subscriptions (account, id, application, contact, provider, token, token_digest, created_at)
    select account, gen_random_uuid(), ${application}, id, ${of}, token, substring(sha256(token::bytea) for 16), now()
    from (select c.account, c.id, encode(sha256(c.id::text::bytea), 'hex') as token from contacts c where c.account = ${account}) c`.execute(
    db,
  )
  const content = { title: '20% off for {{ contact["First name"] }}', body: 'Tonight only, in every shop' }
  const { id } = await client.call<{ id: number }>('POST', '/notifications', {
    type: 'push-app',
    name: of,
    settings: { application },
    versions: [{ master: true, content }],
  })
  await client.call('POST', `/notifications/${id}/activation`)
  return id
}

/** Puts one message for each contact into the outbox, none of them due. */
async function queue({ service, db, contacts }: Stage, source: number): Promise<void> {
  const { account } = service
  const row = await loadNotification(db, { account, id: source })
  const surroundings = await loadPushSourceContext({ db, config: { publicUrl: service.client.url } }, account)
  const owner = { account, sourceKind: 'notification' as const, source }
  const frozen = buildPushSource(surroundings, row, row.versions[0]!)
  const version = await storeContentVersion(db, owner, { source: frozen, links: [] }, new Date())
  const lane = outboxLanes.bulk
  for (let from = 0; from < contacts.length; from += AT_ONCE) {
    const part = contacts.slice(from, from + AT_ONCE)
    const now = Date.now()
    const stamps = createUuidsV7(part.length, now)
    const requests = part.map((contact, index) => ({
      account,
      channel: 'notification' as const,
      kind: 'message' as const,
      contact,
      address: null,
      request: {},
      version,
      lane,
      copies: [],
      execution: null,
      sending: { sourceKind: owner.sourceKind, source, version, lane },
      stamp: { id: stamps[index]!, thread: stamps[index]!, set: stamps[index]!, time: now },
      notBefore: new Date(now + 3_600_000),
      expiresAt: new Date(now + 48 * 3_600_000),
    }))
    await db.transaction().execute((tx) => requestSends(tx, requests, new Date(now)))
  }
}

interface Sent {
  perSecond: number
  processor: Processor
  lost: number
  duplicated: number
  posts: PeerPost[]
}

/** Milliseconds of processor time a push. */
type Processor = Record<'service' | 'database' | 'peer', number>

function spentBy({ service, peers }: Stage): Processor {
  const { own, children } = processorSeconds(service.pid)
  return { service: own, database: children, peer: processorSeconds(peers.pid ?? 0).own }
}

function processorOf(stage: Stage, before: Processor): Processor {
  const after = spentBy(stage)
  const each = (of: keyof Processor) => rounded(((after[of] - before[of]) * 1000) / stage.contacts.length, 3)
  return { service: each('service'), database: each('database'), peer: each('peer') }
}

/** Sends what is queued: from the moment it is due until the peer has the last push, and all of it is recorded. */
async function send(stage: Stage, of: PeerName): Promise<Sent> {
  const { db, contacts } = stage
  await sql`vacuum analyze messages`.execute(db)
  await ask(stage, { of, what: 'empty' })
  const before = spentBy(stage)
  await sql`update messages set not_before = now() where channel = 'notification'`.execute(db)
  const begun = performance.now()
  while ((await ask<number>(stage, { of, what: 'count' })) < contacts.length) {
    if (performance.now() - begun > PATIENCE_MS)
      throw new Error(`not all pushes were sent within ${PATIENCE_MS / 1000} s`)
    await delay(LOOK_MS)
  }
  const milliseconds = performance.now() - begun
  await eventually('the records', PATIENCE_MS, async () => {
    const { rows } = await sql<{
      n: number
    }>`select count(*)::integer as n from messages where channel = 'notification'`.execute(db)
    return rows[0]?.n === 0 || undefined
  })
  const processor = processorOf(stage, before)
  const { distinct, faults, posts } = await ask<PeerTaken>(stage, { of, what: 'take' })
  if (faults > 0) throw new Error(`${of}: ${faults} requests are not as expected`)
  return {
    perSecond: (contacts.length * 1000) / milliseconds,
    processor,
    lost: contacts.length - distinct,
    duplicated: posts.length - distinct,
    posts,
  }
}

/** The same posts as fast as one session takes them. */
async function bareRate({ bare, ready }: Stage, of: PeerName, posts: PeerPost[]): Promise<number> {
  const origin = `https://${ready.hosts[of === 'apns' ? 0 : 1]}`
  const work: BarePush = { origin, posts, streams: STREAMS[of] }
  const { milliseconds, refused } = await asked<BarePushed>(bare, work)
  if (refused > 0) throw new Error(`${of}: ${refused} posts of the bare loop were refused`)
  return (posts.length * 1000) / milliseconds
}

/** Ours and the bare loop in turns, after one of each that is not counted. */
async function measure(stage: Stage, of: PeerName, report: (line: string) => void) {
  const source = await prepare(stage, of)
  const rounds: (Omit<Sent, 'posts'> & { bare: number })[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await queue(stage, source)
    const { posts, ...sent } = await send(stage, of)
    const bare = await bareRate(stage, of, posts)
    const { service, database, peer } = sent.processor
    report(
      `${of}: ${Math.round(sent.perSecond)} pushes/s; bare: ${Math.round(bare)}; ms of processor a push: ${service}, ` +
        `database ${database}, peer ${peer}${round === 0 ? ' (warming)' : ''}`,
    )
    rounds.push({ ...sent, bare })
  }
  const counted = rounds.slice(1)
  return {
    perSecond: Math.round(median(counted.map(({ perSecond }) => perSecond))),
    bare: Math.round(median(counted.map(({ bare }) => bare))),
    ratio: rounded(median(counted.map(({ perSecond, bare }) => perSecond / bare))),
    lost: rounds.reduce((sum, { lost }) => sum + lost, 0),
    duplicated: rounds.reduce((sum, { duplicated }) => sum + duplicated, 0),
  }
}

/**
 * Pushes a second from the outbox to strict peers of APNs and FCM, each made for its contact, journaled and recorded, against
 * a bare loop that posts the same request to the same peer over one HTTP/2 session. At least 0.6; none lost, none twice.
 */
export const benchmark: Benchmark = async (report, size = PUSHES) => {
  const directory = mkdtempSync(join(tmpdir(), 'stentor-push-'))
  const authority = join(directory, 'authority.pem')
  const peers = fork(new URL('push-peers.ts', import.meta.url), [authority])
  const [ready] = (await once(peers, 'message')) as [PeersReady]
  // Read by the processes that are started from now on.
  Object.assign(process.env, { NODE_EXTRA_CA_CERTS: authority, STENTOR_OUTGOING_ALLOW: ready.hosts.join(',') })
  const bare = fork(new URL('bare-push.ts', import.meta.url))
  const service = await startBenchService()
  const { db, close } = openDatabasePool(service.databaseUrl, { max: 2 })
  try {
    await createFields(service.client)
    const rows = [...generateContacts(size)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
    await importContacts(service.client, toCsv(rows), size, { step: () => undefined, end: () => undefined })
    const found = await sql<{ id: number }>`select id from contacts where account = ${service.account}`.execute(db)
    const stage = { service, db, peers, bare, ready, contacts: found.rows.map(({ id }) => id) }
    const apns = await measure(stage, 'apns', report)
    const fcm = await measure(stage, 'firebase', report)
    return {
      pushes: size,
      apnsPerSecond: apns.perSecond,
      apnsBarePerSecond: apns.bare,
      apnsRatioToBare: apns.ratio,
      fcmPerSecond: fcm.perSecond,
      fcmBarePerSecond: fcm.bare,
      fcmRatioToBare: fcm.ratio,
      lost: apns.lost + fcm.lost,
      duplicated: apns.duplicated + fcm.duplicated,
    }
  } finally {
    await close()
    await service.stop()
    peers.disconnect()
    bare.disconnect()
    rmSync(directory, { recursive: true })
  }
}
