import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { simpleParser } from 'mailparser'
import { createHitEvent } from '../../../src/features/events/hits/hit.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { finalizeHits } from '../../../src/features/events/record/settle.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { purgeImportFiles } from '../../../src/features/imports/upload/uploads.ts'
import { storeUnmatchedReport } from '../../../src/features/inbound/unmatched-reports.ts'
import { runJob } from '../../../src/features/jobs/run.ts'
import { finishContactErasure } from '../../../src/features/personal-data/erase.ts'
import { writeCapturedMessage } from '../../../src/gateways/capture/files.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { createUuidV7, parseActionId, parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessages } from '../../../src/sending/claim/claim-messages.ts'
import type { ClaimedMessage } from '../../../src/sending/claim/queue-messages.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { recordOutcomes } from '../../../src/sending/record/record-outcomes.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'
import { recoverDeadSenders } from '../../../src/sending/recover/recover-messages.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import type { RecordedMail } from '../../fakes/web/recording-gateway.ts'
import { startTestSender } from '../../support/stages/sending.ts'
import { startStage } from '../../support/stages/stage.ts'
import { findTraces, held } from '../../support/traces.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { app, call, clock, context, dataDir, gateway, own, other } = stage
const { db } = context

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const HTML = `<html><body><p>Dear {{ contact.Firstname }}, born in {{ contact.Birthplace }}</p>
<a href="https://shop.example/a" dataminingname="hero">Come in</a>
<a href="https://shop.example/p?for={{ contact.Email }}">Made for you</a>
<a href="MirrorPage">Online</a> <a href="Unsubscribe">Leave</a></body></html>`

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
type AnyEvent = any

async function visit(url: string, method: 'GET' | 'POST' = 'GET', payload?: string) {
  const { statusCode, headers } = await app.inject({
    method,
    url: url.replace('https://stentor.example', ''),
    remoteAddress: '203.0.113.77',
    headers: { 'user-agent': BROWSER, ...(payload !== undefined && FORM) },
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, location: headers.location }
}

async function ok(method: string, url: string, body?: unknown, more: object = {}) {
  const answer = await call(method, url, { ...(body !== undefined && { body }), ...more })
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.text}`)
  return answer.body
}

const erase = (contact: string, key = own.key) => call('DELETE', `/targets/${contact}?erase=true`, { key })

/** The events of an action, or of all; those of proofs left out. */
async function events(action?: string): Promise<AnyEvent[]> {
  const all = await ok('GET', `/actions/${action === undefined ? '' : `${action}/`}events?classification=all`)
  return all.filter(({ source }: AnyEvent) => (source.detail.activation ?? source.detail.execution).kind !== 'test')
}

/** The events of a contact as they are stored: a deleted one has no list of its own. */
async function storedEvents(contact: string): Promise<{ id: string; kind: string; detail: AnyEvent }[]> {
  const { rows } = await sql<{ id: string; kind: string; detail: AnyEvent }>`
    select id, kind, detail from events where account = ${own.account} and contact = ${parseContactId(contact)!}
    order by at, id`.execute(db)
  return rows
}

function linksIn(html: string, letter: string): string[] {
  const all = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
  return all.filter((url) => url.includes(`/t/${letter}/`))
}

async function htmlOf(mail: RecordedMail | undefined): Promise<string> {
  assert.ok(mail, 'the message was sent')
  return String((await simpleParser(mail.bytes)).html)
}

const to = (id: string) => ({ recipient: { type: 'id', value: id } })

/** Runs what an erasure leaves to be done: right away, or half a minute later too. */
async function finish(when: 'now' | 'later'): Promise<void> {
  if (when === 'later')
    await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now()`.execute(db)
  await runDueJobs(context.pool, context.log, { 'contacts.erase': (payload) => finishContactErasure(context, payload) })
}

let named = 0
const nameOf = (prefix: string): string => `${prefix}${++named}@reader.example`

await ok('POST', '/fields', { type: 'textField', name: 'Firstname' })
await ok('POST', '/fields', { type: 'textField', name: 'Birthplace' })
await ok('POST', '/fields', { type: 'phone', name: 'Mobile' })
await ok('POST', '/fields', { type: 'numeric', name: 'Age' })

