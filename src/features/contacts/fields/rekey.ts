import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import type { ContactFieldDefinition } from './field-schemas.ts'
import { buildContactKey } from './identity.ts'

const BATCH_SIZE = 10_000

async function requireUnicityValues(tx: Db, account: AccountId, fieldIds: string[]): Promise<void> {
  const { rows } = await sql`
    select from contacts where account = ${account} and not fields ?& ${fieldIds}::text[] limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflictProblem(
      'unicity-empty',
      'A contact has no value in a unicity field. Fill the field in every contact first.',
    )
  }
}

/** Contacts by ascending id with the unicity they will have; jsonb writes numbers without exponent, as unicity wants. */
async function readNextContacts(tx: Db, account: AccountId, fieldIds: string[], after: number) {
  const { rows } = await sql<{ id: number; unicity: string }>`
    select id, array_to_string(array(
      select fields->>field from unnest(${fieldIds}::text[]) with ordinality as u(field, place) order by place), '') as unicity
    from contacts where account = ${account} and id > ${after} order by id limit ${BATCH_SIZE}`.execute(tx)
  return rows
}

function computeNewKey(fields: readonly ContactFieldDefinition[], unicity: string): string {
  const key = buildContactKey({ unicity: fields, foldsKeys: false }, unicity)
  if (key === undefined)
    throw conflictProblem('unicity-too-long', 'The joined unicity values of a contact are too long.')
  return key
}

/** Writes the new keys of contacts to a temporary table: case folding is done here, not in SQL. */
async function computeNewKeys(tx: Db, account: AccountId, fields: readonly ContactFieldDefinition[]): Promise<void> {
  const fieldIds = fields.map(({ id }) => String(id))
  await sql`create temporary table new_keys (
    contact bigint primary key, unicity text collate "C" not null, key text collate "C" not null) on commit drop`.execute(
    tx,
  )
  for (let lastId = 0; ; ) {
    const contacts = await readNextContacts(tx, account, fieldIds, lastId)
    const lastContact = contacts.at(-1)
    if (!lastContact) return
    await sql`insert into new_keys select * from unnest(
      ${contacts.map(({ id }) => id)}::bigint[],
      ${contacts.map(({ unicity }) => unicity)}::text[],
      ${contacts.map(({ unicity }) => computeNewKey(fields, unicity))}::text[])`.execute(tx)
    lastId = lastContact.id
  }
}

async function requireDistinctKeys(tx: Db): Promise<void> {
  await sql`create index on new_keys (key)`.execute(tx)
  const { rows } = await sql`select from new_keys group by key having count(*) > 1 limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflictProblem('unicity-not-unique', 'Contacts would have the same unicity. Change their values first.')
  }
}

/**
 * Makes the given fields (at least one, ascending id) the unicity of every contact of the account, with keys as decision 127 compares
 * addresses, which older accounts may not have yet. Contact writes must be blocked (`blockContactWrites`). Throws conflict
 * `unicity-empty`, `unicity-too-long`, `unicity-not-unique`; then nothing is changed.
 */
export async function rekeyContacts(
  tx: Db,
  account: AccountId,
  unicity: readonly ContactFieldDefinition[],
): Promise<void> {
  const fieldIds = unicity.map(({ id }) => String(id))
  await sql`set local statement_timeout = 0`.execute(tx)
  await requireUnicityValues(tx, account, fieldIds)
  await computeNewKeys(tx, account, unicity)
  await requireDistinctKeys(tx)
  // A key that another contact will take is freed first: the unique indexes are checked row by row.
  await sql`
    update contacts c set key = chr(1) || c.id, hash = decode(md5(chr(1) || c.id), 'hex')
    where c.account = ${account} and exists (select from new_keys n where n.key = c.key and n.contact <> c.id)`.execute(
    tx,
  )
  await sql`
    update contacts c set unicity = n.unicity, key = n.key, hash = decode(md5(n.unicity), 'hex')
    from new_keys n
    where c.account = ${account} and c.id = n.contact and (c.unicity, c.key) is distinct from (n.unicity, n.key)`.execute(
    tx,
  )
  await sql`
    update accounts set folds_keys = false, definitions = definitions + 1 where id = ${account} and folds_keys`.execute(
    tx,
  )
}
