import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, CreatorId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { type ImportedWebtask, type ImportedWebtasks, listImportedWebtaskIds } from '../../scripting/imports.ts'
import type { ScriptingObject } from '../../scripting/scripting-object.ts'
import type { WebtaskContent } from './reading.ts'

/** Key of a webtask: its account and id. */
export interface WebtaskKey {
  account: AccountId
  id: number
}

/** A webtask as it is kept. */
export interface StoredWebtask extends WebtaskKey, WebtaskContent {
  /** The 16 bytes that its tokens hold. */
  cipherId: Buffer
  /** The author of the last change to what it does. */
  writtenBy: CreatorId
  createdAt: Date
  updatedAt: Date
}

const WEBTASK_COLUMNS = sql`account, id, name, description, scripting, settings, source, cipher_id as "cipherId", written_by as "writtenBy",
  created_at as "createdAt", updated_at as "updatedAt"`

function selectWebtasks(condition: RawBuilder<unknown>): RawBuilder<StoredWebtask> {
  return sql<StoredWebtask>`select ${WEBTASK_COLUMNS} from webtasks where ${condition}`
}

/** Webtasks read at once: one may have more than a megabyte. */
const READ_BATCH_SIZE = 20

/** Webtasks of an account, ascending id. */
export function listWebtasks(
  db: Db,
  account: AccountId,
  { after, limit, name }: { after: number | undefined; limit: number | undefined; name: string | undefined },
): AsyncIterable<StoredWebtask> {
  const nameCondition = sql`(${name ?? null}::text is null or name = ${name ?? null})`
  const condition = sql`account = ${account} and id > ${after ?? 0} and ${nameCondition}`
  const query = sql<StoredWebtask>`${selectWebtasks(condition)} order by id limit ${limit ?? null}::integer`
  return streamRows(db, query, { batch: READ_BATCH_SIZE })
}

/** Webtask with this key; `undefined` if it does not exist. */
export async function findWebtask(db: Db, { account, id }: WebtaskKey): Promise<StoredWebtask | undefined> {
  const { rows: foundRows } = await selectWebtasks(sql`account = ${account} and id = ${id}`).execute(db)
  return foundRows[0]
}

/** The same. Throws notFound. */
export async function loadWebtask(db: Db, key: WebtaskKey): Promise<StoredWebtask> {
  const foundWebtask = await findWebtask(db, key)
  if (!foundWebtask) throw notFoundProblem('webtask', key.id)
  return foundWebtask
}

/** The same, which nothing changes until the transaction ends. Throws notFound. */
export async function lockWebtask(tx: Db, key: WebtaskKey): Promise<StoredWebtask> {
  await sql`select from webtasks where account = ${key.account} and id = ${key.id} for no key update`.execute(tx)
  return loadWebtask(tx, key)
}

/** The webtask whose tokens hold these bytes, of any account. */
export async function findWebtaskByCipherId(db: Db, cipherId: Buffer): Promise<StoredWebtask | undefined> {
  const { rows: foundRows } = await selectWebtasks(sql`cipher_id = ${cipherId}`).execute(db)
  return foundRows[0]
}

/** The webtasks that an object imports, with those that they import. */
export async function loadImportedWebtasks(
  db: Db,
  account: AccountId,
  { imports }: Pick<ScriptingObject, 'imports'>,
): Promise<ImportedWebtasks> {
  const ids = listImportedWebtaskIds(imports)
  if (ids.length === 0) return new Map()
  const { rows: importedRows } = await sql<ImportedWebtask & { id: number }>`
    with recursive reached (id) as (
      select unnest(${ids}::integer[])
      union
      select i.imported from reached r join webtask_imports i on i.account = ${account} and i.webtask = r.id)
    select w.id, w.source, w.scripting -> 'imports' as imports, w.written_by as "writtenBy"
    from reached r join webtasks w on w.account = ${account} and w.id = r.id`.execute(db)
  return new Map(importedRows.map(({ id, ...webtask }) => [id, webtask]))
}

/** Links a webtask to those that it imports: they cannot be deleted. */
async function replaceImportLinks(tx: Db, { account, id }: WebtaskKey, { imports }: ScriptingObject): Promise<void> {
  const ids = listImportedWebtaskIds(imports)
  await sql`
    delete from webtask_imports where account = ${account} and webtask = ${id} and imported <> all(${ids}::integer[])`.execute(
    tx,
  )
  if (ids.length === 0) return
  await sql`
    insert into webtask_imports (account, webtask, imported)
    select ${account}, ${id}, unnest(${ids}::integer[]) on conflict do nothing`.execute(tx)
}

/** Writes a new webtask; gives its id. */
export async function insertWebtask(
  tx: Db,
  account: AccountId,
  { name, description, scripting, settings, source }: WebtaskContent,
  { cipherId, writtenBy, now }: { cipherId: Buffer; writtenBy: CreatorId; now: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('webtasks')
    .values({
      account,
      name,
      description,
      source,
      cipher_id: cipherId,
      written_by: writtenBy,
      created_at: now,
      updated_at: now,
      scripting: toJsonbText(scripting),
      settings: toJsonbText(settings),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceImportLinks(tx, { account, id }, scripting)
  return id
}

/** Replaces the content of a webtask. */
export async function updateWebtaskContent(
  tx: Db,
  key: WebtaskKey,
  { name, description, scripting, settings, source }: WebtaskContent,
  { writtenBy, now }: { writtenBy: CreatorId; now: Date },
): Promise<void> {
  const changedColumns = { name, description, source, written_by: writtenBy, updated_at: now }
  await tx
    .updateTable('webtasks')
    .set({ ...changedColumns, scripting: toJsonbText(scripting), settings: toJsonbText(settings) })
    .where('account', '=', key.account)
    .where('id', '=', key.id)
    .execute()
  await replaceImportLinks(tx, key, scripting)
}