suite('deletion and erasure', () => {
  test('deletion leaves the footprint in events, erasure does not, and the counts stay the same', async () => {
    const address = nameOf('opens')
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    await ok('POST', `/actions/${action}/execution`, to(contact))
    await stage.settle()
    clock.advance(60_000)
    const html = await htmlOf(gateway.to(address)[0])
    const [click = ''] = linksIn(html, 'r')
    await visit(linksIn(html, 'o')[0]!)
    assert.equal((await call('DELETE', `/targets/${contact}`)).status, 204)
    await visit(click)
    const before = await events(action)
    assert.deepEqual(
      before.map(({ type, source }) => [type, source.detail.link?.type]),
      [
        ['execution', undefined],
        ['activation', undefined],
        ['hit', 'open'],
        ['hit', 'redirection'],
      ],
    )
    for (const { source } of before) {
      const { activation, execution } = source.detail
      assert.equal((activation?.receiver ?? execution.recipient).unicity, address)
    }

    assert.equal((await erase(contact)).status, 204)
    const after = await events(action)
    assert.deepEqual(held(JSON.stringify(await events()), [address]), [])
    assert.deepEqual(
      after.map(({ id, type, timestamp }) => ({ id, type, timestamp })),
      before.map(({ id, type, timestamp }) => ({ id, type, timestamp })),
    )
    for (const { source } of after) {
      const { activation, execution } = source.detail
      const footprint = { type: 'footprint', id: contact, unicity: '', hash: '' }
      assert.deepEqual(activation?.receiver ?? execution.recipient, footprint)
    }
    assert.deepEqual(await visit(click), { status: 302, location: 'https://shop.example/a' })
    assert.equal((await events(action)).length, before.length)
  })

  test('erasure is 204 for a contact without events, 404 for one of another account or an unknown one', async () => {
    const contact = await stage.contact(nameOf('plain'))
    assert.equal((await erase(contact, other.key)).status, 404)
    assert.equal((await call('GET', `/targets/${contact}`)).status, 200)
    assert.equal((await erase(contact)).status, 204)
    assert.equal((await erase(contact)).status, 404)
    assert.equal((await erase('0ZZZZZZZ')).status, 404)
  })

  test('erasure after deletion is 204 as long as there are events, even twice, and 404 to another account', async () => {
    const address = nameOf('after')
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action())
    await ok('POST', `/actions/${action}/execution`, to(contact))
    await stage.settle()
    assert.equal((await call('DELETE', `/targets/${contact}`)).status, 204)
    assert.equal((await call('DELETE', `/targets/${contact}`)).status, 404)
    assert.equal((await erase(contact, other.key)).status, 404)
    assert.equal((await storedEvents(contact))[0]?.detail.execution.recipient.unicity, address)
    assert.equal((await erase(contact)).status, 204)
    assert.equal((await erase(contact)).status, 204)
    assert.deepEqual(await findTraces({ db, dataDir, except: other.account }, [address]), [])
  })

  test('erasure requires the right to write and a valid value of erase', async () => {
    const contact = await stage.contact(nameOf('rights'))
    const key = await stage.makeKey(own.account, ['read'])
    assert.equal((await erase(contact, key)).status, 403)
    assert.equal((await call('DELETE', `/targets/${contact}?erase=perhaps`)).status, 400)
    assert.equal((await call('GET', `/targets/${contact}`)).status, 200)
  })

  test('erasure of a selection covers existing contacts and those deleted before', async () => {
    const [a, b] = [nameOf('one'), nameOf('two')]
    const contacts = [await stage.contact(a), await stage.contact(b)]
    const action = await stage.validated(await stage.action())
    await ok('POST', `/actions/${action}/executions`, contacts.map(to))
    await stage.settle()
    await call('DELETE', `/targets/${contacts[1]}`)
    const { status } = await call('DELETE', '/targets?erase=true', {
      body: { type: 'id', value: [...contacts, '0ZZZZZZZ'] },
    })
    assert.equal(status, 204)
    assert.deepEqual(await findTraces({ db, dataDir, except: other.account }, [a, b]), [])
  })
})

