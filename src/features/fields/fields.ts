import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { refusing } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, conflict, notFound } from '../../lib/problem.ts'
import { fieldDocument } from './definitions.ts'
import { criteriaLinks, fieldLinks } from './field-links.ts'
import { changedField, fieldColumns, newField } from './field-rules.ts'
import type { Field, FieldBody } from './field-schemas.ts'
import { rekeyContacts } from './rekey.ts'
import { stopContactWrites } from './write-lock.ts'

const MOST_FIELDS = 500

/** What the database refuses of a field, as the caller sees it. */
function refusals(field: Omit<Field, 'id'>) {
  return {
    unique: () => conflict('name-taken', `Another field is called "${field.name}".`),
    foreignKey: () => notFound('value list', field.valueListId ?? 0),
  }
}

/** Makes the e-mail field every account starts with: its unicity. */
export async function createFirstField(db: Db, account: AccountId): Promise<void> {
  const field = newField({ type: 'email', name: 'Email', isUnicity: true })
  await db
    .insertInto('fields')
    .values({ account, ...fieldColumns(field) })
    .execute()
}

async function selectFields(db: Db, account: AccountId): Promise<Field[]> {
  const { rows } = await sql<{ field: Field }>`
    select ${fieldDocument} as field from fields f where f.account = ${account} order by f.id`.execute(db)
  return rows.map(({ field }) => field)
}

/** The fields of an account, ascending id: those after the page's key, at most its limit. */
export async function* listFields(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<Field> {
  const fields = await selectFields(db, account)
  yield* fields.filter(({ id }) => id > (page.after ?? 0)).slice(0, page.limit)
}

/** One field. Throws notFound. */
export async function readField(db: Db, account: AccountId, id: number): Promise<Field> {
  const { rows } = await sql<{ field: Field }>`
    select ${fieldDocument} as field from fields f where f.account = ${account} and f.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('field', id)
  return row.field
}

/**
 * Makes a field. Throws 400, notFound (value list), conflict `name-taken`, and `unicity-empty` when it is to be
 * unicity while there are contacts, all of which would lack it.
 */
export function createField(db: Db, account: AccountId, body: FieldBody): Promise<Field> {
  const field = newField(body)
  return inTransaction(db, async (tx) => {
    await stopContactWrites(tx, account)
    const { rows } = await sql<{ count: number; crowded: boolean }>`
      select (select count(*) from fields where account = ${account}) as count,
        exists (select from contacts where account = ${account}) as crowded`.execute(tx)
    const [present] = rows
    if (present && present.count >= MOST_FIELDS) throw badRequest('', `an account has at most ${MOST_FIELDS} fields`)
    if (field.isUnicity && present?.crowded) {
      throw conflict(
        'unicity-empty',
        'Every contact lacks a value in a new field: make it, fill it, then set isUnicity.',
      )
    }
    const insert = tx.insertInto('fields').values({ account, ...fieldColumns(field) })
    const { id } = await refusing(insert.returning('id').executeTakeFirstOrThrow(), refusals(field))
    return readField(tx, account, id)
  })
}

async function refuseWhileFilled(tx: Db, account: AccountId, field: number): Promise<void> {
  const { rows } = await sql`
    select from contacts where account = ${account} and fields ? ${String(field)} limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflict('field-filled', 'Contacts have values in this field: its type and value list stay while they do.')
  }
}

/** The unicity of the account once `changed` replaces its field, or goes. Throws conflict `unicity-last`. */
async function remainingUnicity(tx: Db, account: AccountId, id: number, changed?: Field): Promise<Field[]> {
  const others = (await selectFields(tx, account)).filter((field) => field.id !== id)
  const unicity = [...others, ...(changed ? [changed] : [])]
    .filter((field) => field.isUnicity)
    .sort((a, b) => a.id - b.id)
  if (unicity.length === 0)
    throw conflict('unicity-last', 'This is the last unicity field: set isUnicity on another one first.')
  return unicity
}

async function refuseChange(tx: Db, account: AccountId, stored: Field, field: Field): Promise<void> {
  if (field.type !== stored.type || field.valueListId !== stored.valueListId) {
    await refuseWhileFilled(tx, account, field.id)
  }
  if (stored.isCriterion && !field.isCriterion) {
    const links = await criteriaLinks(tx, account, field.id)
    if (links.length > 0)
      throw conflict('field-linked', 'Criteria use this field: isCriterion must stay true.', { links })
  }
}

/**
 * Changes the members given. A change of isUnicity gives every contact a new key in the same transaction.
 * Throws notFound (field, value list), 400, conflict `name-taken`, `field-filled`, `field-linked`, `unicity-last`,
 * `unicity-empty`, `unicity-not-unique`, `unicity-too-long`; then nothing is changed.
 */
export function updateField(db: Db, account: AccountId, id: number, change: FieldBody): Promise<Field> {
  return inTransaction(db, async (tx) => {
    await stopContactWrites(tx, account)
    const stored = await readField(tx, account, id)
    const field = changedField(stored, change)
    await refuseChange(tx, account, stored, field)
    const update = tx.updateTable('fields').set(fieldColumns(field)).where('account', '=', account).where('id', '=', id)
    await refusing(update.execute(), refusals(field))
    if (field.isUnicity !== stored.isUnicity) {
      await rekeyContacts(tx, account, await remainingUnicity(tx, account, id, field))
    }
    return readField(tx, account, id)
  })
}

/**
 * Deletes a field and its values in every contact. Throws notFound, conflict `unicity-last`, `unicity-not-unique`,
 * and `field-linked` with `links` while something uses it; then nothing is changed.
 */
export function deleteField(db: Db, account: AccountId, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await stopContactWrites(tx, account)
    const field = await readField(tx, account, id)
    const links = await fieldLinks(tx, account, id)
    if (links.length > 0) throw conflict('field-linked', 'Something still uses this field: see links.', { links })
    if (field.isUnicity) await rekeyContacts(tx, account, await remainingUnicity(tx, account, id))
    await tx.deleteFrom('fields').where('account', '=', account).where('id', '=', id).execute()
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      update contacts set fields = fields - ${String(id)}
      where account = ${account} and fields ? ${String(id)}`.execute(tx)
  })
}
