import { type Selectable, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../lib/text/fold.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { ActionCategory, ActionCategoryBody } from './category-schemas.ts'

const MAX_NAME_LENGTH = 100

function toCategory(row: Selectable<DB['categories']>): ActionCategory {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    creationDate: row.created_at.toISOString(),
    default: row.is_default,
  }
}

function nameConflict(name: string | undefined) {
  return { unique: () => conflictProblem('name-taken', `Another category is called "${name}".`) }
}

/** Makes the category which actions have that name none; called once, with the account. */
export async function createDefaultCategory(db: Db, account: AccountId, now: Date): Promise<void> {
  await db
    .insertInto('categories')
    .values({
      account,
      name: 'Uncategorised',
      name_folded: foldUnicodeCase('Uncategorised'),
      is_default: true,
      created_at: now,
    })
    .execute()
}

/** Every category, ascending id. */
export async function* listCategories(
  db: Db,
  account: AccountId,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ActionCategory> {
  let query = db
    .selectFrom('categories')
    .selectAll()
    .where('account', '=', account)
    .where('id', '>', page.after ?? 0)
    .orderBy('id')
  if (page.limit !== undefined) query = query.limit(page.limit)
  for (const row of await query.execute()) yield toCategory(row)
}

/** One category. Throws notFound. */
export async function loadCategory(db: Db, account: AccountId, id: number): Promise<ActionCategory> {
  const row = await db
    .selectFrom('categories')
    .selectAll()
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('category', id)
  return toCategory(row)
}

/** Makes a category. Throws 400 without a name, conflict `name-taken` (compared without case). */
export async function createCategory(
  db: Db,
  account: AccountId,
  body: ActionCategoryBody,
  now: Date,
): Promise<ActionCategory> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  const values = {
    account,
    name,
    name_folded: foldUnicodeCase(name),
    description: body.description ?? null,
    created_at: now,
  }
  return toCategory(
    await mapConstraintErrors(
      db.insertInto('categories').values(values).returningAll().executeTakeFirstOrThrow(),
      nameConflict(name),
    ),
  )
}

/** Locks a category until the transaction ends and loads it. Throws notFound. */
export async function lockCategory(tx: Db, account: AccountId, id: number): Promise<ActionCategory> {
  await tx
    .selectFrom('categories')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return loadCategory(tx, account, id)
}

/** Changes the members given of a locked category. Throws 400, conflict `name-taken`. */
export async function updateCategory(
  tx: Db,
  { account, id, stored }: LockedObject<number, ActionCategory>,
  body: ActionCategoryBody,
): Promise<ActionCategory> {
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const changes = {
    ...(name !== undefined && { name, name_folded: foldUnicodeCase(name) }),
    ...(body.description !== undefined && { description: body.description }),
  }
  if (Object.keys(changes).length === 0) return stored
  const row = await mapConstraintErrors(
    tx
      .updateTable('categories')
      .set(changes)
      .where('account', '=', account)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
    nameConflict(name),
  )
  return toCategory(row)
}

/** Deletes a locked category; its actions move to the default one. Throws conflict for the default one itself. */
export async function deleteCategory(
  tx: Db,
  { account, id, stored }: LockedObject<number, ActionCategory>,
): Promise<void> {
  if (stored.default) throw conflictProblem('category-default', 'The default category cannot be deleted.')
  await tx
    .updateTable('actions')
    .set({ category: sql<number>`(select id from categories where account = ${account} and is_default)` })
    .where('account', '=', account)
    .where('category', '=', id)
    .execute()
  await tx.deleteFrom('categories').where('account', '=', account).where('id', '=', id).execute()
}
