import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { openAddressDetailCache } from '../../../src/features/tracking/hits/address-details.ts'
import { startHitWriter } from '../../../src/features/tracking/hits/hit-writer.ts'
import type { TrackingHit } from '../../../src/features/tracking/hits/hits.ts'
import { openContentVersionCache } from '../../../src/features/tracking/version-cache.ts'
import type { HttpApp } from '../../../src/http/app-type.ts'
import { type MessageLinkToken, signLinkToken } from '../../../src/lib/crypto/tokens.ts'
import { type DiskSpool, openDiskSpool } from '../../../src/lib/files/spool.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import { refuseInserts } from '../../support/database/refusing.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, dataDir } = stage
const spoolDirectory = join(dataDir, 'spool')

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const TARGET = 'https://shop.example/a'

/** What PostgreSQL says of a database that takes nothing for now (appendix A). */
const REFUSALS = [
  ['25006', 'read-only'],
  ['53100', 'disk full'],
  ['53200', 'out of memory'],
  ['53400', 'configuration limit'],
  ['58030', 'io error'],
  ['58P01', 'undefined file'],
  ['57P01', 'admin shutdown'],
  ['57P03', 'cannot connect now'],
  ['08006', 'connection failure'],
  ['42501', 'read-only file system'],
  ['XX001', 'data corrupted'],
  ['40P01', 'deadlock, again and again'],
] as const

/** A server of the tracking role alone, whose way to the database can be cut. */
const proxy = await startDatabaseProxy(String(context.pool.options.connectionString))
const away = openDatabasePool(proxy.url, { max: 4 })
const metrics = new Registry()
const tracker = await startTracker(metrics)

/** The wall-clock milliseconds that `work` takes. */
async function wallMs(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

async function startTracker(registry = new Registry()): Promise<HttpApp> {
  const app = await buildApiServer({ ...context, db: away.db, pool: away.pool }, registry, ['tracking'])
  await app.ready()
  return app
}

let named = 0

/** Sends one message to a new contact; gives its action, and the members of its tokens. */
async function send(): Promise<{ action: string; token: MessageLinkToken }> {
  const address = `reader${++named}@example.org`
  const contact = await stage.contact(address)
  const html = `<html><body><a href="${TARGET}">Come in</a> <a href="{{ data.target }}">Made</a></body></html>`
  const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html } }))
  const { status, text } = await call('POST', `/actions/${action}/execution`, {
    body: { recipient: { type: 'id', value: contact }, data: { target: TARGET } },
  })
  assert.equal(status, 200, text)
  await stage.settle()
  const { rows } = await context.pool.query(
    'select account, source_kind as "sourceKind", source, version, contact, stamp from sent_messages where address = $1',
    [address],
  )
  clock.advance(60_000)
  const token: MessageLinkToken = { ...rows[0], kind: 'redirection', link: 1, test: false, silent: false }
  assert.equal(token.contact, parseContactId(contact))
  return { action, token }
}

async function visit(
  path: string,
  { app = tracker, ...more }: { app?: HttpApp; method?: 'GET' | 'POST'; payload?: string } = {},
) {
  const answer = await app.inject({
    method: 'GET',
    url: path,
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': BROWSER, 'content-type': 'application/x-www-form-urlencoded' },
    ...more,
  })
  return { status: answer.statusCode, location: answer.headers.location, text: answer.payload, headers: answer.headers }
}

function redirection(token: MessageLinkToken): string {
  return `/t/r/${signLinkToken(context.tokens, token)}`
}

