import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { buildCriterionIndexes } from '../../../src/features/segments/criteria/criterion-indexes.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context, own } = await startHarness()
const { db } = context

async function create(path: string, body: object): Promise<number> {
  return (await call('POST', path, { body })).body.id
}

const [email] = (await call('GET', '/fields')).body
const cities = await create('/valueLists', { name: 'Cities', values: [{ value: 'Paris' }, { value: 'Lyon' }] })
const field = {
  email: email.id as number,
  name: await create('/fields', { type: 'textField', name: 'Nom' }),
  phone: await create('/fields', { type: 'phone', name: 'Mobile' }),
  spend: await create('/fields', { type: 'numeric', name: 'Spend' }),
  city: await create('/fields', { type: 'singleSelectList', name: 'City', valueListId: cities }),
}
await call('PUT', '/settings/contacts', { body: { defaultCountry: 'FRA' } })

async function search(body: object): Promise<{ found: string[]; next: string | null }> {
  const answer = await call('POST', '/targets/search', { body })
  assert.equal(answer.status, 200, answer.text)
  return { found: answer.body.items.map(({ id }: { id: string }) => id), next: answer.body.next }
}

/** The whole of a list, page by page. */
async function searchAll(body: object): Promise<string[]> {
  const all: string[] = []
  for (let after: string | null = null; ; ) {
    const { found, next } = await search({ ...body, limit: 1000, after })
    all.push(...found)
    if (next === null) return all
    after = next
  }
}

suite('POST /targets/search with indexes and statistics', () => {
  test('returns the same lists, and finds every fraction within 1 %', async () => {
    const count = 24_000
    await sql`
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      select ${own.account}, jsonb_strip_nulls(jsonb_build_object(
          ${String(field.email)}::text, mail, ${String(field.name)}::text, case when n % 5 > 0 then 'Nom ' || lpad(((n * 7919) % ${count})::text, 6, '0') end,
          ${String(field.spend)}::text, round((random() * 1000)::numeric, 2), ${String(field.city)}::text, 1 + (n % 3) / 2,
          ${String(field.phone)}::text, '+336' || lpad(n::text, 8, '0'))),
        mail, mail, decode(md5(mail), 'hex'), now() - make_interval(secs => ${count} - n), now() - make_interval(secs => (n * 31) % ${count})
      from (select n, 'person.' || n || '@many.example' as mail from generate_series(1, ${count}::integer) n) people`.execute(
      db,
    )
    await buildCriterionIndexes(context)
    await sql`vacuum analyze contacts`.execute(db)
    const orders = [
      { by: 'id', order: 'desc' },
      { by: 'lastUpdateDate', order: 'asc' },
      { by: field.name, order: 'asc' },
      { by: field.spend, order: 'desc' },
      { by: field.city, order: 'asc' },
      { by: field.city, order: 'desc' },
    ]
    for (const sort of orders) {
      const all = await searchAll({ sort, fields: [] })
      assert.equal(new Set(all).size, count, JSON.stringify(sort))
      for (const at of [0.1, 0.5, 0.79, 0.9, 0.999]) {
        const [first = ''] = (await search({ sort, at, limit: 1 })).found
        const place = all.indexOf(first) / all.length
        assert.ok(Math.abs(place - at) <= 0.01, `${JSON.stringify(sort)} at ${at}: ${place}`)
      }
    }
  })

  test('finds parts of addresses with their index', async () => {
    const { rows } = await sql<{ name: string }>`
      select indexrelname as name from pg_stat_user_indexes where indexrelname like 'listed%' order by 1`.execute(db)
    assert.deepEqual(
      rows.map(({ name }) => name),
      [
        `listed_${field.email}_part`,
        `listed_${field.email}_text`,
        `listed_${field.name}_text`,
        `listed_${field.phone}_part`,
        `listed_${field.phone}_text`,
      ].toSorted(),
    )
    assert.equal((await search({ query: 'person.2399', limit: 100 })).found.length, 11)
    const { body } = await call('GET', `/search?q=${encodeURIComponent('06 00 02 39 99')}`)
    assert.deepEqual(
      body.map(({ type, name, detail }: Record<string, unknown>) => ({ type, name, detail })),
      [{ type: 'contact', name: 'person.23999@many.example', detail: '+33600023999' }],
    )
  })
})
