import type { Selectable } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { DesignDocument } from './design-schemas.ts'
import type { SavedDesign, SavedDesignBody, SavedDesignSummary } from './saved-design-schemas.ts'

const MAX_NAME_LENGTH = 255
/** Octets of a design as JSON. */
const MAX_DESIGN_BYTES = 1024 * 1024

type DesignTableRow = Selectable<DB['designs']>

function toSummary(row: Omit<DesignTableRow, 'design' | 'account'>): SavedDesignSummary {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.category,
    type: row.type as SavedDesignSummary['type'],
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
  }
}

const toSavedDesign = (row: DesignTableRow): SavedDesign => ({
  ...toSummary(row),
  design: row.design as DesignDocument,
})

/** Throws 400 for a design over 1 MiB; `base` points to it. */
export function requireDesignSize(design: DesignDocument, base: string): void {
  const designSize = Buffer.byteLength(JSON.stringify(design))
  if (designSize > MAX_DESIGN_BYTES)
    throw badRequestProblem(base, `has ${designSize} bytes of JSON; at most ${MAX_DESIGN_BYTES} are allowed`)
}

/** The designs of an account, ascending id, without what is in them. */
export async function* listDesigns(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<SavedDesignSummary> {
  let query = db
    .selectFrom('designs')
    .select(['id', 'name', 'description', 'category', 'type', 'created_at', 'updated_at'])
    .where('account', '=', account)
    .where('id', '>', after ?? 0)
    .orderBy('id')
  if (limit !== undefined) query = query.limit(limit)
  for (const row of await query.execute()) yield toSummary(row)
}

/** One design. Throws notFound. */
export async function loadDesign(db: Db, account: AccountId, id: number): Promise<SavedDesign> {
  const row = await db
    .selectFrom('designs')
    .selectAll()
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('design', id)
  return toSavedDesign(row)
}

/** Saves a design that compiles. Throws 400 without a name or design. */
export async function createDesign(db: Db, account: AccountId, body: SavedDesignBody, now: Date): Promise<SavedDesign> {
  const { description = null, category = null, type = 'design', design } = body
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  if (design === undefined) throw badRequestProblem('/design', 'is required')
  const values = {
    account,
    name,
    description,
    category,
    type,
    design: toJsonbText(design),
    created_at: now,
    updated_at: now,
  }
  return toSavedDesign(await db.insertInto('designs').values(values).returningAll().executeTakeFirstOrThrow())
}

/** Changes the members given of a locked design. Throws as createDesign. */
export async function updateDesign(
  tx: Db,
  { account, id }: LockedObject<number, SavedDesign>,
  body: SavedDesignBody,
  now: Date,
): Promise<SavedDesign> {
  const { name, description, category, type, design } = body
  const row = await tx
    .updateTable('designs')
    .set({
      updated_at: now,
      ...(name !== undefined && { name: parseResourceName(name, MAX_NAME_LENGTH) }),
      ...(description !== undefined && { description }),
      ...(category !== undefined && { category }),
      ...(type !== undefined && { type }),
      ...(design !== undefined && { design: toJsonbText(design) }),
    })
    .where('account', '=', account)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toSavedDesign(row)
}

/** Deletes a design; messages made from it keep their own. */
export async function deleteDesign(db: Db, { account, id }: { account: AccountId; id: number }): Promise<void> {
  await db.deleteFrom('designs').where('account', '=', account).where('id', '=', id).execute()
}

/** Locks a design until the transaction ends and loads it. Throws notFound. */
export async function lockDesign(tx: Db, account: AccountId, id: number): Promise<SavedDesign> {
  const query = tx.selectFrom('designs').selectAll().where('account', '=', account).where('id', '=', id)
  const row = await query.forUpdate().executeTakeFirst()
  if (!row) throw notFoundProblem('design', id)
  return toSavedDesign(row)
}
