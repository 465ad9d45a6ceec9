import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, CreatorId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { type ImportedWebtask, type ImportedWebtasks, listImportedWebtaskIds } from '../../scripting/imports.ts'
import type { ScriptingObject } from '../../scripting/scripting-object.ts'
import type { WebtaskContent } from './reading.ts'

/** Which webtask of which account. */
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

const columns = sql`account, id, name, description, scripting, settings, source, cipher_id as "cipherId", written_by as "writtenBy",
  created_at as "createdAt", updated_at as "updatedAt"`

function selected(condition: RawBuilder<unknown>): RawBuilder<StoredWebtask> {
  return sql<StoredWebtask>`select ${columns} from webtasks where ${condition}`
}

/** Webtasks read at once: one may have more than a megabyte. */
const AT_ONCE = 20

/** Webtasks of an account, ascending id. */
export function listWebtasks(
  db: Db,
  account: AccountId,
  { after, limit, name }: { after: number | undefined; limit: number | undefined; name: string | undefined },
): AsyncIterable<StoredWebtask> {
  const named = sql`(${name ?? null}::text is null or name = ${name ?? null})`
  const condition = sql`account = ${account} and id > ${after ?? 0} and ${named}`
  const query = sql<StoredWebtask>`${selected(condition)} order by id limit ${limit ?? null}::integer`
  return streamRows(db, query, { batch: AT_ONCE })
}

/** One webtask; undefined when there is none. */
export async function findWebtask(db: Db, { account, id }: WebtaskKey): Promise<StoredWebtask | undefined> {
  const { rows: found } = await selected(sql`account = ${account} and id = ${id}`).execute(db)
  return found[0]
}

/** The same. Throws notFound. */
export async function loadWebtask(db: Db, key: WebtaskKey): Promise<StoredWebtask> {
  const found = await findWebtask(db, key)
  if (!found) throw notFoundProblem('webtask', key.id)
  return found
}

/** The same, which nothing changes until the transaction ends. Throws notFound. */
export async function lockWebtask(tx: Db, key: WebtaskKey): Promise<StoredWebtask> {
  await sql`select from webtasks where account = ${key.account} and id = ${key.id} for no key update`.execute(tx)
  return loadWebtask(tx, key)
}

/** The webtask whose tokens hold these bytes, of any account. */
export async function findWebtaskByCipherId(db: Db, cipherId: Buffer): Promise<StoredWebtask | undefined> {
  const { rows: found } = await selected(sql`cipher_id = ${cipherId}`).execute(db)
  return found[0]
}

/** The webtasks that an object imports, with those that they import. */
export async function loadImportedWebtasks(
  db: Db,
  account: AccountId,
  { imports }: Pick<ScriptingObject, 'imports'>,
): Promise<ImportedWebtasks> {
  const ids = listImportedWebtaskIds(imports)
  if (ids.length === 0) return new Map()
  const { rows: found } = await sql<ImportedWebtask & { id: number }>`
    with recursive reached (id) as (
      select unnest(${ids}::integer[])
      union
      select i.imported from reached r join webtask_imports i on i.account = ${account} and i.webtask = r.id)
    select w.id, w.source, w.scripting -> 'imports' as imports, w.written_by as "writtenBy"
    from reached r join webtasks w on w.account = ${account} and w.id = r.id`.execute(db)
  return new Map(found.map(({ id, ...webtask }) => [id, webtask]))
}

/** Links a webtask to those that it imports: they cannot be deleted. */
async function linkImports(tx: Db, { account, id }: WebtaskKey, { imports }: ScriptingObject): Promise<void> {
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
      ...{
        account,
        name,
        description,
        source,
        cipher_id: cipherId,
        written_by: writtenBy,
        created_at: now,
        updated_at: now,
      },
      ...{ scripting: toJsonbText(scripting), settings: toJsonbText(settings) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await linkImports(tx, { account, id }, scripting)
  return id
}

/** Replaces the content of a webtask. */
export async function updateWebtaskContent(
  tx: Db,
  key: WebtaskKey,
  { name, description, scripting, settings, source }: WebtaskContent,
  { writtenBy, now }: { writtenBy: CreatorId; now: Date },
): Promise<void> {
  const columns = { name, description, source, written_by: writtenBy, updated_at: now }
  await tx
    .updateTable('webtasks')
    .set({ ...columns, scripting: toJsonbText(scripting), settings: toJsonbText(settings) })
    .where('account', '=', key.account)
    .where('id', '=', key.id)
    .execute()
  await linkImports(tx, key, scripting)
}
