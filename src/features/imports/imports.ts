import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, json } from '../../database/connect.ts'
import { refusing } from '../../database/errors.ts'
import type { ImportsTable } from '../../database/tables.ts'
import type { AccountId } from '../../lib/account.ts'
import { readName } from '../../lib/names.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { linkFeatures, readFeatures } from './features.ts'
import type { Feature, Import, ImportBody, Scheduler } from './import-schemas.ts'
import { readScheduler } from './scheduler.ts'
import { readSource, type StoredSource, showSource } from './source.ts'

const NAME_LENGTH = 200

/** A row of `imports` with what is shown of its last upload. */
type ImportRow = Selectable<ImportsTable> & {
  upload: number | null
  filename: string | null
  uploaded_at: Date | null
}

const importRows = sql<ImportRow>`
  select i.*, u.id as upload, u.filename, u.uploaded_at from imports i
  left join lateral (
    select id, filename, uploaded_at from import_uploads where import = i.id order by id desc limit 1) u on true`

function show(row: ImportRow): Import {
  const { upload, filename, uploaded_at } = row
  const last =
    upload !== null && filename !== null && uploaded_at !== null ? { id: upload, filename, uploaded_at } : undefined
  return {
    id: row.id,
    name: row.name,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at?.toISOString() ?? null,
    binding: row.binding,
    features: row.features as Feature[],
    source: showSource(row, last),
    ...(row.scheduler !== null && {
      scheduler: { ...(row.scheduler as Omit<Scheduler, 'id' | 'nextDate'>), id: row.id, nextDate: null } as Scheduler,
    }),
  }
}

/** Every import, ascending id. */
export async function* listImports(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<Import> {
  const { rows } = await sql<ImportRow>`
    ${importRows} where i.account = ${account} and i.id > ${after ?? 0} order by i.id limit ${limit ?? null}`.execute(db)
  for (const row of rows) yield show(row)
}

/** One import. Throws notFound. */
export async function readImport(db: Db, account: AccountId, id: number): Promise<Import> {
  const { rows } = await sql<ImportRow>`${importRows} where i.account = ${account} and i.id = ${id}`.execute(db)
  if (!rows[0]) throw notFound('import', id)
  return show(rows[0])
}

/** Locks an import until the transaction ends. Throws notFound. */
export async function lockImport(tx: Db, account: AccountId, id: number): Promise<Selectable<ImportsTable>> {
  const row = await tx
    .selectFrom('imports')
    .selectAll()
    .where('account', '=', account)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('import', id)
  return row
}

/** The columns that a body changes. Throws 400. */
function changesOf(body: ImportBody, present: StoredSource, now: Date) {
  const { name, binding, features, source, scheduler } = body
  return {
    ...(name !== undefined && { name: readName(name, NAME_LENGTH) }),
    ...(binding !== undefined && { binding }),
    ...(features !== undefined && { features: json(readFeatures(features)) }),
    ...(source !== undefined && { source: json(readSource(source, present)) }),
    ...(scheduler !== undefined && {
      scheduler: scheduler === null ? null : json(readScheduler(scheduler, now)),
    }),
  }
}

function bindingUnknown(binding: number | null | undefined) {
  return { imports_account_binding_fkey: () => notFound('import format', binding ?? 0) }
}

/** Makes an import. Throws 400, notFound for what it names, conflict `segment-dynamic`. */
export function createImport(db: Db, account: AccountId, body: ImportBody, now: Date): Promise<Import> {
  const { source = json({ type: 'file' }), ...changes } = changesOf(body, { type: 'file' }, now)
  const values = { account, created_at: now, ...changes, name: readName(body.name, NAME_LENGTH), source }
  return inTransaction(db, async (tx) => {
    const { id } = await refusing(
      tx.insertInto('imports').values(values).returning('id').executeTakeFirstOrThrow(),
      bindingUnknown(body.binding),
    )
    await linkFeatures(tx, account, { id, features: readFeatures(body.features ?? []) })
    return readImport(tx, account, id)
  })
}

/** Changes the members given; `features` is replaced as a whole. Throws like `createImport`, and notFound. */
export function updateImport(
  db: Db,
  account: AccountId,
  { id, body, now }: { id: number; body: ImportBody; now: Date },
): Promise<Import> {
  return inTransaction(db, async (tx) => {
    const present = await lockImport(tx, account, id)
    const changes = changesOf(body, present.source as StoredSource, now)
    await refusing(
      tx
        .updateTable('imports')
        .set({ ...changes, updated_at: now })
        .where('account', '=', account)
        .where('id', '=', id)
        .execute(),
      bindingUnknown(body.binding),
    )
    if (body.features) await linkFeatures(tx, account, { id, features: readFeatures(body.features) })
    return readImport(tx, account, id)
  })
}

/** Deletes an import with its executions and rejects; its contacts stay. Throws notFound, conflict `import-running`. */
export function deleteImport(db: Db, account: AccountId, id: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockImport(tx, account, id)
    const running = await tx
      .selectFrom('import_executions')
      .select('id')
      .where('import', '=', id)
      .where('state', '=', 0)
      .executeTakeFirst()
    if (running) throw conflict('import-running', `Import ${id} is running. Cancel execution ${running.id} first.`)
    await tx.deleteFrom('imports').where('account', '=', account).where('id', '=', id).execute()
  })
}
