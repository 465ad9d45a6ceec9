import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { suite, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { purgeArchives, wipeArchives } from '../../../src/features/archives/archive-keeping.ts'
import { openArchiveStore } from '../../../src/features/archives/archive-place.ts'
import { openS3ArchiveStore } from '../../../src/features/archives/archive-s3.ts'
import type { ArchiveStore } from '../../../src/features/archives/archive-store.ts'
import { finishContactErasure } from '../../../src/features/personal-data/erase.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { sendMessageBatch } from '../../../src/sending/senders/sender.ts'
import { startS3Peer } from '../../fakes/web/s3.ts'
import { startTestSender } from '../../support/stages/sending.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, dataDir, own, other } = stage
const { db } = context
const { sender, gateway, sendDue } = startTestSender(stage)

const TYPE = 'application/vnd.np6.cm.mail.archive'
const place = 'https://stentor.example'

async function archived(settings: object = { archive: true }): Promise<string> {
  return stage.validated(await stage.action({ settings: { purpose: { type: 'service' }, ...settings } }))
}

/** Executes an action for contacts; gives the stamps. */
async function execute(action: string, contacts: string[], more: object = {}): Promise<string[]> {
  const body = contacts.map((value) => ({ recipient: { type: 'id', value }, ...more }))
  const { status, body: results, text } = await call('POST', `/actions/${action}/executions`, { body })
  assert.equal(status, 200, text)
  return results.map(({ type, id }: { type: string; id: string }) => {
    assert.equal(type, 'success', text)
    return id
  })
}

async function sent(action: string, contacts: string[], more: object = {}): Promise<string[]> {
  const stamps = await execute(action, contacts, more)
  await sendDue()
  return stamps
}

const ofStamp = (stamp: string, key = own.key) => call('GET', `/actions/stamp/${stamp}/archives`, { key })
const fetched = (url: string) => call('GET', url.replace(place, ''), { key: null })
const bytesTo = (address: string) => gateway.to(address).at(-1)?.bytes.toString() ?? 'nothing'

async function packs(): Promise<string[]> {
  const found = await readdir(join(dataDir, 'archives'), { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function allBytes(): Promise<string> {
  const contents = await Promise.all((await packs()).map(async (path) => zstdDecompressSync(await readFile(path))))
  return contents.map(String).join('')
}

const jobs = () =>
  runDueJobs(context.pool, context.log, {
    'contacts.erase': (payload) => finishContactErasure(context, payload),
    'archives.wipe': () => wipeArchives(context, openArchiveStore(context.config)),
  })

/** Another sender, with what is given, that ends with the test. */
async function sendWith(archives: ArchiveStore): Promise<void> {
  for (const lane of Object.values(outboxLanes)) await sendMessageBatch({ ...sender, archives }, lane, 500)
}

suite('the archive of a message', () => {
  test("is found by stamp, and its url returns the gateway's exact bytes, or 404 with one character changed", async () => {
    const [ann, action] = [await stage.contact('ann@example.org'), await archived()]
    const [stamp = ''] = await sent(action, [ann])
    const { status, body, headers } = await ofStamp(stamp)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], TYPE)
    const archive = (await call('GET', `/actions/stamp/${stamp}/archives`, { headers: { accept: 'application/json' } }))
      .body
    assert.equal(body, undefined)
    assert.deepEqual(Object.keys(archive), ['id', 'action', 'target', 'stamp', 'sendingDate', 'url', 'expiresOn'])
    assert.deepEqual([archive.action, archive.target, archive.stamp], [action, ann, stamp])
    assert.equal(archive.sendingDate, new Date(clock.now()).toISOString())
    assert.equal(archive.expiresOn, new Date(clock.now() + 32 * DAY_MS).toISOString())

    const eml = await fetched(archive.url)
    assert.equal(eml.status, 200)
    assert.equal(eml.text, bytesTo('ann@example.org'))
    assert.equal(eml.headers['content-type'], 'message/rfc822')
    assert.equal(eml.headers['content-disposition'], `attachment; filename="${archive.id}.eml"`)
    assert.equal(eml.headers['cache-control'], 'private, no-store')
    const head = await call('HEAD', archive.url.replace(place, ''), { key: null })
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', eml.headers['content-length']])

    const token = archive.url.split('/').at(-1)
    for (let at = 0; at < token.length; at += 7) {
      const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
      assert.equal((await fetched(`/archives/${changed}`)).status, 404)
    }
  })

  test('is kept for executions and campaigns, not for proofs, copies or actions without archiving', async () => {
    const bob = await stage.contact('bob@example.org')
    const copies = [{ type: 'address', value: 'copy@desk.example', as: 'bcc' }]
    const action = await archived()
    await sent(action, [bob], { copies })
    assert.equal(gateway.to('copy@desk.example').length, 1)
    const plain = await archived({ archive: false })
    await sent(plain, [bob])
    const of = async (id: string) =>
      (await call('GET', `/actions/${id}/archives`, { headers: { accept: 'application/json' } })).body
    assert.equal((await of(action)).length, 1)
    assert.deepEqual(await of(plain), [])
    const campaign = await stage.action({
      type: 'mailCampaign',
      settings: { archive: true, purpose: { type: 'service' } },
      scheduler: { type: 'asap', segments: { selected: [await stage.segment([bob])] } },
    })
    await stage.validated(campaign)
    await stage.settle()
    await sendDue()
    await stage.settle()
    assert.equal((await of(campaign)).length, 1)
  })

  test('is listed by sending time within a period, by account, action, target or both', async () => {
    const [cleo, dora, action] = [
      await stage.contact('cleo@example.org'),
      await stage.contact('dora@example.org'),
      await archived(),
    ]
    const times: string[] = []
    const stamps: string[] = []
    for (const contact of [cleo, dora, cleo]) {
      clock.advance(60_000)
      times.push(new Date(clock.now()).toISOString())
      stamps.push(...(await sent(action, [contact])))
    }
    const listed = async (path: string) => {
      const { status, text, body } = await call('GET', path, { headers: { accept: 'application/json' } })
      assert.equal(status, 200, text)
      return body.map(({ stamp }: { stamp: string }) => stamps.indexOf(stamp))
    }
    assert.deepEqual(await listed(`/actions/${action}/archives`), [0, 1, 2])
    assert.deepEqual(await listed(`/actions/${action}/targets/${cleo}/archives`), [0, 2])
    assert.deepEqual(await listed(`/targets/${dora}/archives`), [1])
    assert.deepEqual(
      (await listed('/actions/archives')).filter((place: number) => place >= 0),
      [0, 1, 2],
    )
    assert.deepEqual(await listed(`/actions/${action}/archives?startDate=${times[1]}`), [1, 2])
    assert.deepEqual(await listed(`/actions/${action}/archives?startDate=${times[0]}&endDate=${times[1]}`), [0])
    assert.deepEqual(await listed(`/actions/${action}/archives?startDate=2100-01-01`), [])
    const page = await call('GET', `/actions/${action}/archives?limit=2`, { headers: { accept: 'application/json' } })
    assert.equal(page.body.length, 2)
    const next = /<([^>]+)>/.exec(String(page.headers['link']))?.[1] ?? ''
    assert.deepEqual(await listed(next), [2])
    assert.equal((await call('GET', `/actions/${action}/archives`)).headers['content-type'], TYPE)
    const exported = await call('GET', `/targets/${cleo}/export`)
    assert.deepEqual(
      exported.body.archives.map(({ stamp }: { stamp: string }) => stamps.indexOf(stamp)),
      [0, 2],
    )
  })

  test('is hidden from another account, and an invalid request is refused with a pointer', async () => {
    const [eve, action] = [await stage.contact('eve@example.org'), await archived()]
    const [stamp = ''] = await sent(action, [eve])
    const key = other.key
    for (const path of [
      `/actions/${action}/archives`,
      `/targets/${eve}/archives`,
      `/actions/${action}/targets/${eve}/archives`,
      `/actions/stamp/${stamp}/archives`,
    ])
      assert.equal((await call('GET', path, { key })).status, 404, path)
    assert.equal((await call('GET', '/actions/archives', { key, headers: { accept: 'application/json' } })).text, '[]')
    const noRight = await stage.makeKey(own.account, ['send'])
    assert.equal((await call('GET', '/actions/archives', { key: noRight })).status, 403)
    assert.equal((await call('GET', '/actions/stamp/none/archives')).status, 400)
    assert.equal((await call('GET', `/actions/stamp/${randomUUID()}/archives`)).status, 404)
    assert.equal((await call('GET', '/actions/ZZZZZZ/archives')).status, 404)
    assert.equal((await call('GET', `/actions/${action}/targets/ZZZZZZZZ/archives`)).status, 404)
    const wrong = await call('GET', '/actions/archives?startDate=soon')
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'startDate'])
  })

  test("outlives its action, but not its contact's address or its retention", async () => {
    const [finn, action] = [await stage.contact('finn@example.org'), await archived()]
    const [stamp = ''] = await sent(action, [finn])
    const listed = async () =>
      (await call('GET', `/targets/${finn}/archives`, { headers: { accept: 'application/json' } })).body
    assert.equal((await call('DELETE', `/actions/${action}`)).status, 204)
    assert.equal((await call('GET', `/actions/${action}/archives`)).status, 404)
    const [{ url }] = await listed()
    assert.equal((await fetched(url)).status, 200)
    const start = clock.now()
    clock.set(start + 32 * DAY_MS)
    assert.equal((await fetched(url)).status, 404)
    const [again] = await listed()
    assert.notEqual(again.url, url)
    assert.equal((await fetched(again.url)).status, 200)

    await call('PUT', '/settings/sending', { body: { archiveDays: 40 } })
    const [late] = await listed()
    assert.equal(late.expiresOn, new Date(start + 40 * DAY_MS).toISOString())
    await purgeArchives(db, clock.now())
    assert.equal((await listed()).length, 1)
    clock.set(start + 40 * DAY_MS)
    assert.equal((await fetched(late.url)).status, 404)
    assert.deepEqual(await listed(), [])
    assert.equal((await ofStamp(stamp)).status, 404)
    assert.ok((await packs()).length > 0)
    await purgeArchives(db, clock.now())
    await jobs()
    assert.deepEqual(await packs(), [])
    const { rows } = await sql`select from archives union all select from archive_wipes`.execute(db)
    assert.equal(rows.length, 0)
    await call('PUT', '/settings/sending', { body: { archiveDays: 1095 } })
  })
})

