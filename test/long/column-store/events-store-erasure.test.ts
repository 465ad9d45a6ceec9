import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { clickHouseSql, rawClickHouseSql } from '../../../src/features/events/columnar/sql.ts'
import { eventStoreTableNames } from '../../../src/features/events/columnar/tables.ts'
import { purgeOldEvents } from '../../../src/features/events/retention.ts'
import { finishContactErasure } from '../../../src/features/personal-data/erase.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { engineIsMissing } from '../../fakes/column-store/columnar-engine.ts'
import { CROSSING, startCrossing } from '../../support/crossing.ts'
import type { TestAccount } from '../../support/harness.ts'
import { type Stage, startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const skip = (await engineIsMissing()) ?? false
// This file has a store of its own.
delete process.env[CROSSING]

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event.
type AnyEvent = any

const NAME = 'Xochipilli'
const PHONE = '+33699887766'

/** A stage whose history is in a store that keeps texts as they are, so that its files can be searched. */
async function start() {
  const stage = await startStage()
  const crossing = await startCrossing(stage.context)
  for (const table of eventStoreTableNames) {
    for (const column of ['detail String', 'phone String', 'title Nullable(String)'])
      await command(`alter table ${table} modify column ${column} codec(NONE)`)
    await command(`alter table ${table} modify setting old_parts_lifetime = 1`)
  }
  async function command(statement: string): Promise<void> {
    await crossing.store.command({ account: null, statement: rawClickHouseSql(statement) })
  }
  return { stage, crossing }
}

const { stage, crossing } = skip === false ? await start() : ({} as Awaited<ReturnType<typeof start>>)

/** Which of some texts are in files of the store. */
async function inFiles(texts: readonly string[]): Promise<string[]> {
  const { directory } = crossing.engine
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found = new Set<string>()
  for (const entry of entries.filter((one) => one.isFile())) {
    // A part may go while its files are read.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    for (const text of texts) if (bytes.includes(text)) found.add(text)
  }
  return texts.filter((text) => found.has(text))
}

async function count(sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await stage.context.pool.query(`select count(*)::integer as n from ${sql}`, values)
  return rows[0].n
}

async function storedRows(where = 'true'): Promise<number> {
  const statement = clickHouseSql`select count() as n from events_by_time where ${rawClickHouseSql(where)}`
  return (await crossing.store.rows<{ n: number }>({ account: null, statement }))[0]!.n
}

async function events(action: string): Promise<AnyEvent[]> {
  const { status, body, text } = await stage.call('GET', `/actions/${action}/events?classification=all`)
  assert.equal(status, 200, text)
  return body
}

function erase(contact: string, key = stage.own.key) {
  // Jobs are due by the database's clock.
  stage.clock.set(Date.now())
  return stage.call('DELETE', `/targets/${contact}?erase=true`, { key })
}

/** Runs what an erasure has left to do: at once, or all of it that waits for its time. */
async function finish(when: 'now' | 'later'): Promise<void> {
  const { context } = stage
  if (when === 'later')
    await context.pool.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  await runDueJobs(context.pool, context.log, { 'contacts.erase': (payload) => finishContactErasure(context, payload) })
}

/** Puts all events into the store, and takes them out of the database, as months are that are dropped. */
async function dropAll(): Promise<void> {
  await crossing.cross()
  await stage.context.pool.query('delete from events')
}

const to = (id: string) => ({ recipient: { type: 'id', value: id } })

async function execute({ call }: Stage, action: string, body: object): Promise<void> {
  const answer = await call('POST', `/actions/${action}/execution`, { body })
  assert.equal(answer.status, 200, answer.text)
  await stage.settle()
}

/** An RCS event of a contact, as it is stored. */
async function addRcs({ account }: TestAccount, contact: number | null, phone: string): Promise<string> {
  const id = createUuidV7(Date.now())
  await stage.context.pool.query(
    `insert into events (id, at, account, channel, kind, subject, contact, stamp, phone, agent, title, detail)
    values ($1, uuid_extract_timestamp($1), $2, 'rcs', 'activations', 1, $3, $4, $5::text, 'agent', $6::text,
      json_build_object('activation', json_build_object('recipient', $5::text, 'data', json_build_object('n', $6::text))))`,
    [id, account, contact, randomUUID(), phone, NAME],
  )
  return id
}

/** A contact with events in the store alone, and others that are here too, and another who was sent its proof. */
async function lived(address: string, phone: string) {
  const contact = await stage.contact(address)
  const [friend, tester] = [await stage.contact(`friend-of-${address}`), await stage.contact(`tester-of-${address}`)]
  const action = await stage.action()
  const validation = {
    fortest: true,
    testSegments: [await stage.segment([tester], { isTest: true })],
    mediaForTest: address,
  }
  assert.equal((await stage.call('POST', `/actions/${action}/validation`, { body: validation })).status, 204)
  await eventually(async () => {
    stage.clock.set(Date.now())
    await stage.settle()
    return (await stage.call('POST', `/actions/${action}/validation`, { body: { fortest: false } })).status === 204
  })
  for (const one of [contact, friend]) await execute(stage, action, { ...to(one), data: { name: NAME } })
  await addRcs(stage.own, parseContactId(contact)!, phone)
  await addRcs(stage.other, parseContactId(contact)!, '+33600000000')
  await dropAll()
  await execute(stage, action, { ...to(contact), data: { name: NAME } })
  // It was of nobody when it was copied.
  const late = await addRcs(stage.own, null, phone)
  await crossing.cross()
  await stage.context.pool.query('update events set contact = $2 where id = $1', [late, parseContactId(contact)!])
  await crossing.cross()
  return { contact, friend, action }
}

suite('erasure in the event store', { skip }, () => {
  test("hides a contact's data once the store is back, and later removes it from every file", async () => {
    const [address, phone] = ['quetzal@erased.example', PHONE]
    const { contact, friend, action } = await lived(address, phone)
    const before = await events(action)
    const all = await storedRows()
    assert.deepEqual(await inFiles([address, phone]), [address, phone])
    assert.ok(before.some(({ source }) => JSON.stringify(source).includes(address)))
    const own = (list: AnyEvent[], id: string) =>
      list.filter(({ source }) => JSON.stringify(source).includes(`"${id}"`))
    const ids = (list: AnyEvent[]) => list.map(({ id, type, timestamp }) => ({ id, type, timestamp }))

    await crossing.engine.pause('refuse')
    assert.equal((await erase(contact)).status, 204)
    await finish('now')
    assert.equal(await count('event_erasures'), 2)
    await crossing.engine.resume()

    const hidden = await events(action)
    assert.deepEqual(ids(hidden), ids(before))
    assert.ok(!JSON.stringify(own(hidden, contact)).includes(address))
    assert.ok(!JSON.stringify(hidden).replaceAll(`-of-${address}`, '').includes(address))
    assert.deepEqual(await inFiles([address, phone]), [address, phone])
    const found = await stage.call('GET', `/channel/rcs/actions/events?classification=all`)
    assert.ok(!found.text.includes(phone))

    await finish('later')
    assert.equal(await count('event_erasures'), 0)
    assert.deepEqual(await inFiles([phone]), [])
    const after = await events(action)
    assert.deepEqual(ids(after), ids(before))
    assert.equal(await storedRows(), all)
    assert.deepEqual(own(after, friend), own(before, friend))
    for (const { source } of own(after, contact)) {
      const { activation, execution } = source.detail
      assert.deepEqual(activation?.receiver ?? execution.recipient, {
        type: 'footprint',
        id: contact,
        unicity: '',
        hash: '',
      })
    }
    // The address is part of those of the others, which stay.
    assert.ok(!JSON.stringify(after).replaceAll(`-of-${address}`, '').includes(address))
    const theirs = `account = ${stage.other.account} and contact = ${parseContactId(contact)} and position(detail, '+33600000000') > 0`
    assert.equal(await storedRows(theirs), 1, 'another account has what it had, of a contact with the same number')
  })

  for (const lost of [
    'insert into events_inbox',
    'alter table events_by_time delete',
    'alter table events_by_phone delete',
  ]) {
    test(`continues after the answer to ${lost} is lost`, async () => {
      const [address, phone] = [`lost${lost.length}@erased.example`, `+3360000${1000 + lost.length}`]
      const { contact } = await lived(address, phone)
      assert.equal((await erase(contact)).status, 204)
      await crossing.engine.loseAnswer(lost)
      await finish('now')
      assert.equal(await count('event_erasures'), 2)
      await finish('later')
      assert.equal(await count('event_erasures'), 0)
      assert.deepEqual(await inFiles([phone, `"${address}"`]), [])
    })
  }

  test('works for a long-deleted contact, returns 404 to other accounts and 503 while the store is away', async () => {
    const address = 'gone@erased.example'
    const contact = await stage.contact(address)
    const action = await stage.validated(await stage.action())
    await execute(stage, action, to(contact))
    await dropAll()
    assert.equal((await stage.call('DELETE', `/targets/${contact}`)).status, 204)
    const { pool } = stage.context
    await pool.query('delete from sent_messages where contact = $1', [parseContactId(contact)])
    assert.equal((await erase(contact, stage.other.key)).status, 404)
    await crossing.engine.pause('refuse')
    const away = await erase(contact)
    assert.deepEqual([away.status, away.body.type], [503, 'urn:stentor:problem:event-history-away'])
    await crossing.engine.resume()
    assert.equal((await erase(contact)).status, 204)
    await finish('later')
    assert.deepEqual(await inFiles([address]), [])
    assert.equal((await erase(contact)).status, 204)
    await finish('later')
  })

  test('empties activations retained for later reactions', async () => {
    const contact = await stage.contact('kept@erased.example')
    const { pool } = stage.context
    const activation = {
      receiver: { type: 'footprint', id: contact, unicity: 'kept@erased.example', hash: 'x' },
      recipient: PHONE,
    }
    await pool.query(
      `insert into kept_activations (id, at, account, channel, contact, stamp, phone, title, is_test, depth, activation)
      values (uuidv7(), now(), $1, 'rcs', $2, gen_random_uuid(), $3, 'Hello', false, 0, $4)`,
      [stage.own.account, parseContactId(contact), PHONE, activation],
    )
    assert.equal((await erase(contact)).status, 204)
    const { rows } = await pool.query('select phone, title, activation from kept_activations where contact = $1', [
      parseContactId(contact),
    ])
    const receiver = { type: 'footprint', id: contact, unicity: '', hash: '' }
    assert.deepEqual(rows, [{ phone: null, title: null, activation: { receiver, recipient: '' } }])
    await finish('later')
  })
})

suite('retention in the event store', { skip }, () => {
  test('removes months that no account retains, and older events of accounts with a shorter retention', async () => {
    const { pool, db } = stage.context
    const months = [30, 30, 3, 3, 0, 0]
    const stamps = months.map(() => randomUUID())
    await pool.query(`select make_event_partitions(now() - interval '31 months', 31)`)
    await pool.query(
      `insert into events (id, at, account, channel, kind, subject, stamp, detail)
      select uuidv7(make_interval(months => -m)), now() - make_interval(months => m), case when n % 2 = 1 then $1::integer else $2::integer end,
        'email', 'activations', 1, s, '{"activation":{}}'
      from unnest($3::integer[], $4::uuid[]) with ordinality u (m, s, n)`,
      [stage.own.account, stage.other.account, months, stamps],
    )
    // They are older than those that were copied before.
    await pool.query('update event_store set copied_id = null')
    await crossing.cross()
    const left = async () => {
      const statement = clickHouseSql`select count() as n, account from events_by_stamp
        where stamp in (${rawClickHouseSql(stamps.map((stamp) => `toUUID('${stamp}')`).join(','))}) group by account order by account`
      return (await crossing.store.rows<{ n: number }>({ account: null, statement })).map(({ n }) => n)
    }
    assert.deepEqual(await left(), [3, 3])
    const settings = JSON.stringify({ events: { retentionMonths: 1 } })
    await pool.query('update accounts set settings = $2 where id = $1', [stage.other.account, settings])
    const here = () => count('events where account = $1 and stamp = any($2::uuid[])', [stage.other.account, stamps])

    await crossing.engine.pause('refuse')
    await purgeOldEvents(db)
    await crossing.engine.resume()
    assert.deepEqual(await left(), [3, 3])
    assert.equal(await here(), 2, 'what the store has still is here too, unless no account keeps its month')

    await purgeOldEvents(db)
    assert.deepEqual(await left(), [2, 1])
    assert.equal(await here(), 1)
    await crossing.cross()
    assert.deepEqual(await left(), [2, 1], 'nothing comes back')
  })

  test('retained activations are deleted after 14 months, or with the events of an account with a shorter retention', async () => {
    const { pool, db } = stage.context
    await pool.query('delete from kept_activations')
    await pool.query(`create table kept_activations_2020_01 partition of kept_activations
      for values from ('2020-01-01') to ('2020-02-01')`)
    await pool.query(
      `insert into kept_activations (id, at, account, channel, is_test, depth)
      select uuidv7(), at, account, 'email', false, 0
      from unnest(array['2020-01-05', now() - interval '15 months', now() - interval '2 months']::timestamptz[]) at,
        unnest(array[$1, $2]::integer[]) account`,
      [stage.own.account, stage.other.account],
    )
    await purgeOldEvents(db)
    const { rows } = await pool.query(
      "select account, at > now() - interval '3 months' as recent from kept_activations",
    )
    assert.deepEqual(rows, [{ account: stage.own.account, recent: true }])
    assert.equal(await count(`pg_class where relname = 'kept_activations_2020_01'`), 0)
  })
})
