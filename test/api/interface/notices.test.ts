import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { updateContact } from '../../../src/features/contacts/records/contact-writes.ts'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import type { EventEffect, NewEvent } from '../../../src/features/events/record/new-event.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { readListenedTypes, replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import { type NoticeType, noticeTypes, setNoticeCause, writeNotices } from '../../../src/features/notices/notices.ts'
import { readNotices } from '../../../src/features/notices/reading.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, makeAccount, other } = await startHarness()
const { db } = context
const DAY = 24 * 3600 * 1000

let accounts = 0

async function newAccount(...types: NoticeType[]) {
  const { account, key } = await makeAccount(`T${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(method, url, { body, headers, key })
  const email: number = (await ask('GET', '/fields')).body[0].id
  const spent: number = (await ask('POST', '/fields', { type: 'numeric', name: 'Spent' })).body.id
  const segment = async (): Promise<number> =>
    (await ask('POST', '/segments', { type: 'static', name: crypto.randomUUID() })).body.id
  const contact = async (name: string): Promise<string> =>
    (await ask('PUT', '/targets', { Email: `${name}@example.org` })).body.id
  await replaceListenedTypes(db, account, 'webhook 1', types)
  /** The notices since the last call. */
  let last: string | undefined
  const noticed = async () => {
    const notices = await readNotices(db, account, last, 1000)
    last = notices.at(-1)?.id ?? last
    return notices.map(({ type, contact, data }) => ({ type, contact, data }))
  }
  return { account, key, ask, email, spent, segment, contact, noticed }
}

suite('change notices', () => {
  test('are written for contacts created, updated (with the fields) and deleted', async () => {
    const { ask, email, spent, noticed } = await newAccount(...noticeTypes)
    const { id } = (await ask('POST', '/targets', { Email: 'a@example.org' })).body
    assert.deepEqual(await noticed(), [{ type: 'target.created', contact: id, data: {} }])
    await ask('PUT', `/targets/${id}`, { Spent: 1, Email: 'b@example.org' })
    assert.deepEqual(await noticed(), [{ type: 'target.updated', contact: id, data: { fields: [email, spent] } }])
    await ask('PUT', `/targets/${id}`, { Spent: 1 })
    assert.deepEqual(await noticed(), [])
    await ask('DELETE', `/targets/${id}`)
    assert.deepEqual(await noticed(), [{ type: 'target.deleted', contact: id, data: {} }])
  })

  test('are written for every row of a bulk upsert and every contact of a selection', async () => {
    const { ask, contact, spent, noticed } = await newAccount('target.created', 'target.updated', 'target.deleted')
    const a = await contact('a')
    await noticed()
    const rows = [{ Email: 'a@example.org', Spent: 1 }, { Email: 'b@example.org', Spent: 1 }, { Spent: 1 }]
    const b = (await ask('PUT', '/targets', rows)).body[1].contact.id
    const updated = (id: string) => ({ type: 'target.updated', contact: id, data: { fields: [spent] } })
    assert.deepEqual(await noticed(), [updated(a), { type: 'target.created', contact: b, data: {} }])
    await ask('PUT', '/targets', { type: 'id', value: [a, b], fields: { Spent: 2 } })
    assert.deepEqual(await noticed(), [updated(a), updated(b)])
    await ask('DELETE', '/targets', { type: 'id', value: [a, b] })
    assert.deepEqual(
      (await noticed()).map(({ type, contact }) => [type, contact]),
      [
        ['target.deleted', a],
        ['target.deleted', b],
      ],
    )
  })

  test("are written for an import's contacts and its end while there is a listener", async () => {
    const { ask, contact, spent, segment, noticed } = await newAccount(...noticeTypes)
    const [known, leaving] = [await contact('a'), await contact('z')]
    const into = await segment()
    await ask('PUT', `/segments/${into}/targets`, [leaving])
    await noticed()
    const run = async (features: object[], text: string) => {
      const { id } = (await ask('POST', '/imports', { name: 'x', features })).body
      const type = { 'content-type': 'text/csv' }
      const execution = (await ask('POST', `/imports/${id}/executions`, text, type)).body.id
      await runImport(context, { execution })
      return { import: id, execution }
    }
    const joining = { type: 'segmentation', segmentId: into, emptyExisitingSegment: false }
    const listing = { type: 'redList', destination: { mail: true, sms: false } }
    const first = await run([joining, listing], 'Email;Spent\na@example.org;5\nb@example.org;6\n')
    const b = (await ask('GET', '/targets?unicity=b@example.org')).body.id
    const heard = await noticed()
    const of = (id: string) =>
      heard.filter((notice) => notice.contact === id).sort((x, y) => (x.type < y.type ? -1 : 1))
    assert.deepEqual(of(known), [
      { type: 'segment.entered', contact: known, data: { segment: into } },
      { type: 'target.redlisted', contact: known, data: { channels: ['mail'], origin: 2 } },
      { type: 'target.updated', contact: known, data: { fields: [spent] } },
    ])
    assert.deepEqual(
      of(b)
        .map(({ type }) => type)
        .sort(),
      ['segment.entered', 'target.created', 'target.redlisted'],
    )
    const counts = { created: 1, updated: 1, rejected: 0, duplicates: 0, skipped: 0 }
    const end = { type: 'import.completed', contact: null, data: { ...first, state: 1, ...counts } }
    assert.deepEqual(heard.at(-1), end)
    assert.equal(heard.length, 7)
    await run([{ ...joining, emptyExisitingSegment: true }], 'Email\nb@example.org\n')
    const moved = (await noticed()).filter(({ type }) => type.startsWith('segment.'))
    assert.deepEqual(
      moved.map(({ type, contact }) => `${type} ${contact}`).sort(),
      [`segment.left ${known}`, `segment.left ${leaving}`].sort(),
    )
  })

  test('are written once per red list entry with the channel, also when an entry returns', async () => {
    const { ask, contact, noticed } = await newAccount('target.redlisted')
    const id = await contact('a')
    const listed = (contact: string, channel: string, origin: number) => ({
      type: 'target.redlisted',
      contact,
      data: { channels: [channel], origin },
    })
    await ask('POST', `/targets/${id}/redlist/mail`, { origin: 4 })
    await ask('POST', `/targets/${id}/redlist/mail`, { origin: 5 })
    await ask('POST', `/targets/${id}/redlist/sms`)
    assert.deepEqual(await noticed(), [listed(id, 'mail', 4), listed(id, 'sms', 1)])
    assert.equal((await ask('POST', '/targets/ZZZZZZZZ/redlist/sms')).status, 404)
    await ask('DELETE', `/targets/${id}`)
    const again = await contact('a')
    assert.deepEqual(await noticed(), [listed(again, 'mail', 5)])
  })

  test('are written for bounces with the field, but not for validated addresses', async () => {
    const { ask, contact, email, noticed } = await newAccount('target.bounced')
    const id = await contact('a')
    await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 'hardDomain' })
    await ask('PUT', `/targets/${id}/bounces/${email}`, { type: 'validated' })
    assert.deepEqual(await noticed(), [
      { type: 'target.bounced', contact: id, data: { field: email, type: 'hardDomain' } },
    ])
  })

  test("are written for effects of events on contacts, in the event's transaction", async () => {
    const { account, contact, email, noticed } = await newAccount('target.bounced', 'target.redlisted')
    const id = await contact('a')
    const number = Number.parseInt(id, 36)
    const event = (effect: EventEffect): NewEvent => ({
      account,
      channel: 'email',
      kind: 'complaints',
      subject: null,
      contact: number,
      stamp: null,
      thread: null,
      isTest: false,
      key: null,
      detail: { complaint: { feedback: { type: 'abuse' } } },
      effect,
    })
    const at = new Date()
    const flag = { type: 'flag', contact: number, field: email, address: 'a@example.org', at, reason: '' } as const
    const listing = { type: 'redList', contact: number, channel: 'mail', at, origin: 5, detail: {} } as const
    await recordEvents(db, [event({ ...flag, code: 6 }), event(listing)])
    assert.deepEqual(await noticed(), [
      { type: 'target.bounced', contact: id, data: { field: email, type: 'reportAsSpam' } },
      { type: 'target.redlisted', contact: id, data: { channels: ['mail'], origin: 5 } },
    ])
    await recordEvents(db, [event({ ...flag, code: 4 })])
    assert.deepEqual(await noticed(), [])
  })

  test('are written when memberships begin and end', async () => {
    const { ask, contact, segment, noticed } = await newAccount('segment.entered', 'segment.left')
    const [a, b, c] = [await contact('a'), await contact('b'), await contact('c')]
    const id = await segment()
    const entered = (contact: string) => ({ type: 'segment.entered', contact, data: { segment: id } })
    const left = (contact: string) => ({ type: 'segment.left', contact, data: { segment: id } })
    await ask('POST', `/targets/${a}/segments/${id}`)
    await ask('POST', `/targets/${a}/segments/${id}`)
    assert.deepEqual(await noticed(), [entered(a)])
    assert.equal((await ask('PUT', `/segments/${id}/targets`, [a, b, 'c@example.org'])).body, 2)
    assert.deepEqual(await noticed(), [entered(b), entered(c)])
    await ask('DELETE', `/targets/${a}/segments/${id}`)
    await ask('DELETE', `/targets/${a}/segments/${id}`)
    assert.deepEqual(await noticed(), [left(a)])
    await ask('DELETE', `/segments/${id}/targets`, [a, b])
    assert.deepEqual(await noticed(), [left(b)])
    await ask('DELETE', `/segments/${id}/targets`)
    assert.deepEqual(await noticed(), [left(c)])
  })

  test('are not written while their type has no listener', async () => {
    const { account, ask, contact, segment, noticed } = await newAccount('target.deleted')
    const id = await contact('a')
    await ask('PUT', `/targets/${id}`, { Spent: 1 })
    await ask('POST', `/targets/${id}/redlist/mail`)
    await ask('POST', `/targets/${id}/segments/${await segment()}`)
    await writeNotices(db, account, [{ type: 'import.completed', contact: null, data: {} }])
    assert.deepEqual(await noticed(), [])
    await replaceListenedTypes(db, account, 'workflow 1', ['target.updated'])
    await ask('PUT', `/targets/${id}`, { Spent: 2 })
    assert.equal((await noticed()).length, 1)
    await replaceListenedTypes(db, account, 'workflow 1', [])
    await ask('PUT', `/targets/${id}`, { Spent: 3 })
    assert.deepEqual(await noticed(), [])
  })

  test('are written if and only if the change is committed', async () => {
    const { account, ask, contact, noticed } = await newAccount(...noticeTypes)
    const id = Number.parseInt(await contact('a'), 36)
    await noticed()
    const change = inTransaction(db, async (tx) => {
      await updateContact(
        tx,
        account,
        { id, body: { Spent: 9 } },
        { ...context, view: { fields: undefined, bare: true } },
      )
      throw new Error('changed my mind')
    })
    await assert.rejects(change)
    assert.equal((await ask('POST', '/targets', { Email: 'a@example.org' })).status, 409)
    assert.deepEqual(await noticed(), [])
  })

  test('carry the stamp and depth of the run that caused them, and neither for human changes', async () => {
    const { account, contact } = await newAccount('target.created', 'target.updated')
    const id = Number.parseInt(await contact('a'), 36)
    const stamp = { time: 1, id: crypto.randomUUID(), thread: crypto.randomUUID(), set: null }
    await inTransaction(db, async (tx) => {
      await setNoticeCause(tx, { stamp, depth: 3 })
      await updateContact(
        tx,
        account,
        { id, body: { Spent: 9 } },
        { ...context, view: { fields: undefined, bare: true } },
      )
    })
    await contact('b')
    assert.deepEqual(
      (await readNotices(db, account, undefined, 10)).map(({ stamp, depth }) => [stamp, depth]),
      [
        [null, 0],
        [stamp, 3],
        [null, 0],
      ],
    )
  })

  test('limit their transaction to 20 s, and no other', async () => {
    const { account } = await newAccount('target.created')
    const timeout = async (type: NoticeType) =>
      inTransaction(db, async (tx) => {
        await writeNotices(tx, account, [{ type, contact: null, data: {} }])
        const { rows } = await sql<{ limit: string }>`select current_setting('transaction_timeout') as limit`.execute(
          tx,
        )
        return rows[0]?.limit
      })
    assert.equal(await timeout('target.created'), '20s')
    assert.equal(await timeout('target.deleted'), '0')
    assert.equal(
      (await sql<{ limit: string }>`select current_setting('transaction_timeout') as limit`.execute(db)).rows[0]?.limit,
      '0',
    )
  })

  test('are read in order, in pages, and only by their own account', async () => {
    const { account, ask } = await newAccount('target.created')
    const before = Date.now()
    await ask(
      'PUT',
      '/targets',
      Array.from({ length: 25 }, (_, n) => ({ Email: `${n}@example.org` })),
    )
    const all = await readNotices(db, account, undefined, 100)
    assert.equal(all.length, 25)
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).toSorted(),
    )
    const first = await readNotices(db, account, undefined, 10)
    const next = await readNotices(db, account, first.at(-1)?.id, 100)
    assert.deepEqual([...first, ...next], all)
    for (const { timestamp, id } of all) {
      assert.ok(timestamp >= before - 1000 && timestamp <= Date.now() + 1000)
      assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), timestamp)
    }
    assert.deepEqual(await readNotices(db, other.account, undefined, 100), [])
  })

  test('are deleted after 90 days', async () => {
    const { account, contact } = await newAccount('target.created')
    await contact('a')
    await purgeExpiredRows(context, 'forgetOldNotices', clock.now() + 89 * DAY)
    assert.equal((await readNotices(db, account, undefined, 10)).length, 1)
    await purgeExpiredRows(context, 'forgetOldNotices', clock.now() + 91 * DAY)
    assert.equal((await readNotices(db, account, undefined, 10)).length, 0)
  })

  test('go to all listeners of an account, each with its last request', async () => {
    const { account } = await newAccount('target.created', 'target.updated')
    await replaceListenedTypes(db, account, 'workflow 7', ['target.updated', 'segment.left'])
    await replaceListenedTypes(db, account, 'webhook 1', ['target.created'])
    assert.deepEqual([...(await readListenedTypes(db, account))].sort(), [
      'segment.left',
      'target.created',
      'target.updated',
    ])
    await replaceListenedTypes(db, account, 'workflow 7', [])
    assert.deepEqual([...(await readListenedTypes(db, account))], ['target.created'])
    assert.deepEqual([...(await readListenedTypes(db, other.account))], [])
  })
})