suite('all data of a person', () => {
  const PERSON = {
    Email: 'Quetzal.Unique+tag@erased.example',
    Firstname: 'Xochipilli',
    Birthplace: 'Téotihuacán-Žižkov',
    Mobile: '+33699887766',
  }
  const TEXTS = Object.values(PERSON)
  const HASH = createHash('md5').update(PERSON.Email).digest('hex')
  const ADDRESS_HASH = createHash('md5')
    .update(PERSON.Email.toLowerCase())
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const everywhere = (texts: readonly string[]) => findTraces({ db, dataDir, except: other.account }, texts)

  async function kept(method: string, url: string, body: unknown): Promise<string> {
    const key = createUuidV7(clock.now())
    await call(method, url, { body, headers: { 'idempotency-key': key } })
    return key
  }

  /** Everything this version can do to a contact, short of erasing it. */
  async function live() {
    // Answers that are kept for repetitions: not found, created, taken, found.
    const keys = [
      await kept('POST', '/targets/resolve', [{ type: 'unicity', value: [PERSON.Email.toUpperCase()] }]),
      await kept('POST', '/targets', PERSON),
      await kept('POST', '/targets', PERSON),
      await kept('POST', '/targets/resolve', [{ type: 'unicity', value: [PERSON.Email] }]),
    ]
    const { id: person } = await ok('GET', `/targets?unicity=${encodeURIComponent(PERSON.Email)}`)
    const friendly = nameOf('friend')
    const friend = await stage.contact(friendly)
    const tester = await stage.contact(nameOf('tester'))
    const segment = await stage.segment([person, friend])

    // An import that knows the contact, names it twice, and has a line of it that cannot be read.
    const file = await ok('POST', '/imports', {
      name: 'List',
      features: [{ type: 'segmentation', segmentId: segment }],
    })
    const lines = [
      `${PERSON.Email};${PERSON.Firstname};41`,
      `${PERSON.Email};${PERSON.Firstname};42`,
      `${PERSON.Email};${PERSON.Firstname};old`,
    ]
    const { id: execution } = await ok(
      'POST',
      `/imports/${file.id}/executions`,
      ['Email;Firstname;Age', ...lines].join('\n'),
      {
        headers: { 'content-type': 'text/csv' },
      },
    )
    await runImport(context, { execution })
    const rejects = await ok('GET', `/imports/${file.id}/executions/${execution}`)
    assert.deepEqual([rejects.updated, rejects.duplicates, rejects.rejected], [1, 1, 1])

    // A proof of another contact's message, sent to the erased one.
    const tests = await stage.segment([tester], { isTest: true })
    const action = await stage.action({ content: { subject: 'Hello', html: HTML } })
    await ok('POST', `/actions/${action}/validation`, {
      fortest: true,
      testSegments: [tests],
      mediaForTest: PERSON.Email,
    })
    await stage.settle()
    assert.equal(gateway.to(PERSON.Email).length, 1, 'the proof')
    await ok('POST', `/actions/${action}/validation`, { fortest: false })

    // Messages of every kind: tracked, with contents of their own, to others about the person.
    const asked = { data: { who: PERSON.Firstname, address: PERSON.Email } }
    const requests = [
      { ...to(person), ...asked },
      {
        ...to(person),
        ...asked,
        content: { type: 'inline', html: `<p>${PERSON.Firstname} of ${PERSON.Birthplace}</p>` },
      },
      {
        ...to(person),
        content: {
          type: 'template',
          html: `<p>${PERSON.Email} <a href="https://shop.example/x?e=${encodeURIComponent(PERSON.Email)}">x</a></p>`,
        },
      },
      {
        ...to(person),
        attachments: [
          {
            name: 'a.txt',
            mime: 'text/plain',
            data: { type: 'base64', value: Buffer.from(PERSON.Firstname).toString('base64') },
          },
        ],
      },
      {
        ...to(friend),
        related: { type: 'id', value: person },
        content: {
          type: 'template',
          html: '<p>{{ related.Firstname }} {{ related.Birthplace }} <a href="https://shop.example/r?of={{ related.Email }}">x</a></p>',
        },
      },
      {
        ...to(friend),
        copies: [
          { type: 'id', value: person },
          { type: 'address', value: PERSON.Email.toLowerCase() },
        ],
      },
    ]
    for (const request of requests) keys.push(await kept('POST', `/actions/${action}/execution`, request))
    keys.push(await kept('POST', `/actions/${action}/render`, to(person)))
    await stage.settle()
    clock.advance(60_000)

    // A campaign that is still being sent, a message that is refused, one that waits, and one that was tried.
    const campaign = await stage.action({
      type: 'mailCampaign',
      content: { subject: 'Hello', html: HTML },
      scheduler: { type: 'asap', speed: 1, segments: { selected: [segment] } },
    })
    await stage.validated(campaign)
    await stage.settle()
    gateway.plan(
      PERSON.Email,
      { result: 'refused', reply: `550 5.1.1 <${PERSON.Email}> no such user` },
      { result: 'deferred', reply: `451 4.3.0 <${PERSON.Email}> try again later` },
      { result: 'doubtful', reason: `${PERSON.Email} and then nothing` },
      { result: 'accepted' },
    )
    for (let n = 0; n < 3; n++) {
      await ok('POST', `/actions/${action}/execution`, { ...to(person), ...asked })
      await stage.sendDue()
      await call('DELETE', `/targets/${person}/bounces/1`)
    }
    await ok('POST', `/actions/${action}/execution`, { ...to(person), ...asked })

    // What the person does; a click that comes before its activation; red lists and what was said about them.
    const tracked = gateway.to(PERSON.Email).filter(({ bytes }) => bytes.includes('/t/o/'))
    const html = await htmlOf(
      tracked.find(
        ({ origin }) => origin?.source === parseActionId(action) && gateway.to(PERSON.Email)[0] !== tracked[0],
      ) ?? tracked[1],
    )
    const links = {
      clicks: linksIn(html, 'r'),
      open: linksIn(html, 'o')[0]!,
      mirror: linksIn(html, 'm')[0]!,
      leave: linksIn(html, 'u')[0]!,
    }
    const shown = await Promise.all(gateway.to(friendly).map(htmlOf))
    const [about] = linksIn(shown.find((one) => one.includes(PERSON.Firstname)) ?? '', 'r')
    await visit(about!)
    await visit(links.open)
    for (const url of links.clicks) await visit(url)
    await visit(links.mirror)
    await visit(links.leave, 'POST', 'confirm=1')
    await ok('POST', `/targets/${person}/redlist/sms`, {
      origin: 4,
      detail: { asked: `${PERSON.Firstname} ${PERSON.Email}` },
    })
    await ok('DELETE', `/targets/${person}/redlist/sms`, {
      reason: `${PERSON.Firstname} asked us from ${PERSON.Email.toLowerCase()}`,
    })
    await ok('POST', `/targets/${person}/redlist/sms`, { origin: 4, detail: { asked: PERSON.Email } })
    await ok('PUT', `/targets/${person}/bounces/1`, { type: 'soft', detail: `${PERSON.Email} is full` })

    // A report that leads to no message.
    const report = Buffer.from(`Final-Recipient: rfc822; ${PERSON.Email.toLowerCase()}\r\nAction: failed`)
    await storeUnmatchedReport(db, {
      id: createUuidV7(clock.now()),
      receivedAt: clock.now(),
      route: 'mail',
      kind: 'bounce',
      content: report,
    })

    // What was captured instead of sent, by the stamps it had.
    const { rows: stamps } = await sql<{ stamp: string; contact: number }>`
      select stamp, contact from sent_messages where account = ${own.account} and kind = 'message'
        and (contact = ${parseContactId(person)!} or request ? 'cc')`.execute(db)
    for (const [n, { stamp }] of stamps.entries()) {
      const origin = { account: own.account, sourceKind: 'action', source: 1, stamp } as const
      const bytes = Buffer.from(`To: ${PERSON.Email}\r\n\r\nDear ${PERSON.Firstname}`)
      await writeCapturedMessage(
        dataDir,
        { id: n, envelope: { from: 'a@shop.example', to: PERSON.Email }, bytes, smtputf8: false, origin },
        clock.now(),
      )
    }
    const others = { account: own.account, sourceKind: 'action', source: 1, stamp: createUuidV7(clock.now()) } as const
    const bytes = Buffer.from('Dear friend')
    await writeCapturedMessage(
      dataDir,
      { id: 999, envelope: { from: 'a@shop.example', to: 'b@c.example' }, bytes, smtputf8: false, origin: others },
      clock.now(),
    )
    return { person, friend, action, campaign, segment, links, keys, execution, import: file.id }
  }

  test('is removed when the contact is erased, and nothing else is', async () => {
    // The same person at another account, with a message of its own.
    const theirs = { key: other.key }
    await ok('POST', '/fields', { type: 'textField', name: 'Firstname' }, theirs)
    await ok('POST', '/targets', { Email: PERSON.Email, Firstname: PERSON.Firstname }, theirs)
    await recordEvents(db, [
      createHitEvent(
        {
          account: other.account,
          channel: 'email',
          sourceKind: 'action',
          source: 1,
          kind: 'message',
          contact: 1,
          stamp: createUuidV7(clock.now()),
        },
        { type: 'redirection', id: 1, name: null, url: `https://shop.example/?${PERSON.Email}` },
        { time: clock.now(), address: null, userAgent: null, visitor: null },
        { verdict: { classification: null, early: null }, addressDetail: 'none' },
      ),
    ])
    const theirRows = async () =>
      (
        await sql`
      select (select json_agg(c) from contacts c where account = ${other.account}) as contacts,
        (select json_agg(e) from events e where account = ${other.account}) as events`.execute(db)
      ).rows
    const lived = await live()
    const { person, friend, action, links, keys } = lived
    const before = {
      theirs: await theirRows(),
      events: await events(),
      stored: await storedEvents(person),
      friend: await storedEvents(friend),
    }
    assert.ok((await everywhere([...TEXTS, HASH, ADDRESS_HASH])).length > 40, 'there was much to erase')
    for (const kind of [
      'executions',
      'activations',
      'bounces',
      'hits/open',
      'hits/redirection',
      'hits/unsubscribe',
      'hits/mirror',
    ]) {
      assert.ok(
        before.stored.some((event) => event.kind === kind),
        kind,
      )
    }

    assert.equal((await erase(person)).status, 204)
    await finish('now')
    // Files of imports go when their time is over.
    await purgeImportFiles(db, stage.context.config, new Date(clock.now() + 31 * 24 * 3600 * 1000))
    assert.deepEqual(await everywhere([...TEXTS, HASH, ADDRESS_HASH]), [])
    assert.deepEqual(await theirRows(), before.theirs)

    const after = { events: await events(), stored: await storedEvents(person), friend: await storedEvents(friend) }
    assert.deepEqual(
      after.events.map(({ id }) => id),
      before.events.map(({ id }) => id),
    )
    assert.deepEqual(
      after.stored.map(({ id, kind }) => [id, kind]),
      before.stored.map(({ id, kind }) => [id, kind]),
    )
    for (const { detail } of after.stored)
      assert.equal((detail.activation?.receiver ?? detail.execution?.recipient)?.id, person)

    // What is repeated is not done again, and its answer is not to be had any more.
    const [, created, , , execution] = keys
    for (const [key, url, body] of [
      [created, '/targets', PERSON],
      [
        execution,
        `/actions/${action}/execution`,
        { ...to(person), data: { who: PERSON.Firstname, address: PERSON.Email } },
      ],
    ] as const) {
      const { status, body: problem } = await call('POST', url, { body, headers: { 'idempotency-key': key ?? '' } })
      assert.deepEqual([status, problem.type], [410, 'urn:stentor:problem:answer-erased'])
    }
    assert.equal((await call('GET', `/targets?unicity=${encodeURIComponent(PERSON.Email)}`)).status, 404)

    // Links lead on, and nothing is recorded.
    assert.equal((await visit(links.clicks[0]!)).status, 302)
    assert.equal((await visit(links.open)).status, 200)
    assert.equal((await visit(links.mirror)).status, 410)
    assert.equal((await visit(links.leave)).status, 200)
    assert.equal((await visit(links.leave, 'POST', 'confirm=1')).status, 200)

    // What waited is cancelled.
    gateway.sent.length = 0
    clock.advance(3 * 3600 * 1000)
    await stage.sendDue()
    assert.deepEqual(gateway.to(PERSON.Email), [])
    const cancelled = (await storedEvents(person)).slice(after.stored.length)
    assert.ok(cancelled.length > 0)
    for (const { kind, detail } of cancelled) {
      assert.deepEqual([kind, detail.cancellation], ['cancellations', { type: 'recipient not found', value: {} }])
    }
    await finish('later')
    assert.deepEqual(await everywhere([...TEXTS, HASH, ADDRESS_HASH]), [])

    // A contact created again with that address is on the red list, and is otherwise a new contact.
    const { id, redList } = await ok('POST', '/targets', PERSON)
    assert.notEqual(id, person)
    assert.deepEqual(Object.keys(redList), ['mail', 'sms'])
    assert.deepEqual(await ok('GET', `/targets/${id}/events`), [])
    assert.equal((await call('DELETE', `/targets/${id}?erase=true`)).status, 204)
    await finish('later')
    assert.deepEqual(await everywhere([...TEXTS, HASH, ADDRESS_HASH]), [])
  })
})

