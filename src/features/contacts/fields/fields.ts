import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { AccountId, LockedObject } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { findUnicityFields } from './definitions.ts'
import { attachPendingSubscriptions } from './devices.ts'
import { readFieldLinks, readFieldSegmentLinks } from './field-links.ts'
import { buildChangedField, buildNewField, toFieldColumns } from './field-rules.ts'
import type { ContactFieldDefinition, FieldBody } from './field-schemas.ts'
import { rekeyContacts } from './rekey.ts'
import { toFieldDefinition } from './stored-definitions.ts'
import { blockContactWrites } from './write-lock.ts'

const MAX_FIELDS = 500

/** Problems for the constraint violations that the database reports for a field. */
function mapFieldConstraintErrors(field: Omit<ContactFieldDefinition, 'id'>) {
  return {
    unique: () => conflictProblem('name-taken', `Another field is called "${field.name}".`),
    foreignKey: () => notFoundProblem('value list', field.valueListId ?? 0, '/valueListId'),
  }
}

/** Queues an update of the indexes of criteria once the transaction is committed. */
async function queueReindexOnCommit(tx: Db, account: AccountId): Promise<void> {
  await enqueueTask(tx, 'segments.index', {}, { key: `segments.index:${account}` })
}

/** Makes the e-mail field every account starts with: its unicity. */
export async function createUnicityEmailField(db: Db, account: AccountId): Promise<void> {
  const emailField = buildNewField({ type: 'email', name: 'Email', isUnicity: true })
  await db
    .insertInto('fields')
    .values({ account, ...toFieldColumns(emailField) })
    .execute()
}

async function selectContactFields(db: Db, account: AccountId): Promise<ContactFieldDefinition[]> {
  const storedFields = db.selectFrom('fields').selectAll().where('account', '=', account).orderBy('id')
  return (await storedFields.execute()).map(toFieldDefinition)
}

/** The fields of an account, ascending id: those after the page's key, at most its limit. */
export async function* listFields(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ContactFieldDefinition> {
  const fields = await selectContactFields(db, account)
  yield* fields.filter(({ id }) => id > (page.after ?? 0)).slice(0, page.limit)
}

/** One field. Throws notFound. */
export async function readContactField(db: Db, account: AccountId, id: number): Promise<ContactFieldDefinition> {
  const storedField = db.selectFrom('fields').selectAll().where('account', '=', account).where('id', '=', id)
  const row = await storedField.executeTakeFirst()
  if (!row) throw notFoundProblem('field', id)
  return toFieldDefinition(row)
}

/**
 * Makes a field. Throws 400, notFound (value list), conflict `name-taken`, and `unicity-empty` when it is to be
 * unicity while there are contacts, all of which would lack it.
 */
export async function createField(db: Db, account: AccountId, body: FieldBody): Promise<ContactFieldDefinition> {
  const newField = buildNewField(body)
  return inTransaction(db, async (tx) => {
    await blockContactWrites(tx, account)
    const { rows } = await sql<{ count: number; crowded: boolean }>`
      select (select count(*) from fields where account = ${account}) as count,
        exists (select from contacts where account = ${account}) as crowded`.execute(tx)
    const [presentCounts] = rows
    if (presentCounts && presentCounts.count >= MAX_FIELDS)
      throw badRequestProblem('', `an account has at most ${MAX_FIELDS} fields`)
    if (newField.isUnicity && presentCounts?.crowded) {
      throw conflictProblem(
        'unicity-empty',
        'A new field has no values yet. Create it, fill it in every contact, then set isUnicity.',
      )
    }
    const insert = tx.insertInto('fields').values({ account, ...toFieldColumns(newField) })
    const row = await mapConstraintErrors(
      insert.returningAll().executeTakeFirstOrThrow(),
      mapFieldConstraintErrors(newField),
    )
    await queueReindexOnCommit(tx, account)
    return toFieldDefinition(row)
  })
}

async function requireUnfilledField(tx: Db, account: AccountId, field: number): Promise<void> {
  const { rows } = await sql`
    select from contacts where account = ${account} and fields ? ${String(field)} limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflictProblem(
      'field-filled',
      'Contacts have values in this field, so its type and value list cannot be changed.',
    )
  }
}

/** Gives contacts the keys of the changed unicity. Throws conflict `unicity-last` and those of rekeyContacts. */
async function rekeyForUnicity(tx: Db, account: AccountId): Promise<void> {
  const unicityFields = findUnicityFields({ fields: await selectContactFields(tx, account) })
  if (unicityFields.length === 0) {
    throw conflictProblem('unicity-last', 'This is the last unicity field. Set isUnicity on another field first.')
  }
  await rekeyContacts(tx, account, unicityFields)
  // The clock of the database: a change of fields needs no other.
  await attachPendingSubscriptions(tx, account, sql`now()`)
}

/** Replaces the keys of the contacts of an account with those of decision 127. Throws as rekeyContacts does, and then changes nothing. */
export async function renewContactKeys(tx: Db, account: AccountId): Promise<void> {
  await blockContactWrites(tx, account)
  await rekeyForUnicity(tx, account)
}

/** A unicity field has a different value in each contact, even where there are several. */
async function requireDistinctValues(
  tx: Db,
  account: AccountId,
  { id: field, type }: ContactFieldDefinition,
): Promise<void> {
  const key = sql.ref(type === 'email' ? 'address_key' : 'folded')
  const { rows } = await sql`
    select from contacts where account = ${account} and fields ? ${String(field)}
    group by ${key}(fields ->> ${String(field)}::text) having count(*) > 1 limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflictProblem(
      'unicity-not-unique',
      'Contacts have the same value in this field. Change their values first.',
    )
  }
}

