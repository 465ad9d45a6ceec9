import type { DatabasePool } from '../src/database/connection/connect.ts'
import type { BenchService } from './service.ts'

/** The names of the fields that the letter speaks of, beside Email, which is there from the start. */
const NAMES = ['First name', 'Last name', 'Country', 'Language']

/** Fills an account with contacts that have an address and what a letter speaks of, all in one segment; gives its id. */
export async function loadReaders(
  { client, account }: Pick<BenchService, 'client' | 'account'>,
  pool: DatabasePool,
  count: number,
): Promise<number> {
  const [email] = await client.call<{ id: number }[]>('GET', '/fields')
  const ids: number[] = []
  for (const name of NAMES)
    ids.push((await client.call<{ id: number }>('POST', '/fields', { type: 'textField', name })).id)
  const { id } = await client.call<{ id: number }>('POST', '/segments', { type: 'static', name: 'Readers' })
  await pool.query(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     select $1, jsonb_build_object($3::text, mail, $4::text, 'Ann ' || n, $5::text, 'Number', $6::text, 'FR', $7::text, 'fr'),
       mail, mail, decode(md5(mail), 'hex'), now(), now()
     from (select n, 'reader.' || n || '@shop' || n % 7 || '.example' as mail from generate_series(1, $2::integer) n) people`,
    [account, count, ...[email?.id, ...ids].map(String)],
  )
  await pool.query(
    'insert into segment_members (account, segment, contact) select account, $2, id from contacts where account = $1',
    [account, id],
  )
  await pool.query('vacuum analyze contacts')
  await pool.query('vacuum analyze segment_members')
  return id
}