suite('the result of a job', () => {
  const listed = { accept: 'application/vnd.np6.cm.v1', prefer: 'respond-async' }

  async function worked(url: string, selection: object): Promise<AnyEvent> {
    const { status, body } = await call('DELETE', url, { body: selection, headers: listed })
    assert.equal(status, 202)
    await runDueJobs(context.pool, context.log, {
      'jobs.run': (payload) => runJob(context, createJobHandlers(context), payload),
    })
    const job = await ok('GET', `/jobs/${body.id}`)
    assert.equal(job.state, 'done')
    return job
  }

  test('lists erased contacts by their ids only', async () => {
    const address = nameOf('listed')
    const contact = await stage.contact(address)
    const job = await worked('/targets?erase=true', { type: 'unicity', value: [[address]] })
    assert.deepEqual(job.result, [{ id: contact, unicity: [] }])
    assert.deepEqual(await findTraces({ db, dataDir, except: other.account }, [address]), [])
  })

  test('no longer identifies contacts erased after it listed them', async () => {
    const [address, stays] = [nameOf('listed'), nameOf('listed')]
    const contacts = [await stage.contact(address), await stage.contact(stays)]
    const action = await stage.validated(await stage.action())
    await ok('POST', `/actions/${action}/execution`, to(contacts[0]!))
    const { id } = await worked('/targets', { type: 'id', value: contacts })
    assert.equal((await erase(contacts[0]!)).status, 204)
    const [first, second] = contacts
    const { result } = await ok('GET', `/jobs/${id}`)
    assert.deepEqual(result, [
      { id: first, unicity: [] },
      { id: second, unicity: [stays] },
    ])
    assert.deepEqual(await findTraces({ db, dataDir, except: other.account }, [address]), [])
  })
})