function pixel(token: MessageLinkToken): string {
  return `/t/o/${signLinkToken(context.tokens, { ...token, kind: 'open', link: 0 })}`
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
async function hits(action: string): Promise<any[]> {
  return (await call('GET', `/actions/${action}/events/hits?classification=all`)).body
}

/** What a writer needs, by way of the proxy. */
function writing() {
  return {
    versions: openContentVersionCache(away.db),
    addressDetails: openAddressDetailCache(away.db, clock),
    lost: () => undefined,
  }
}

function openHit(token: MessageLinkToken): TrackingHit {
  return {
    token,
    type: 'open',
    url: null,
    time: clock.now(),
    address: null,
    userAgent: null,
    visitor: null,
    verdict: { classification: null, early: null },
  }
}

async function isSpoolEmpty(): Promise<boolean> {
  return (await readdir(spoolDirectory)).length === 0
}

suite('tracking while the database is unavailable', () => {
  afterEach(() => proxy.restore())

  // Before the harness deletes the database.
  after(async () => {
    proxy.restore()
    await tracker.close()
    await away.close()
    await proxy.close()
  })

  test('links redirect and pixels are served, and their hits are stored once later with their original time', async () => {
    const { action, token } = await send()
    assert.equal((await visit(redirection(token))).status, 302)
    proxy.cut()
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      clock.advance(10_000)
      times.push(clock.now())
      const { status, location } = await visit(n === 2 ? pixel(token) : redirection(token))
      assert.deepEqual([status, location], n === 2 ? [200, undefined] : [302, TARGET])
    }
    assert.equal((await hits(action)).length, 1)
    clock.set(Date.now())
    proxy.restore()
    await eventually(isSpoolEmpty)
    const stored = (await hits(action)).slice(1)
    assert.deepEqual(
      stored.map(({ source }) => [source.detail.link.type, source.detail.hit.time]),
      [
        ['redirection', times[0]],
        ['redirection', times[1]],
        ['open', times[2]],
      ],
    )
    assert.ok(stored.every(({ source }) => source.detail.activation.recipient.startsWith('reader')))
  })

  test('an unsubscription is answered 503 with Retry-After, and succeeds when repeated', async () => {
    const { action, token } = await send()
    const url = `/t/u/${signLinkToken(context.tokens, { ...token, kind: 'unsubscribe', link: 0 })}`
    const post = { method: 'POST', payload: 'List-Unsubscribe=One-Click' } as const
    assert.equal((await visit(url)).status, 200)
    proxy.cut()
    const refused = await visit(url, post)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers['retry-after'], '5')
    assert.match(refused.text, /<h1>/)
    proxy.restore()
    await eventually(async () => (await visit(url, post)).status === 200)
    assert.equal((await hits(action)).length, 1)
  })

  test('a link of unknown target is answered 503, unless it contains its target', async () => {
    const { action, token } = await send()
    proxy.cut()
    assert.equal((await visit(redirection(token))).status, 503)
    const made = `/t/r/${signLinkToken(context.tokens, { ...token, link: 2 }, TARGET)}/${Buffer.from(TARGET).toString('base64url')}`
    assert.deepEqual((await visit(made)).location, TARGET)
    proxy.restore()
    await eventually(isSpoolEmpty)
    const [hit] = await hits(action)
    assert.deepEqual(hit.source.detail.link, { type: 'redirection', id: 2, name: 'Made', url: TARGET })
  })

  test('a visit is answered while the database hangs, and the next one no longer waits for it', async () => {
    const { action, token } = await send()
    await visit(redirection(token))
    proxy.freeze()
    const visitMs = () => wallMs(async () => void assert.equal((await visit(redirection(token))).status, 302))
    // The first one waits for the timeout of the connection.
    const [first, second] = [await visitMs(), await visitMs()]
    assert.ok(second < first, `${second} ms after ${first} ms`)
    proxy.restore()
    await eventually(isSpoolEmpty)
    assert.equal((await hits(action)).length, 3)
  })

  test('a hit that finds the database unavailable while the spool is read spares the next ones the wait', async () => {
    const hit = openHit((await send()).token)
    const spool = await openDiskSpool(join(dataDir, 'slow spool'), 10_000)
    const looked = Promise.withResolvers<void>()
    const isRead = Promise.withResolvers<void>()
    const slow: DiskSpool = {
      ...spool,
      async finished() {
        const files = await spool.finished()
        looked.resolve()
        await isRead.promise
        return files
      },
    }
    const writer = await startHitWriter({ ...context, db: away.db, pool: away.pool }, { ...writing(), spool: slow })
    await looked.promise
    proxy.freeze()
    const first = await wallMs(() => writer.write(hit))
    isRead.resolve()
    await delay(100)
    const second = await wallMs(() => writer.write(hit))
    assert.ok(second < first, `${second} ms after ${first} ms`)
    proxy.restore()
    await writer.close()
    assert.ok(writer.spooled() > 0)
  })

  test('a hit whose commit was not confirmed is stored once', async () => {
    const { action, token } = await send()
    await visit(redirection(token))
    proxy.cutAtCommit()
    assert.equal((await visit(redirection(token))).status, 302)
    assert.equal(await isSpoolEmpty(), false)
    await eventually(async () => (await hits(action)).length === 2)
    proxy.restore()
    await eventually(isSpoolEmpty)
    assert.equal((await hits(action)).length, 2)
  })

  test('hits left in the spool by a dead process are stored by the next one', async () => {
    const { action, token } = await send()
    const dying = await startTracker()
    await visit(redirection(token), { app: dying })
    proxy.cut()
    await visit(redirection(token), { app: dying })
    await dying.close()
    const [file = ''] = await readdir(spoolDirectory)
    await utimes(join(spoolDirectory, file), new Date(0), new Date(0))
    proxy.restore()
    await eventually(async () => (await hits(action)).length === 2)
    await eventually(isSpoolEmpty)
  })

  for (const [code, why] of REFUSALS) {
    test(`hits that the database refuses with ${code} (${why}) are spooled and stored once`, async () => {
      const { action, token } = await send()
      assert.equal((await visit(redirection(token))).status, 302)
      const times = [clock.now()]
      const allow = await refuseInserts(context.pool, 'events', code)
      for (let n = 0; n < 20; n++) {
        clock.advance(1000)
        times.push(clock.now())
        assert.equal((await visit(n % 2 ? pixel(token) : redirection(token))).status, n % 2 ? 200 : 302)
      }
      assert.equal((await hits(action)).length, 1)
      assert.equal(await isSpoolEmpty(), false)
      await allow()
      await eventually(isSpoolEmpty)
      assert.deepEqual((await hits(action)).map(({ source }) => source.detail.hit.time).sort(), times)
    })
  }

  test('a hit that is refused itself is lost without delaying the others', async () => {
    const { action, token } = await send()
    const stranger = { ...token, stamp: token.stamp.replace(/.{4}$/, 'ffff') }
    await context.pool.query(`alter table events add constraint refused check (stamp <> '${stranger.stamp}') not valid`)
    const paths = [redirection(token), redirection(stranger), redirection(token)]
    const answers = await Promise.all(paths.map((path) => visit(path)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [302, 302, 302],
    )
    await eventually(isSpoolEmpty)
    assert.equal((await hits(action)).length, 2)
    await context.pool.query('alter table events drop constraint refused')
  })

  test('a file of the spool that holds no hits is set aside and counted, and the hits behind it are stored', async () => {
    const { action, token } = await send()
    assert.equal((await visit(redirection(token))).status, 302)
    const foreign = { 'a.ndjson': 'null\n', 'b.ndjson': '{"group":"1","hit":{}}\n', 'c.ndjson': '\0\0\0' }
    proxy.cut()
    assert.equal((await visit(redirection(token))).status, 302)
    for (const [name, content] of Object.entries(foreign)) {
      await writeFile(join(spoolDirectory, name), content)
      await utimes(join(spoolDirectory, name), new Date(0), new Date(0))
    }
    proxy.restore()
    const aside = Object.keys(foreign).map((name) => `${name}.unreadable`)
    await eventually(async () => isDeepStrictEqual((await readdir(spoolDirectory)).sort(), aside))
    assert.equal((await hits(action)).length, 2)
    assert.match(await metrics.metrics(), /^stentor_hit_spool_files_set_aside 3$/m)
    for (const name of aside) await rm(join(spoolDirectory, name))
  })

  test('hits are recorded again as soon as a spool that could not be opened can be', async () => {
    const blockedDir = await mkdtemp(join(dataDir, 'blocked-'))
    await writeFile(join(blockedDir, 'spool'), '')
    const config = { ...context.config, dataDir: blockedDir }
    const app = await buildApiServer({ ...context, config }, new Registry(), ['tracking'])
    const { action, token } = await send()
    assert.equal((await visit(redirection(token), { app })).status, 302)
    assert.deepEqual(await hits(action), [])
    await rm(join(blockedDir, 'spool'))
    assert.equal((await visit(redirection(token), { app })).status, 302)
    assert.equal((await hits(action)).length, 1)
    await app.close()
  })

  test('hits that exceed a full spool are counted as lost and delay nobody', async () => {
    const hit = openHit((await send()).token)
    const lost: number[] = []
    const options = { ...writing(), lost: (n: number) => lost.push(n), spool: await openDiskSpool(spoolDirectory, 10) }
    const writer = await startHitWriter({ ...context, db: away.db, pool: away.pool }, options)
    proxy.cut()
    await Promise.all([writer.write(hit), writer.write(hit)])
    assert.deepEqual(lost, [2])
    proxy.restore()
    await writer.close()
  })
})
