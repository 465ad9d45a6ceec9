import { setTimeout as delay } from 'node:timers/promises'
import type { DatabasePool, Db } from '../src/database/connection/connect.ts'
import { buildCriterionIndexes } from '../src/features/segments/criteria/criterion-indexes.ts'
import type { BenchService } from './service.ts'

/** Labels of the field `city`. */
export const CITIES = Array.from({ length: 50 }, (_, n) => `City ${n}`)

const NAMES = [
  'Élodie',
  'Zoé',
  'Ann',
  'Éric',
  'Bob',
  'Chloé',
  'Dana',
  'Émile',
  'Fay',
  'Gil',
  'Hana',
  'Ines',
  'Jo',
  'Kim',
]
/** Of six criteria, of three texts to sort by, and of parts of two addresses. */
const INDEXES = 11

/** Ids of the fields of a contact, by what they hold. */
export type Fields = Record<'email' | 'name' | 'phone' | 'city' | 'spend' | 'born', number>

/** Makes the fields beside the address: a text, a phone, one of a list, a number, a date. */
export async function createFields({ client }: BenchService): Promise<Fields> {
  const made = async (path: string, body: object) => (await client.call<{ id: number }>('POST', path, body)).id
  const valueListId = await made('/valueLists', { name: 'Cities', values: CITIES.map((value) => ({ value })) })
  const [email] = await client.call<{ id: number }[]>('GET', '/fields')
  return {
    email: email?.id ?? 0,
    name: await made('/fields', { type: 'textField', name: 'Full name' }),
    phone: await made('/fields', { type: 'phone', name: 'Mobile' }),
    city: await made('/fields', { type: 'singleSelectList', name: 'City', valueListId }),
    spend: await made('/fields', { type: 'numeric', name: 'Spend' }),
    born: await made('/fields', { type: 'date', name: 'Born' }),
  }
}

/**
 * Loads contacts with values in an order that has nothing to do with that of their ids, one a second until now; one in ten has no spend.
 * Resolves when their criteria are indexed, which takes at least 20,000 of them.
 */
export async function loadContacts(
  { db, pool }: { db: Db; pool: DatabasePool },
  account: number,
  fields: Fields,
  count: number,
): Promise<void> {
  await pool.query(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     select $1, jsonb_strip_nulls(jsonb_build_object(
         $3::text, mail, $4::text, ($9::text[])[1 + n % ${NAMES.length}] || ' ' || substr(md5(n::text), 1, 8),
         $5::text, '+336' || lpad(n::text, 8, '0'), $6::text, 1 + floor(random() * ${CITIES.length})::integer,
         $7::text, case when n % 10 > 0 then round((random() * 1000)::numeric, 2) end,
         $8::text, to_char(timestamp '1950-01-01' + make_interval(days => (random() * 20000)::integer), 'YYYY-MM-DD"T00:00:00.000Z"'))),
       mail, mail, decode(md5(mail), 'hex'), now() - make_interval(secs => $2::integer - n),
       now() - make_interval(secs => (n::bigint * 7919) % $2::integer)
     from (select n, substr(md5(n::text), 9, 6) || '.' || n || '@shop' || n % 7 || '.example' as mail
       from generate_series(1, $2::integer) n) people`,
    [
      account,
      count,
      ...[fields.email, fields.name, fields.phone, fields.city, fields.spend, fields.born].map(String),
      NAMES,
    ],
  )
  // The service may be at it already: then this does nothing.
  for (;;) {
    await buildCriterionIndexes({ db, pool })
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::integer as n from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'contacts'::regclass and i.indisvalid and (starts_with(relname, 'criterion_') or starts_with(relname, 'listed_'))`,
    )
    if (rows[0]?.n === INDEXES) break
    await delay(1000)
  }
  await pool.query('vacuum analyze contacts')
}