suite('erasure during concurrent writes', () => {
  const traces = (address: string) => findTraces({ db, dataDir, except: other.account }, [address])

  /** A contact with a message that waits, and the action. */
  async function waiting(prefix: string) {
    const address = nameOf(prefix)
    const contact = await stage.contact(address, { Firstname: 'Tlaloc' })
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    await ok('POST', `/actions/${action}/execution`, { ...to(contact), data: { address } })
    return { address, contact, action }
  }

  /** What the sender of this test claims now, and the outcome of the one message of a contact. */
  async function claimed(
    sender: string,
    contact: string,
    address: string,
  ): Promise<[Map<number, ClaimedMessage>, MessageOutcome]> {
    const messages = await claimMessages(db, sender, outboxLanes.transactional, {
      limit: 100,
      now: clock.now(),
      leaseMs: 60_000,
    })
    const [message] = messages.filter((one) => one.contact === parseContactId(contact))
    assert.ok(message)
    const footprint = { type: 'footprint', id: contact, unicity: address, hash: 'x' } as const
    const values = { contact: { id: 1, unicity: address }, related: null, zone: 'UTC', now: 0 }
    const ending = { type: 'accepted', address, reference: 'r1', gateway: 'mx', values } as const
    return [new Map([[message.id, message]]), { id: message.id, footprint, field: 1, at: clock.now(), ending }]
  }

  async function kindsOf(contact: string): Promise<string[]> {
    return (await storedEvents(contact)).map(({ kind }) => kind)
  }

  test('a message that is just leaving is sent, and recorded without its recipient', async () => {
    const { address, contact } = await waiting('leaving')
    const { sender, gateway: way, sendDue } = startTestSender(stage)
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = {
      ...way,
      async send(...given: Parameters<typeof way.send>) {
        begun.resolve()
        await goOn.promise
        return way.send(...given)
      },
    }
    sender.gateways = { gatewayOf: async () => slow, named: async () => undefined, close: async () => undefined }
    const sending = sendDue()
    await begun.promise
    assert.equal((await erase(contact)).status, 204)
    goOn.resolve()
    await sending
    assert.equal(way.to(address).length, 1)
    assert.deepEqual(await kindsOf(contact), ['executions', 'activations'])
    assert.deepEqual(await traces(address), [])
  })

  test('erasure waits for an outcome that is being recorded', async () => {
    const { address, contact } = await waiting('recording')
    const sender = randomUUID()
    const [messages, outcome] = await claimed(sender, contact, address)
    let erasing: ReturnType<typeof erase> | undefined
    await db.transaction().execute(async (tx) => {
      await recordOutcomes(tx, { id: sender }, messages, [outcome])
      erasing = erase(contact)
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await eventually(async () => (await waiting.execute(tx)).rows.length > 0)
    })
    assert.equal((await erasing)?.status, 204)
    assert.deepEqual(await kindsOf(contact), ['executions', 'activations'])
    assert.deepEqual(await traces(address), [])
  })

  test("a dead sender's journal is recorded without personal data and removed", async () => {
    const { address, contact } = await waiting('died')
    const graveyard = join(dataDir, 'graveyard')
    const journal = startSenderJournal(graveyard, randomUUID())
    const batch = journal.open()
    const [messages, outcome] = await claimed(batch.name, contact, address)
    for (const id of messages.keys()) {
      batch.begin(id)
      batch.end(id, outcome)
    }
    journal.close()
    assert.equal((await erase(contact)).status, 204)
    const { sender } = startTestSender(stage)
    await recoverDeadSenders({ db, clock, log: context.log, cache: sender.cache, dataDir: graveyard })
    assert.deepEqual(await kindsOf(contact), ['executions', 'activations'])
    assert.deepEqual(await traces(address), [])
  })

  test('data written concurrently is emptied half a minute later', async () => {
    const { address, contact, action } = await waiting('writing')
    const stamp = createUuidV7(clock.now())
    await db.transaction().execute(async (tx) => {
      await recordEvents(tx, [
        createHitEvent(
          {
            account: own.account,
            channel: 'email',
            sourceKind: 'action',
            source: parseActionId(action)!,
            kind: 'message',
            contact: parseContactId(contact)!,
            stamp,
          },
          { type: 'redirection', id: 1, name: null, url: `https://shop.example/?e=${address}` },
          { time: clock.now(), address: '203.0.113.7', userAgent: BROWSER, visitor: null },
          { verdict: { classification: null, early: null }, addressDetail: 'full' },
        ),
      ])
      assert.equal((await erase(contact)).status, 204)
    })
    assert.notDeepEqual(await traces(address), [])
    await finish('later')
    assert.deepEqual(await traces(address), [])
    const click = (await storedEvents(contact)).find(({ kind }) => kind === 'hits/redirection')
    assert.deepEqual(
      [click?.detail.link, click?.detail.hit.ip, click?.detail.hit.userAgent],
      [{ type: 'redirection', id: 1, name: null, url: '' }, '', ''],
    )
  })

  test('hits that wait for their class or activation are recorded without personal data', async () => {
    const { address, contact, action } = await waiting('settling')
    const sender = randomUUID()
    const [messages, outcome] = await claimed(sender, contact, address)
    const [message] = messages.values()
    const click = () =>
      createHitEvent(
        {
          account: own.account,
          channel: 'email',
          sourceKind: 'action',
          source: parseActionId(action)!,
          kind: 'message',
          contact: parseContactId(contact)!,
          stamp: message!.stamp.id,
        },
        { type: 'redirection', id: 1, name: null, url: `https://shop.example/?e=${address}` },
        { time: clock.now(), address: '203.0.113.7', userAgent: BROWSER, visitor: null },
        { verdict: { classification: null, early: null }, addressDetail: 'full' },
      )
    await recordEvents(db, [click()])
    const [erased] = await Promise.all([
      erase(contact),
      finalizeHits(db),
      recordOutcomes(db, { id: sender }, messages, [outcome]),
    ])
    assert.equal(erased.status, 204)
    await sql`update early_reactions set next_at = now() - interval '1 second'`.execute(db)
    await finalizeHits(db)
    await finish('later')
    assert.deepEqual(await traces(address), [])
    const details = new Map((await storedEvents(contact)).map(({ kind, detail }) => [kind, detail.activation]))
    assert.deepEqual(details.get('hits/redirection'), details.get('activations'))
  })

  test('20 contacts are erased while messages to them are requested, sent and followed up', async () => {
    const addresses = Array.from({ length: 20 }, () => nameOf('many'))
    const contacts = await Promise.all(addresses.map((address) => stage.contact(address)))
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    const asking = contacts.map((contact) =>
      call('POST', `/actions/${action}/execution`, { body: { ...to(contact), data: { contact } } }),
    )
    const sending = Promise.all([stage.sendDue(), delay(5).then(() => stage.sendDue())])
    const erasing = contacts.map(async (contact, n) => {
      await delay(n)
      return erase(contact)
    })
    for (const { status } of await Promise.all(erasing)) assert.equal(status, 204)
    await Promise.all([...asking, sending])
    await stage.sendDue()
    await finish('later')
    assert.deepEqual(await findTraces({ db, dataDir, except: other.account }, addresses), [])
  })
})

