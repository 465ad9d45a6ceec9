import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { type Db, toJsonbText } from '../../../src/database/connection/connect.ts'
import { PublishedEventRecord } from '../../../src/features/events/event-schemas.ts'
import { eventListScopes, expandEventLists } from '../../../src/features/events/history/scopes.ts'
import { createHitEvent, type FollowedLink } from '../../../src/features/events/hits/hit.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { HitClassification, NewEvent } from '../../../src/features/events/record/new-event.ts'
import {
  type ChannelSend,
  createActivationEvent,
  createCancellationEvent,
  createExecutionEvent,
  createSyncBounceEvent,
} from '../../../src/features/events/record/record.ts'
import { purgeOldEvents } from '../../../src/features/events/retention.ts'
import { createUuidV7, formatActionId, formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { call, context, own, other, app, makeKey } = await startHarness()
const { db } = context

interface Record {
  id: string
  type: string
  timestamp: number
  source: { type: string; detail: { activation?: { kind: string }; link?: { type: string } } }
}

/** An action of an account, written straight into its table. */
async function makeAction(account: number, type: 'mailMessage' | 'smsMessage' = 'mailMessage'): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into actions (account, type, name, state, folder, category, settings, content, created_at, updated_at)
    select ${account}, ${type}, 'Any', 38, 1, id, '{}', '{}', now(), now() from categories where account = ${account} limit 1
    returning id`.execute(db)
  return rows[0]!.id
}

async function makeContact(account: number, address: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${account}, jsonb_build_object(id, ${address}::text), ${address}, lower(${address}), decode(md5(${address}), 'hex'), now(), now()
    from fields where account = ${account} limit 1 returning id`.execute(db)
  return rows[0]!.id
}

const address = 'ann@shop.test'
const contact = await makeContact(own.account, address)

function sendOf(action: number, more: Partial<ChannelSend> = {}): ChannelSend {
  const id = createUuidV7(Date.now())
  return {
    account: own.account,
    channel: 'email',
    sourceKind: 'action',
    source: action,
    kind: 'message',
    contact,
    footprint: { type: 'footprint', id: formatContactId(contact), unicity: address, hash: '0'.repeat(32) },
    field: 1,
    stamp: { time: Date.now(), id, thread: id, set: id },
    ...more,
  }
}

const accepted = { address, gateway: { name: 'mx1', message: '7F2C1A' } }

function hitOn(send: ChannelSend, link: FollowedLink, classification: HitClassification | null = null): NewEvent {
  const request = {
    time: Date.now() + 60_000,
    address: '203.0.113.77',
    userAgent: 'Mozilla/5.0 (X11; Linux)',
    visitor: null,
  }
  const message = { ...send, stamp: send.stamp.id }
  return createHitEvent(message, link, request, {
    verdict: { classification, early: null },
    addressDetail: 'truncated',
  })
}

/** One event of every kind that an email has. */
async function makeHistory(action: number): Promise<ChannelSend> {
  const send = sendOf(action)
  await appendEvents(db, [createExecutionEvent(send, { data: { cart: 3 } }), createActivationEvent(send, accepted)])
  for (const link of [
    { type: 'open' },
    { type: 'redirection', id: 1, name: null, url: 'https://shop.test/a' },
    { type: 'mirror', id: 2, name: null },
    { type: 'form', id: 3, name: 'survey', form: '0000GH' },
    { type: 'unsubscribe', via: 'page' },
  ] as const) {
    await appendEvents(db, [hitOn(send, link)])
  }
  return send
}