suite('the archive of a message whose pack was damaged', () => {
  test('answers 410 with the reason if the pack is cut or overwritten, and 503 while the pack is missing', async () => {
    const [tess, action] = [await stage.contact('tess@example.org'), await archived()]
    const before = await packs()
    const [stamp = ''] = await sent(action, [tess])
    const [pack = ''] = (await packs()).filter((path) => !before.includes(path))
    const { url } = JSON.parse((await ofStamp(stamp)).text)
    const whole = await readFile(pack)
    const id = basename(pack, '.zst')
    const damages: [content: Buffer, reason: RegExp][] = [
      [whole.subarray(0, -7), /the message is cut off by 7 bytes/],
      [Buffer.alloc(0), /the message is cut off by \d+ bytes/],
      [Buffer.alloc(whole.length), /\w/],
    ]
    for (const [content, reason] of damages) {
      await writeFile(pack, content)
      const { status, body, headers } = await fetched(url)
      assert.deepEqual(
        [status, body.type, headers['retry-after']],
        [410, 'urn:stentor:problem:archive-damaged', undefined],
      )
      assert.ok(body.detail.includes(id))
      assert.match(body.detail, reason)
    }
    await rm(pack)
    const missing = await fetched(url)
    assert.deepEqual([missing.status, missing.headers['retry-after']], [503, '30'])
    await writeFile(pack, whole)
    assert.equal((await fetched(url)).text, bytesTo('tess@example.org'))
  })
})

