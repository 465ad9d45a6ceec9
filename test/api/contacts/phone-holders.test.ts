import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { findPhoneHolders } from '../../../src/features/inbound/sms/phone-holders.ts'
import { buildCriterionIndexes } from '../../../src/features/segments/criteria/criterion-indexes.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startHarness } from '../../support/harness.ts'

/** More than that of which criteria are indexed. */
const CONTACTS = 30_000

const { call, context, own, other } = await startHarness()
const { db } = context

async function phoneField(name: string, key = own.key): Promise<number> {
  const { status, body } = await call('POST', '/fields', { key, body: { type: 'phone', name, isCriterion: false } })
  assert.equal(status, 200)
  return body.id
}

const [mobile, home] = [await phoneField('Mobile'), await phoneField('Home')]
const theirs = await phoneField('Mobile', other.key)

/** Contacts of an account: each has a number of its own in one field, and each seventh the number of its tens in another. */
async function fill(account: number, [one, two]: readonly number[], count: number): Promise<void> {
  await sql`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${account}, jsonb_build_object(${one}::text, '+336' || lpad(n::text, 8, '0')) ||
        case when n % 7 = 0 then jsonb_build_object(${two ?? one}::text, '+336' || lpad((n / 10)::text, 8, '0')) else '{}' end,
      'p' || n || '@phones.example', 'p' || n || '@phones.example', decode(md5('p' || n || '@phones.example'), 'hex'), now(), now()
    from generate_series(1, ${count}::integer) n`.execute(db)
}

/** Whom numbers belong to, and how many contacts were read for that. */
async function found(keys: readonly { account: number; phone: string }[]) {
  return db.transaction().execute(async (tx) => {
    const { answer: holders, inOrder, byIndex } = await rowsRead(tx, 'contacts', () => findPhoneHolders(tx, keys))
    return { holders, read: inOrder + byIndex }
  })
}

/** The same as a plain reading of all contacts says. */
async function expected(keys: readonly { account: number; phone: string }[]): Promise<Map<string, number[]>> {
  const { rows } = await sql<{ account: number; id: number; phones: string[] }>`
    select account, id, array(select jsonb_object_keys(fields)) as fields, array(select value from jsonb_each_text(fields)) as phones
    from contacts order by id`.execute(db)
  const pairs = keys.map(({ account, phone }) => {
    const own = rows.filter((row) => row.account === account && row.phones.includes(phone)).map(({ id }) => id)
    return [`${account} ${phone}`, own] as const
  })
  return new Map(pairs.filter(([, list]) => list.length > 0))
}

const numbers = ['+33600000001', '+33600000070', '+33600000007', '+33600029999', '+33999999999']
const keys = numbers.flatMap((phone) => [own.account, other.account].map((account) => ({ account, phone })))

suite('contacts found by phone numbers', async () => {
  await fill(own.account, [mobile, home], CONTACTS)
  await fill(other.account, [theirs], 100)
  await db.executeQuery(sql`analyze contacts`.compile(db))

  test('include those of each account with the number in any phone field', async () => {
    const { holders } = await found(keys)
    assert.deepEqual(holders, await expected(keys))
    assert.equal(holders.get(`${own.account} +33600000007`)?.length, 3, 'its own, and those of 70 and 77')
  })

  test('are found by indexes in accounts that send to numbers and have many contacts', async () => {
    await buildCriterionIndexes(context)
    const indexed = async () => {
      const { rows } = await sql<{ name: string }>`
        select indexrelname as name from pg_stat_user_indexes where indexrelname like 'criterion%' order by 1`.execute(
        db,
      )
      return rows.map(({ name }) => name)
    }
    const before = await indexed()
    assert.ok(!before.some((name) => [mobile, home].some((field) => name === `criterion_${field}_text`)), before.join())
    const body = { type: 'smsMessage', name: 'Text' }
    assert.equal((await call('POST', '/actions', { body })).status, 200)
    await buildCriterionIndexes(context)
    const wanted = [mobile, home].map((field) => `criterion_${field}_text`)
    assert.deepEqual(new Set(await indexed()), new Set([...before, ...wanted]))
    const { holders, read } = await found(keys.filter(({ account }) => account === own.account))
    assert.deepEqual(holders, await expected(keys.filter(({ account }) => account === own.account)))
    const all = [...holders.values()].flat().length
    assert.ok(read <= 2 * all, `${read} contacts were read to find ${all}`)
  })
})