async function read(url: string): Promise<Record[]> {
  const answer = await call('GET', url)
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

async function kindsAt(url: string): Promise<string[]> {
  return (await read(url)).map(({ type, source }) => (source.detail.link ? `${type} ${source.detail.link.type}` : type))
}

let origin: Promise<string> | undefined

/** The address of the interface on a socket of its own, opened once. */
function listening(): Promise<string> {
  return (origin ??= app.listen({ port: 0, host: '127.0.0.1' }))
}

const action = await makeAction(own.account)
const wire = formatActionId(action)
await makeHistory(action)

suite('every event list', () => {
  test('answers on every path of the table with records that match the schema', async () => {
    const ids: { [subject: string]: string } = { action: wire, contact: formatContactId(contact) }
    const queries: { [subject: string]: string } = {
      contactQuery: `?id=${formatContactId(contact)}`,
      stamp: `?id=${createUuidV7(0)}`,
      phone: '?phone=%2B33601020304&agent=a',
    }
    for (const { path, scope } of eventListScopes.flatMap(expandEventLists)) {
      const id = ids[scope.subject]
      const { status, body } = await call('GET', path.replace(':id', id ?? '1') + (queries[scope.subject] ?? ''))
      assert.equal(status, path.includes(':id') && id === undefined ? 404 : 200, path)
      if (status === 200) for (const record of body) assert.ok(Value.Check(PublishedEventRecord, record), path)
    }
  })

  test('is 404 for subjects unknown or of another account on every suffix, and empty for those without events', async () => {
    const foreignAction = formatActionId(await makeAction(other.account))
    const foreignContact = formatContactId(await makeContact(other.account, 'eve@shop.test'))
    const unknown = { action: ['000ZZZ', foreignAction], contact: ['0000ZZZZ', foreignContact] }
    for (const subject of ['action', 'contact'] as const) {
      for (const { path } of eventListScopes.filter((scope) => scope.subject === subject).flatMap(expandEventLists)) {
        for (const id of unknown[subject]) assert.equal((await call('GET', path.replace(':id', id))).status, 404, path)
      }
    }
    const others = ['/channel/rcs/actions/999999', '/notifications/999999', '/display/campaign/x']
    for (const path of others) assert.equal((await call('GET', `${path}/events/activations`)).status, 404, path)
    assert.deepEqual(await read(`/actions/${formatActionId(await makeAction(own.account))}/events`), [])
    assert.deepEqual(
      await read(`/targets/${formatContactId(await makeContact(own.account, 'new@shop.test'))}/events`),
      [],
    )
  })

  test('contains nothing of another account', async () => {
    assert.deepEqual(await call('GET', '/actions/events', { key: other.key }).then(({ body }) => body), [])
  })

  test('requires the read right', async () => {
    const key = await makeKey(own.account, ['send'])
    assert.equal((await call('GET', '/actions/events', { key: null })).status, 401)
    for (const path of [
      '/actions/events',
      `/actions/${wire}/reactivities`,
      `/targets/${formatContactId(contact)}/events`,
    ]) {
      assert.equal((await call('GET', path, { key })).status, 403, path)
    }
  })

  test('is 404 on paths that the table does not have', async () => {
    for (const path of [
      '/notifications/events/impressions',
      `/targets/${formatContactId(contact)}/events/responses/stop`,
      `/targets/${formatContactId(contact)}/events/complaints`,
    ]) {
      assert.equal((await call('GET', path)).status, 404, path)
    }
    assert.equal((await call('GET', `/targets/events/complaints?id=${formatContactId(contact)}`)).status, 200)
  })
})

suite('suffixes of event lists', () => {
  test("/hits returns the five kinds of hit, and each kind's suffix only its own", async () => {
    const hits = ['hit open', 'hit redirection', 'hit mirror', 'hit form', 'hit unsubscribe']
    assert.deepEqual(await kindsAt(`/actions/${wire}/events/hits`), hits)
    for (const kind of hits) assert.deepEqual(await kindsAt(`/actions/${wire}/events/hits/${kind.slice(4)}`), [kind])
  })

  test('the root path returns everything in order of publication', async () => {
    assert.deepEqual((await kindsAt(`/actions/${wire}/events`)).slice(0, 3), ['execution', 'activation', 'hit open'])
  })

  test('a record has exactly the documented members', async () => {
    const other = await makeAction(own.account)
    const send = sendOf(other)
    const [written] = await appendEvents(db, [createActivationEvent(send, accepted)])
    const [record] = await read(`/actions/${formatActionId(other)}/events/activations`)
    assert.deepEqual(record, {
      type: 'activation',
      ...written,
      identity: { type: 'customer', agency: 'ACME', customer: '001' },
      source: {
        type: 'email',
        detail: {
          activation: {
            id: formatActionId(other),
            kind: 'message',
            receiver: send.footprint,
            stamp: send.stamp,
            recipient: address,
            field: 1,
            gateway: { name: 'mx1', message: '7F2C1A' },
          },
        },
      },
    })
    assert.equal(record?.id[14], '7')
    assert.equal(Number.parseInt(record?.id.replace('-', '').slice(0, 12) ?? '', 16), written?.timestamp)
  })
})

suite('order and period of event lists', () => {
  test('timestamps ascend, sort=desc is the exact reverse, and other values are refused', async () => {
    const rising = await read(`/actions/${wire}/events`)
    assert.deepEqual(
      rising.map(({ id }) => id),
      rising.map(({ id }) => id).toSorted(),
    )
    assert.deepEqual(await read(`/actions/${wire}/events?sort=desc`), rising.toReversed())
    assert.equal((await call('GET', `/actions/${wire}/events?sort=up`)).status, 400)
  })

  test('start is inclusive and end exclusive, as ISO dates or milliseconds', async () => {
    const all = await read(`/actions/${wire}/events`)
    const [, second, third] = all
    const bounds = `start=${second!.timestamp}&end=${third!.timestamp}`
    const dates = `start=${new Date(second!.timestamp).toISOString()}&end=${new Date(third!.timestamp).toISOString()}`
    assert.deepEqual(await read(`/actions/${wire}/events?${bounds}`), [second])
    assert.deepEqual(await read(`/actions/${wire}/events?${dates}`), [second])
    assert.deepEqual(await read(`/actions/${wire}/events?start=-62135596800000`), all)
    assert.deepEqual(await read(`/actions/${wire}/events?end=-62135596800000`), [])
    assert.equal((await call('GET', `/actions/${wire}/events?start=-62135596800001`)).status, 400)
    assert.equal((await call('GET', `/actions/${wire}/events?end=253402300800000`)).status, 400)
    assert.equal((await call('GET', `/actions/${wire}/events?start=2026-01-02&end=2026-01-01`)).status, 400)
    assert.equal((await call('GET', `/actions/${wire}/events?start=yesterday`)).status, 400)
  })

  test('pages follow one another without a gap in both orders', async () => {
    for (const sort of ['asc', 'desc']) {
      const whole = await read(`/actions/${wire}/events?sort=${sort}`)
      const paged: Record[] = []
      for (let next: string | undefined = `/actions/${wire}/events?sort=${sort}&limit=3`; next !== undefined; ) {
        const { body, headers } = await call('GET', next)
        paged.push(...body)
        next = /<(.+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1]
      }
      assert.deepEqual(paged, whole)
    }
    assert.equal((await call('GET', `/actions/${wire}/events?after=nothing`)).status, 400)
  })
})

suite('classification of hits', () => {
  test('humans are the default, any union is available, and unknown values are refused', async () => {
    const one = await makeAction(own.account)
    const send = sendOf(one)
    await appendEvents(db, [createActivationEvent(send, accepted)])
    await appendEvents(db, [hitOn(send, { type: 'open' }), hitOn(send, { type: 'open' }, 'mpp')])
    const path = `/actions/${formatActionId(one)}/events/hits/open`
    const count = async (query: string) => (await read(path + query)).length
    assert.equal(await count(''), 1)
    assert.equal(await count('?classification='), 1)
    assert.equal(await count('?classification=mpp'), 1)
    assert.equal(await count('?classifications=all'), 2)
    assert.equal(await count('?classification=none'), 1)
    assert.equal(await count('?classification=human,mpp'), 2)
    assert.equal(await count('?classification=human&classification=mpp'), 2)
    assert.equal(await count('?classification=gsr'), 0)
    assert.equal((await call('GET', `${path}?classification=robot`)).status, 400)
    assert.equal((await read(`/actions/${formatActionId(one)}/events`)).length, 2)
    assert.equal((await read(`/actions/${formatActionId(one)}/events?classification=mpp`)).length, 2)
    const reactivities = `/actions/${formatActionId(one)}/reactivities/hits`
    assert.equal((await read(reactivities)).length, 1)
    assert.equal((await read(`${reactivities}?classification=all`)).length, 2)
  })
})

suite('contacts in event lists', () => {
  test('are identified by exactly one of id, unicity and hash', async () => {
    const id = formatContactId(contact)
    const hash = (await call('GET', `/targets/${id}`)).body.hash
    const byPath = await read(`/targets/${id}/events`)
    assert.ok(byPath.length > 0)
    for (const query of [`id=${id}`, `unicity=${address}`, `hash=${hash}`]) {
      assert.deepEqual(await read(`/targets/events?${query}`), byPath, query)
    }
    for (const query of ['', `?id=${id}&hash=${hash}`, `?id=${id}&id=${id}`, '?id=']) {
      const { status, body } = await call('GET', `/targets/events${query}`)
      assert.equal(status, 400, query)
      assert.match(body.detail, /specify exactly one of id, unicity and hash/)
    }
    assert.equal((await call('GET', '/targets/events?unicity=nobody@shop.test')).status, 404)
  })
})

suite('RCS lists', () => {
  test('a request requires a uuid as either stamp or thread, not both', async () => {
    const path = '/channel/rcs/actions/events/stamp'
    const uuid = createUuidV7(0)
    for (const query of ['', `?id=${uuid}&thread=${uuid}`, '?id=7', `?id=${uuid}&id=${uuid}`]) {
      assert.equal((await call('GET', path + query)).status, 400, query)
    }
    assert.deepEqual(await read(`${path}?thread=${uuid.toUpperCase()}&start=nonsense`), [])
  })

  test('a lookup requires phone and agent, and refuses unknown types', async () => {
    const path = '/channel/rcs/actions/events/lookup'
    for (const query of [
      '?phone=%2B33601020304',
      '?agent=a',
      '?phone=x&agent=a',
      '?phone=%2B33601020304&agent=a&type=hits',
    ]) {
      assert.equal((await call('GET', path + query)).status, 400, query)
    }
    for (const phone of ['%2B33601020304', '0033601020304', '+33601020304']) {
      assert.deepEqual(await read(`${path}?phone=${phone}&agent=a&type=delivery`), [])
    }
  })
})

suite('the format of event lists', () => {
  test('NDJSON has one record per line', async () => {
    const headers = { accept: 'application/x-ndjson' }
    const get = (url: string) => app.inject({ url, headers: { ...headers, 'x-key': own.key } })
    const answer = await get(`/actions/${wire}/events`)
    assert.equal(answer.headers['content-type'], 'application/x-ndjson')
    const lines = answer.payload.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      await read(`/actions/${wire}/events`),
    )
    assert.equal((await get(`/actions/${wire}/events/complaints`)).payload, '')
  })

  test('a header states until when the list is complete', async () => {
    const startMs = Date.now()
    const { headers } = await call('GET', '/actions/events')
    const until = Number(headers['x-events-complete-until'])
    // A transaction has 20 s from its timestamp on, and its commit may take a moment more.
    assert.ok(until >= startMs - 25_001 && until <= Date.now() - 25_000, `${until - startMs} ms`)
  })

  test('the first bytes are sent while the database is still searching, and the answer is valid JSON', async () => {
    const origin = await listening()
    const response = await db.transaction().execute(async (tx) => {
      await sql`lock table events in access exclusive mode`.execute(tx)
      // The headers come with the first bytes.
      return fetch(`${origin}/actions/${wire}/events`, { headers: { 'x-key': own.key } })
    })
    const text = await response.text()
    assert.match(text, /^ +\[/)
    assert.deepEqual(JSON.parse(text), await read(`/actions/${wire}/events`))
  })

  test('a failure during the answer never produces valid JSON', async () => {
    const many = await makeAction(own.account)
    const [written] = await appendEvents(db, [createActivationEvent(sendOf(many), accepted)])
    await sql`
      insert into events (id, at, account, channel, kind, subject, detail)
      select n.id, uuid_extract_timestamp(n.id), account, channel, kind, subject, detail
      from events e cross join (select uuidv7() as id from generate_series(1, 40000)) n
      where e.id = ${written?.id}`.execute(db)
    const origin = await listening()
    const response = await fetch(`${origin}/actions/${formatActionId(many)}/events`, { headers: { 'x-key': own.key } })
    await sql`alter table events rename to elsewhere`.execute(db)
    const reading = response.text()
    await assert.rejects(reading)
    await sql`alter table elsewhere rename to events`.execute(db)
    assert.equal((await read(`/actions/${formatActionId(many)}/events`)).length, 40_001)
  })
})

suite('the visibility of events', () => {
  test('a deleted action keeps its history', async () => {
    const gone = await makeAction(own.account)
    await appendEvents(db, [createActivationEvent(sendOf(gone), accepted)])
    await db.updateTable('actions').set({ deleted_at: new Date() }).where('id', '=', gone).execute()
    assert.equal((await read(`/actions/${formatActionId(gone)}/events`)).length, 1)
  })

  test("events past the account's retention are hidden", async () => {
    const old = await makeAction(own.account)
    const [written] = await appendEvents(db, [createActivationEvent(sendOf(old), accepted)])
    await sql`select make_event_partitions(now() - interval '3 months', 3)`.execute(db)
    await sql`update events set at = at - interval '1 month' - interval '1 day' where id = ${written?.id}`.execute(db)
    const settings = (months: number) =>
      db
        .updateTable('accounts')
        .set({ settings: toJsonbText({ events: { retentionMonths: months } }) })
        .where('id', '=', own.account)
        .execute()
    assert.equal((await read(`/actions/${formatActionId(old)}/events`)).length, 1)
    await settings(1)
    assert.equal((await read(`/actions/${formatActionId(old)}/events`)).length, 0)
    await settings(25)
    assert.equal((await read(`/actions/${formatActionId(old)}/events`)).length, 1)
    await settings(1)
    await purgeOldEvents(db)
    await settings(25)
    assert.equal((await read(`/actions/${formatActionId(old)}/events`)).length, 0)
  })

  test('months that no account retains are deleted whole, and natural keys after 40 days', async () => {
    await sql`select make_event_partitions(now() - interval '27 months', 1)`.execute(db)
    await sql`insert into event_keys values (gen_random_uuid(), now() - interval '41 days')`.execute(db)
    await purgeOldEvents(db)
    const { rows } = await sql<{ months: number; keys: number }>`
      select count(*) filter (where relname <= events_partition(now() - interval '26 months')) as months,
        (select count(*) from event_keys where written_at < now() - interval '40 days') as keys
      from pg_inherits join pg_class on oid = inhrelid where inhparent = 'events'::regclass`.execute(db)
    assert.deepEqual(rows, [{ months: 0, keys: 0 }])
  })

  test('a cancellation of a campaign includes the minimal execution', async () => {
    const campaign = await makeAction(own.account)
    const send = sendOf(campaign, { kind: 'campaign' })
    await appendEvents(db, [createCancellationEvent(send, { type: 'redlist', value: { channel: 'mail' } })])
    const [record] = await read(`/actions/${formatActionId(campaign)}/events/cancellations`)
    assert.deepEqual(record?.source.detail, {
      execution: { id: formatActionId(campaign), kind: 'campaign', recipient: send.footprint, stamp: send.stamp },
      cancellation: { type: 'redlist', value: { channel: 'mail' } },
    })
  })
})

suite('the writing of events', () => {
  test('an activation precedes its bounce, which embeds it', async () => {
    const one = await makeAction(own.account)
    const send = sendOf(one)
    const analysis = {
      enhanced: '5.1.1',
      reply: 550,
      subject: { type: 'address' },
      verdict: 'hard',
      rule: 'user-unknown',
    } as const
    const refusal = {
      time: Date.now(),
      diagnostic: '550 5.1.1 no \0such user \ud800',
      mta: 'mx.shop.test',
      address,
      analysis,
    }
    await appendEvents(db, [createActivationEvent(send, accepted), createSyncBounceEvent(send, refusal)])
    const [first, second] = await read(`/actions/${formatActionId(one)}/events`)
    assert.deepEqual([first?.type, second?.type], ['activation', 'bounce'])
    assert.ok(first!.timestamp < second!.timestamp && first!.id < second!.id)
    assert.deepEqual(second?.source.detail.activation, first?.source.detail.activation)
    assert.equal((await read(`/actions/${formatActionId(one)}/reactivities/bounces`)).length, 1)
  })

  test('an event with a natural key is stored once under concurrency, while a plain hit is stored each time', async () => {
    const one = await makeAction(own.account)
    const send = sendOf(one)
    const events = [
      createActivationEvent(send, accepted),
      hitOn(send, { type: 'unsubscribe', via: 'one-click' }),
      hitOn(send, { type: 'open' }),
    ]
    const answers = await Promise.all(Array.from({ length: 8 }, () => appendEvents(db, events)))
    for (const place of [0, 1]) assert.equal(answers.filter((written) => written[place] !== undefined).length, 1)
    assert.deepEqual((await kindsAt(`/actions/${formatActionId(one)}/events/hits`)).toSorted(), [
      ...Array.from({ length: 8 }, () => 'hit open'),
      'hit unsubscribe',
    ])
    assert.deepEqual(
      await appendEvents(db, [createActivationEvent(send, accepted), createActivationEvent(send, accepted)]),
      [undefined, undefined],
    )
  })

  test('a hit without a stored activation carries the data of its token', async () => {
    const one = await makeAction(own.account)
    const send = sendOf(one)
    await appendEvents(db, [hitOn(send, { type: 'open' })])
    const [record] = await read(`/actions/${formatActionId(one)}/events`)
    assert.deepEqual(record?.source.detail.activation, {
      id: formatActionId(one),
      kind: 'message',
      receiver: { type: 'id', value: formatContactId(contact) },
      stamp: { id: send.stamp.id },
    })
    assert.deepEqual(await read(`/actions/${formatActionId(one)}/reactivities`), [])
  })

  test('a hit of an erased contact is not stored', async () => {
    const one = await makeAction(own.account)
    const erased = contact + 1_000_000
    await sql`insert into erased_contacts (account, contact) values (${own.account}, ${erased})`.execute(db)
    const send = sendOf(one, { contact: erased })
    await appendEvents(db, [createActivationEvent(send, accepted)])
    assert.deepEqual(await appendEvents(db, [hitOn(send, { type: 'open' })]), [undefined])
  })

  test('a missing partition is created on demand', async () => {
    const { rows } = await sql<{ name: string }>`select events_partition(now()) as name`.execute(db)
    await sql`alter table ${sql.table(rows[0]!.name)} rename to elsewhere`.execute(db)
    await sql`alter table events detach partition elsewhere`.execute(db)
    const one = await makeAction(own.account)
    const writers = Array.from({ length: 5 }, () => appendEvents(db, [createActivationEvent(sendOf(one), accepted)]))
    assert.ok((await Promise.all(writers)).every(([written]) => written !== undefined))
    assert.equal((await read(`/actions/${formatActionId(one)}/events`)).length, 5)
  })

  test('a writing transaction is ended after 20 s, so that a poller 20 s behind misses nothing', async () => {
    const { rows } = await db.transaction().execute(async (tx) => {
      await appendEvents(tx, [createActivationEvent(sendOf(action), accepted)])
      return sql<{ limit: string }>`select current_setting('transaction_timeout') as limit`.execute(tx)
    })
    assert.deepEqual(rows, [{ limit: '20s' }])
    const { rows: later } = await sql<{
      limit: string
    }>`select current_setting('transaction_timeout') as limit`.execute(db)
    assert.deepEqual(later, [{ limit: '0' }])
  })

  test('a reader behind 1,000 concurrent writers sees every event exactly once', async (t) => {
    const one = await makeAction(own.account)
    const path = `/actions/${formatActionId(one)}/events`
    const written: string[] = []
    const seen: string[] = []
    let isWriting = true
    const write = async (tx: Db): Promise<void> => {
      const events = await appendEvents(tx, [createActivationEvent(sendOf(one), accepted)])
      written.push(...events.map((event) => event?.id ?? ''))
    }
    const { promise: firstRead, resolve: isRead } = Promise.withResolvers<void>()
    const writing = Promise.all(
      Array.from({ length: 1000 }, async (_, n) => {
        await write(db)
        // The second time they write beside the reader; and some have not committed yet when many later ones have.
        await firstRead
        if (n % 100 > 0) return write(db)
        return db.transaction().execute(async (tx) => {
          await write(tx)
          await sql`select pg_sleep(0.3)`.execute(tx)
        })
      }),
    ).finally(() => {
      isWriting = false
    })
    let cursor = 0
    await eventually(async () => {
      // No transaction here takes 5 s, so these stand for the 30 s of transactions that take 20.
      const until = Date.now() - 5000
      if (until > cursor) seen.push(...(await read(`${path}?start=${cursor}&end=${until}`)).map(({ id }) => id))
      if (seen.length > 0) isRead()
      cursor = Math.max(cursor, until)
      return !isWriting
    }, t.signal)
    await writing
    seen.push(...(await read(`${path}?start=${cursor}`)).map(({ id }) => id))
    assert.equal(written.length, 2000)
    assert.deepEqual(seen, written.toSorted())
  })
})

suite('the settings of events', () => {
  test('have defaults, retain omitted members, and refuse values out of range', async () => {
    const defaults = { ip: 'truncated', retentionMonths: 25, stopWords: [], displayIdentity: 'none' }
    const key = other.key
    assert.deepEqual((await call('GET', '/settings/events', { key })).body, defaults)
    const changed = await call('PUT', '/settings/events', { key, body: { ip: 'none', stopWords: ['HALT'] } })
    assert.deepEqual(changed.body, { ...defaults, ip: 'none', stopWords: ['HALT'] })
    for (const body of [{ ip: 'some' }, { retentionMonths: 0 }, { retentionMonths: 121 }]) {
      assert.equal((await call('PUT', '/settings/events', { key, body })).status, 400)
    }
    assert.deepEqual((await call('GET', '/settings/events', { key })).body, changed.body)
  })
})
