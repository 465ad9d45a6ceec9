import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { formatContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'

/** More than one statement reads. */
const CONTACTS = 25_000

const { call, context, own } = await startHarness()
const { db } = context

suite('the whole list of contacts', async () => {
  await sql`
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${own.account}, '{}', 'p' || n || '@all.example', 'p' || n || '@all.example', decode(md5('p' || n || '@all.example'), 'hex'), now(), now()
    from generate_series(1, ${CONTACTS}::integer) n`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`select id from contacts where account = ${own.account} order by id`.execute(db)
  const all = rows.map(({ id }) => formatContactId(id))
  const ids = async (url: string): Promise<string[]> =>
    (await call('GET', url)).body.map((contact: { id: string }) => contact.id)

  test('returns each contact once, in ascending order, however many there are', async () => {
    assert.deepEqual(await ids('/targets'), all)
  })

  test('continues after a given contact, up to the limit', async () => {
    const { headers } = await call('GET', '/targets?limit=10000')
    const next = /<([^>]+)>; rel="next"/.exec(String(headers['link']))?.[1] ?? ''
    assert.deepEqual(await ids(next), all.slice(10_000, 20_000))
    assert.deepEqual(await ids(next.replace('limit=10000', 'limit=7')), all.slice(10_000, 10_007))
  })
})