async function requireAllowedChange(
  tx: Db,
  account: AccountId,
  storedField: ContactFieldDefinition,
  field: ContactFieldDefinition,
): Promise<void> {
  const hasOtherValues = field.type !== storedField.type || field.valueListId !== storedField.valueListId
  if (hasOtherValues) await requireUnfilledField(tx, account, field.id)
  if (field.isUnicity && !storedField.isUnicity) await requireDistinctValues(tx, account, field)
  if (hasOtherValues || (storedField.isCriterion && !field.isCriterion)) {
    const links = await readFieldSegmentLinks(tx, account, field.id)
    if (links.length > 0)
      throw conflictProblem(
        'field-linked',
        'Criteria use this field, so its type, value list and isCriterion cannot be changed.',
        {
          links,
        },
      )
  }
}

/**
 * Changes the members given of a locked field. A change of isUnicity gives every contact a new key in the same transaction.
 * Throws notFound (value list), 400, conflict `name-taken`, `field-filled`, `field-linked`, `unicity-last`,
 * `unicity-empty`, `unicity-not-unique`, `unicity-too-long`; then nothing is changed.
 */
export async function updateField(
  tx: Db,
  { account, id, stored: storedField }: LockedObject<number, ContactFieldDefinition>,
  change: FieldBody,
): Promise<ContactFieldDefinition> {
  const changedField = buildChangedField(storedField, change)
  await requireAllowedChange(tx, account, storedField, changedField)
  const update = tx
    .updateTable('fields')
    .set(toFieldColumns(changedField))
    .where('account', '=', account)
    .where('id', '=', id)
  await mapConstraintErrors(update.execute(), mapFieldConstraintErrors(changedField))
  if (changedField.isUnicity !== storedField.isUnicity) await rekeyForUnicity(tx, account)
  await queueReindexOnCommit(tx, account)
  return changedField
}

/** Locks a field and loads it: nothing writes contacts until the transaction ends. Throws notFound. */
export async function lockField(tx: Db, account: AccountId, id: number): Promise<ContactFieldDefinition> {
  await blockContactWrites(tx, account)
  return readContactField(tx, account, id)
}

/**
 * Deletes a locked field and its values in every contact. Throws conflict `unicity-last`, `unicity-not-unique`,
 * and `field-linked` with `links` while something uses it; then nothing is changed.
 */
export async function deleteField(
  tx: Db,
  { account, id, stored: deletedField }: LockedObject<number, ContactFieldDefinition>,
): Promise<void> {
  const fieldLinks = await readFieldLinks(tx, account, id)
  if (fieldLinks.length > 0)
    throw conflictProblem('field-linked', 'The field is still used. Remove the uses listed in links first.', {
      links: fieldLinks,
    })
  await tx.deleteFrom('fields').where('account', '=', account).where('id', '=', id).execute()
  if (deletedField.isUnicity) await rekeyForUnicity(tx, account)
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`
    update contacts set fields = fields - ${String(id)}
    where account = ${account} and fields ? ${String(id)}`.execute(tx)
  await queueReindexOnCommit(tx, account)
}
