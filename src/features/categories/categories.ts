import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId } from '../../lib/account.ts'
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

/** Changes the members given. Throws notFound, 400, conflict `name-taken`. */
export async function updateCategory(
  db: Db,
  account: AccountId,
  id: number,
  body: ActionCategoryBody,
): Promise<ActionCategory> {
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const changes = {
    ...(name !== undefined && { name, name_folded: foldUnicodeCase(name) }),
    ...(body.description !== undefined && { description: body.description }),
  }
  if (Object.keys(changes).length === 0) return loadCategory(db, account, id)
  const row = await mapConstraintErrors(
    db
      .updateTable('categories')
      .set(changes)
      .where('account', '=', account)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
    nameConflict(name),
  )
  if (!row) throw notFoundProblem('category', id)
  return toCategory(row)
}

/** Deletes a category; its actions move to the default one. Throws notFound, and conflict for the default one itself. */
export async function deleteCategory(db: Db, account: AccountId, id: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await tx
      .selectFrom('categories')
      .select('is_default')
      .where('account', '=', account)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFoundProblem('category', id)
    if (row.is_default) throw conflictProblem('category-default', 'The default category cannot be deleted.')
    await tx
      .updateTable('actions')
      .set({ category: sql<number>`(select id from categories where account = ${account} and is_default)` })
      .where('account', '=', account)
      .where('category', '=', id)
      .execute()
    await tx.deleteFrom('categories').where('account', '=', account).where('id', '=', id).execute()
  })
}