suite('reports about an erased contact', () => {
  test('are recorded only as far as they do not identify the contact', async () => {
    const address = nameOf('reported')
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action({ content: { subject: 'Hello', html: HTML } }))
    const { id: stamp } = await ok('POST', `/actions/${action}/execution`, to(contact))
    await stage.settle()
    assert.equal((await erase(contact)).status, 204)
    const base = {
      account: own.account,
      channel: 'email',
      subject: parseActionId(action)!,
      contact: parseContactId(contact)!,
      stamp,
      thread: stamp,
      isTest: false,
      key: null,
    } as const
    const bounce = {
      time: 1,
      status: { type: 'async', code: { enhanced: '5.1.1' }, diagnostic: `no ${address}`, mta: 'mx.test' },
    }
    const complaint = {
      time: 1,
      feedback: {
        type: 'abuse',
        userAgent: 'fbl/1.0',
        version: '1',
        sourceIp: '198.51.100.7',
        reportedDomain: 'mail.test',
      },
      provider: 'mailbox.test',
      recipient: address,
    }
    const reply = { type: 'other', time: 1, text: `I am ${address}`, keyword: null, from: '+33601020304', to: '36111' }
    const place = { type: 'location', time: 1, classification: null, location: { latitude: 48.85, longitude: 2.35 } }
    const written = await appendEvents(db, [
      { ...base, kind: 'bounces', detail: { bounce } },
      { ...base, kind: 'complaints', detail: { complaint } },
      { ...base, kind: 'responses/other', channel: 'sms', detail: { reply } },
      { ...base, kind: 'interactions/location', channel: 'rcs', phone: '+33601020304', detail: { interaction: place } },
      {
        ...base,
        kind: 'interactions/redirection',
        channel: 'rcs',
        detail: { interaction: { ...place, type: 'redirection' } },
      },
      { ...base, kind: 'hits/open', detail: { link: { type: 'open' }, hit: { ip: null } } },
    ])
    assert.deepEqual(
      written.map((one) => one !== undefined),
      [true, true, true, true, false, false],
    )
    const reports = (await storedEvents(contact)).slice(2).map(({ detail: { activation, ...report } }) => report)
    assert.deepEqual(reports, [
      { bounce: { ...bounce, status: { ...bounce.status, diagnostic: '' } } },
      { complaint: { ...complaint, recipient: '', feedback: { ...complaint.feedback, userAgent: '', sourceIp: '' } } },
      { reply: { ...reply, text: '', from: '' } },
      { interaction: { ...place, location: {} } },
    ])
    const { rows } =
      await sql`select phone from events where contact = ${parseContactId(contact)!} and phone is not null`.execute(db)
    assert.deepEqual(rows, [])
  })
})