suite('archiving before hand-over', () => {
  test('an unavailable storage delays only messages to be archived, and then each leaves once', async () => {
    const [gina, hugo] = [await stage.contact('gina@example.org'), await stage.contact('hugo@example.org')]
    const [action, plain] = [await archived(), await archived({ archive: false })]
    const [stamp = ''] = await execute(action, [gina])
    await execute(plain, [hugo])
    const away = { ...sender.archives, write: () => Promise.reject(new Error('no space')) }
    await sendWith(away)
    assert.equal(gateway.to('hugo@example.org').length, 1)
    assert.equal(gateway.to('gina@example.org').length, 0)
    assert.equal((await ofStamp(stamp)).status, 404)
    const { rows } = await sql<{
      last_reply: string
      attempts: number
    }>`select last_reply, attempts from messages where stamp = ${stamp}`.execute(db)
    assert.deepEqual(rows, [{ last_reply: 'the archive storage is unavailable', attempts: 0 }])
    clock.advance(10_000)
    await sendDue()
    assert.equal(gateway.to('gina@example.org').length, 1)
    const { url } = JSON.parse((await ofStamp(stamp)).text)
    assert.equal((await fetched(url)).text, bytesTo('gina@example.org'))
  })

  test('the pack is stored before the gateway receives the message', async () => {
    const [iris, action] = [await stage.contact('iris@example.org'), await archived()]
    await execute(action, [iris])
    let held = ''
    const send: typeof gateway.send = async (batch, listener) => {
      const list = [...batch]
      if (list.length > 0) held = await allBytes()
      return gateway.send(list, listener)
    }
    const gateways = { ...sender.gateways, gatewayOf: async () => ({ ...gateway, send }) }
    for (const lane of Object.values(outboxLanes)) await sendMessageBatch({ ...sender, gateways }, lane, 500)
    assert.ok(held.includes(bytesTo('iris@example.org')))
  })

  test('a sender that dies between archive and hand-over leaves no duplicate, as the retry replaces it', async () => {
    const [jack, action] = [await stage.contact('jack@example.org'), await archived()]
    const [stamp = ''] = await execute(action, [jack])
    const [id, place] = [randomUUID(), join(dataDir, 'dying')]
    const gateways = {
      ...sender.gateways,
      gatewayOf: async () => ({
        ...gateway,
        send: async (batch: Iterable<unknown>) => {
          if ([...batch].length > 0) throw new Error('killed')
          return { taken: 0 }
        },
      }),
    }
    const dying = { ...sender, id, gateways, journal: startSenderJournal(place, id) }
    await assert.rejects(async () => {
      for (const lane of Object.values(outboxLanes)) await sendMessageBatch(dying, lane, 500)
    }, /killed/)
    // The kernel lets go of the name of a thread that died.
    dying.journal.close()
    assert.equal((await ofStamp(stamp)).status, 404)
    const left = (await packs()).length
    await recoverDeadSenders({ db, clock, log: context.log, cache: sender.cache, dataDir: place })
    clock.advance(1000)
    await sendDue()
    assert.equal(gateway.to('jack@example.org').length, 1)
    const { url } = JSON.parse((await ofStamp(stamp)).text)
    assert.equal((await fetched(url)).text, bytesTo('jack@example.org'))
    assert.equal((await packs()).length, left + 1)
    await wipeArchives(context, sender.archives)
    assert.equal((await packs()).length, left)
  })

  test('a message deferred by its gateway is archived as finally sent', async () => {
    const [kim, action] = [await stage.contact('kim@example.org'), await archived()]
    gateway.plan('kim@example.org', { result: 'deferred', retryAfterMs: 5000 }, { result: 'accepted' })
    const [stamp = ''] = await sent(action, [kim])
    assert.equal((await ofStamp(stamp)).status, 404)
    clock.advance(5000)
    await sendDue()
    const { url } = JSON.parse((await ofStamp(stamp)).text)
    assert.equal((await fetched(url)).text, bytesTo('kim@example.org'))
  })

  test('a message deferred and then cancelled leaves no archive', async () => {
    const [lou, action] = [await stage.contact('lou@example.org'), await archived()]
    gateway.plan('lou@example.org', { result: 'deferred', retryAfterMs: 5000 })
    const [stamp = ''] = await sent(action, [lou])
    await call('PUT', `/targets/${lou}/redlist`, { body: {} })
    await call('DELETE', `/actions/${action}`)
    clock.advance(6000)
    await sendDue()
    assert.equal((await ofStamp(stamp)).status, 404)
    clock.advance(2 * 3600_000)
    await purgeArchives(db, clock.now())
    const { rows } = await sql`select from archives where stamp = ${stamp}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('many messages share a few packs', async () => {
    const contacts = await Promise.all(Array.from({ length: 40 }, (_, n) => stage.contact(`many${n}@example.org`)))
    const action = await archived()
    const before = (await packs()).length
    const stamps = await sent(action, contacts)
    assert.equal((await packs()).length, before + 1)
    const { url } = JSON.parse((await ofStamp(stamps[17] ?? '')).text)
    assert.equal((await fetched(url)).text, bytesTo('many17@example.org'))
  })
})

suite('the erasure of a contact', () => {
  test('deletes its archives and those of others that name it, and leaves the rest of the pack readable', async () => {
    const [mona, nick, olga] = [
      await stage.contact('mona@example.org'),
      await stage.contact('nick@example.org'),
      await stage.contact('olga@example.org'),
    ]
    const action = await archived()
    await execute(action, [mona, nick])
    await execute(action, [olga], { copies: [{ type: 'id', value: mona, as: 'cc' }] })
    await sendDue()
    const listed = async (contact: string) =>
      (await call('GET', `/targets/${contact}/archives`, { headers: { accept: 'application/json' } })).body
    const [monas] = await listed(mona)
    assert.equal((await listed(olga)).length, 1)
    assert.ok((await allBytes()).includes('mona@example.org'))
    assert.equal((await call('DELETE', `/targets/${mona}?erase=true`)).status, 204)
    assert.equal((await fetched(monas.url)).status, 404)
    await jobs()
    const left = await allBytes()
    assert.ok(!left.includes('mona@example.org'))
    assert.deepEqual(await listed(olga), [])
    const [nicks] = await listed(nick)
    assert.equal((await fetched(nicks.url)).text, bytesTo('nick@example.org'))
    assert.ok(left.includes(bytesTo('nick@example.org')))
  })

  test('reaches a deleted contact when only archives remain', async () => {
    const [pete, action] = [await stage.contact('pete@example.org'), await archived()]
    const [stamp = ''] = await sent(action, [pete])
    assert.equal((await call('DELETE', `/targets/${pete}`)).status, 204)
    assert.equal((await ofStamp(stamp)).status, 200)
    await sql`delete from events where stamp = ${stamp}`.execute(db)
    await sql`delete from sent_messages where stamp = ${stamp}`.execute(db)
    assert.equal((await call('DELETE', `/targets/${pete}?erase=true`)).status, 204)
    assert.equal((await ofStamp(stamp)).status, 404)
    await jobs()
    assert.ok(!(await allBytes()).includes('pete@example.org'))
  })
})

suite('an S3-compatible storage', () => {
  const keys = { region: 'eu-west-3', accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

  test('writes, reads ranges, overwrites and deletes, with every request signed', async () => {
    const peer = await startS3Peer('mails', keys)
    try {
      const store = openArchiveStore({
        dataDir,
        archives: { bucket: 'mails', prefix: 'kept/', endpoint: peer.url, ...keys },
      })
      await store.write('7/2026-03-20/a.zst', Buffer.from('one message'))
      assert.equal(peer.objects.get('kept/7/2026-03-20/a.zst')?.toString(), 'one message')
      assert.equal(String(await store.read('7/2026-03-20/a.zst', { start: 4, length: 7 })), 'message')
      assert.equal(String(await store.read('7/2026-03-20/a.zst', { start: 4, length: 70 })), 'message')
      assert.equal(await store.read('7/2026-03-20/b.zst', { start: 0, length: 1 }), undefined)
      await store.overwrite('7/2026-03-20/a.zst', [{ start: 0, bytes: Buffer.from('ten') }])
      assert.equal(String(await store.read('7/2026-03-20/a.zst', { start: 0, length: 11 })), 'ten message')
      await store.overwrite('7/2026-03-20/b.zst', [{ start: 0, bytes: Buffer.from('ten') }])
      await store.remove('7/2026-03-20/a.zst')
      await store.remove('7/2026-03-20/a.zst')
      assert.equal(peer.objects.size, 0)
    } finally {
      await peer.close()
    }
  })

  test('fails on a wrong key, a missing bucket, a server error or a lost connection', async () => {
    const peer = await startS3Peer('mails', keys)
    const open = (more: object) =>
      openArchiveStore({ dataDir, archives: { bucket: 'mails', prefix: '', endpoint: peer.url, ...keys, ...more } })
    const bytes = Buffer.from('x')
    await assert.rejects(open({ secretKey: 'another' }).write('a', bytes), /403 .*SignatureDoesNotMatch/)
    await assert.rejects(open({ bucket: 'other' }).write('a', bytes), /NoSuchBucket/)
    await assert.rejects(open({ bucket: 'other' }).read('a', { start: 0, length: 1 }), /NoSuchBucket/)
    peer.failure = { status: 500 }
    await assert.rejects(open({}).write('a', bytes), /500/)
    await assert.rejects(open({}).remove('a'), /500/)
    assert.equal(peer.asked.filter((one) => one.startsWith('PUT')).length, 3)
    peer.failure = 'silent'
    const hurried = openS3ArchiveStore({ bucket: 'mails', prefix: '', endpoint: peer.url, ...keys }, 100)
    await assert.rejects(hurried.write('a', bytes), /timeout/)
    await peer.close()
    await assert.rejects(open({}).write('a', bytes))
    assert.equal(peer.objects.size, 0)
  })

  test('stores archives of sent messages, and messages wait while it fails', async () => {
    const peer = await startS3Peer('mails', keys)
    try {
      const store = openArchiveStore({
        dataDir,
        archives: { bucket: 'mails', prefix: '', endpoint: peer.url, ...keys },
      })
      const [quin, action] = [await stage.contact('quin@example.org'), await archived()]
      const [stamp = ''] = await execute(action, [quin])
      peer.failure = { status: 503 }
      await sendWith(store)
      assert.equal(gateway.to('quin@example.org').length, 0)
      peer.failure = undefined
      clock.advance(10_000)
      await sendWith(store)
      const [pack] = peer.objects.values()
      assert.equal(zstdDecompressSync(pack ?? Buffer.alloc(0)).toString(), bytesTo('quin@example.org'))
      assert.equal((await ofStamp(stamp)).status, 200)
      await sql`delete from archives where stamp = ${stamp}`.execute(db)
    } finally {
      await peer.close()
    }
  })
})
