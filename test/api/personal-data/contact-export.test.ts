import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { exportContact } from '../../../src/features/personal-data/export.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { app, call, clock, context, gateway, other, own } = stage

async function ok(method: string, url: string, body?: unknown) {
  const answer = await call(method, url, { ...(body !== undefined && { body }) })
  assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.text}`)
  return answer.body
}

suite('the export of a contact', () => {
  test("contains all of the contact's data, each part as in its own operation, and nothing of others", async () => {
    clock.set('2026-03-02T10:00:00.000Z')
    const address = 'ann@export.example'
    const contact = await stage.contact(address)
    const friend = await stage.contact('bob@export.example')
    const segment = await stage.segment([contact, friend], { expiration: '9999-12-31' })
    const action = await stage.validated(await stage.action())
    gateway.plan(address, { result: 'accepted' }, { result: 'refused' })
    for (let n = 0; n < 2; n++) {
      await ok(
        'POST',
        `/actions/${action}/executions`,
        [contact, friend].map((id) => ({ recipient: { type: 'id', value: id } })),
      )
      await stage.settle()
    }
    await ok('POST', `/targets/${contact}/redlist/mail`, { origin: 3, detail: { formId: '0000GH' } })
    await ok('POST', `/targets/${contact}/redlist/sms`, { origin: 1, timestamp: '2026-01-01T00:00:00.000Z' })
    await ok('DELETE', `/targets/${contact}/redlist/sms`, { reason: 'asked by phone' })
    // A hit of a machine, which lists of events leave out by default.
    await sql`
      insert into events (id, at, account, channel, kind, subject, contact, stamp, classification, detail)
      select uuidv7(), now(), account, channel, 'hits/open', subject, contact, stamp, 'genericrobot', '{"link":{"type":"open"}}'
      from events where account = ${own.account} and kind = 'activations' and contact = ${parseContactId(contact)!} limit 1`.execute(
      context.db,
    )

    const { status, headers, body } = await call('GET', `/targets/${contact.toLowerCase()}/export`)
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8'])
    const events = await ok('GET', `/targets/${contact}/events?classification=all`)
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['execution', 'activation', 'execution', 'activation', 'bounce', 'hit'],
    )
    const [{ bounces }] = await ok('GET', `/targets/bounces?query=contact:${contact}`)
    assert.equal(bounces.length, 1)
    assert.deepEqual(Object.keys(body), [
      'contact',
      'segments',
      'subscriptions',
      'redList',
      'bounces',
      'pressure',
      'events',
      'notifications',
      'archives',
      'runs',
      'webtaskRuns',
      'exportDate',
    ])
    assert.deepEqual(body, {
      contact: await ok('GET', `/targets/${contact}`),
      segments: await ok('GET', `/targets/${contact}/segments`),
      subscriptions: [],
      redList: {
        mail: { timestamp: '2026-03-02T10:00:00.000Z', origin: 3, detail: { formId: '0000GH' } },
        removals: [
          {
            channel: 'sms',
            timestamp: '2026-03-02T10:00:00.000Z',
            reason: 'asked by phone',
            key: 'test',
            entry: { timestamp: '2026-01-01T00:00:00.000Z', origin: 1, detail: {} },
          },
        ],
      },
      bounces,
      // The second one was refused, and does not count.
      pressure: [{ start: '2026-03-02T10:00:00.000Z', channel: 'email', purpose: 'marketing', topic: null, count: 1 }],
      events,
      notifications: [],
      archives: [],
      runs: [],
      webtaskRuns: [],
      exportDate: '2026-03-02T10:00:00.000Z',
    })
    assert.deepEqual(
      body.segments.map(({ id }: { id: number }) => id),
      [segment],
    )
  })

  test('has every part even for a contact without other data', async () => {
    const contact = await stage.contact('none@export.example')
    const { segments, subscriptions, redList, bounces, pressure, events, notifications, archives } = await ok(
      'GET',
      `/targets/${contact}/export`,
    )
    assert.deepEqual(
      { segments, subscriptions, redList, bounces, pressure, events, notifications, archives },
      {
        segments: [],
        subscriptions: [],
        redList: { removals: [] },
        bounces: [],
        pressure: [],
        events: [],
        notifications: [],
        archives: [],
      },
    )
  })

  test('is 404 for a foreign, deleted or invalid contact, and 403 without the right to read', async () => {
    const contact = await stage.contact('gone@export.example')
    const url = `/targets/${contact}/export`
    assert.equal((await call('GET', url, { key: other.key })).status, 404)
    assert.equal((await call('GET', url, { key: await stage.makeKey(own.account, ['write']) })).status, 403)
    await call('DELETE', `/targets/${contact}`)
    for (const path of [url, '/targets/0ZZZZZZZ/export', '/targets/not-an-id/export']) {
      const { status, body } = await call('GET', path)
      assert.deepEqual([status, body.title], [404, 'Not Found'])
    }
  })

  test('of 20,000 events begins at once and keeps only a small piece in memory', async () => {
    const contact = await stage.contact('many@export.example')
    await sql`
      insert into events (id, at, account, channel, kind, subject, contact, detail)
      select id, uuid_extract_timestamp(id), ${own.account}, 'email', 'hits/open', 1, ${parseContactId(contact)!},
        json_build_object('link', json_build_object('type', 'open'), 'filler', repeat('x', 900))
      from (select uuidv7(make_interval(secs => -n)) as id from generate_series(1, 20000) n) e`.execute(context.db)
    await stage.crossSomewhere()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const started = performance.now()
    const [answer] = (await once(
      get({ port, host: '127.0.0.1', path: `/targets/${contact}/export`, headers: { 'x-key': own.key } }),
      'response',
    )) as [IncomingMessage]
    const first = performance.now() - started
    let bytes = 0
    for await (const chunk of answer) bytes += chunk.length
    const whole = performance.now() - started
    assert.equal(answer.complete, true)
    assert.ok(first < whole / 2, `the answer began after ${first} ms of ${whole}`)

    let [longest, length, records] = [0, 0, 0]
    for await (const piece of exportContact(context, own.account, parseContactId(contact)!)) {
      longest = Math.max(longest, piece.length)
      length += piece.length
      records += piece.split('"type":"hit"').length - 1
    }
    assert.equal(records, 20_000)
    assert.ok(length > 20_000_000 && bytes > 20_000_000)
    assert.ok(longest < length / 10, `a piece of ${longest} characters`)
  })
})
