import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, CreatorId } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { CompilableValue, PreviewOptions } from './definition/definition.ts'
import { compilableBasisColumn, listCompilableUses, storeCompilableUses } from './uses.ts'

/** Key of a compilable: its account and id. */
export interface CompilableKey {
  account: AccountId
  id: string
}

export type CompilableState = 'draft' | 'ready'

/** Members of a compilable that a write sets. */
export interface CompilableContent {
  name: string
  description: string | null
  value: CompilableValue
  preview: PreviewOptions
}

/** A compilable as it is stored. */
export interface StoredCompilable extends CompilableContent {
  id: string
  version: number
  state: CompilableState
  /** The author of the last change to what it does. */
  writtenBy: CreatorId
  createdAt: Date
  updatedAt: Date
}

const COMPILABLE_COLUMNS = sql`c.id, c.name, c.description, c.value, c.preview, c.version, c.state,
  c.written_by as "writtenBy", c.created_at as "createdAt",
  c.updated_at as "updatedAt"`

/** Filter of a list of compilables. */
export interface CompilableFilter {
  name?: string | undefined
  state?: CompilableState | undefined
}

/** Compilables of an account, ascending id. */
export function listCompilables(
  db: Db,
  account: AccountId,
  { after, limit, name, state }: { after: string | undefined; limit: number | undefined } & CompilableFilter,
): AsyncIterable<StoredCompilable> {
  return streamRows(
    db,
    sql<StoredCompilable>`
      select ${COMPILABLE_COLUMNS} from compilables c
      where c.account = ${account} and (${after ?? null}::uuid is null or c.id > ${after ?? null}::uuid)
        and (${name ?? null}::text is null or c.name = ${name ?? null})
        and (${state ?? null}::text is null or c.state = ${state ?? null})
      order by c.id limit ${limit ?? null}::integer`,
  )
}

/** One compilable, its state as it was found last. Throws notFound. */
export async function loadCompilable(db: Db, { account, id }: CompilableKey): Promise<StoredCompilable> {
  const { rows: foundRows } = await sql<StoredCompilable>`
    select ${COMPILABLE_COLUMNS} from compilables c where c.account = ${account} and c.id = ${id}`.execute(db)
  const [row] = foundRows
  if (!row) throw notFoundProblem('compilable', id)
  return row
}

/** Locks a compilable, if it exists: nothing changes it or begins to use it in a workflow until the transaction ends. */
export async function lockCompilable(tx: Db, { account, id }: CompilableKey): Promise<void> {
  await sql`select from compilables where account = ${account} and id = ${id} for update`.execute(tx)
}

/** A compilable whose state may not hold any more. */
export interface StaleCompilable extends Pick<StoredCompilable, 'id' | 'version' | 'value'> {
  basis: string
}

/** Those compilables, all of the account or one, of which something that they use has changed since their state was found. */
export async function findStaleCompilables(db: Db, account: AccountId, id: string | null): Promise<StaleCompilable[]> {
  const { rows: foundRows } = await sql<StaleCompilable>`
    select * from (
      select c.id, c.version, c.value, c.basis as known, ${compilableBasisColumn} as basis from compilables c
      where c.account = ${account} and (${id}::uuid is null or c.id = ${id})) s
    where s.known is distinct from s.basis`.execute(db)
  return foundRows
}

/** Stores the state that was found, unless the compilable has changed meanwhile. */
export async function storeCompilableState(
  db: Db,
  account: AccountId,
  { id, version, basis }: Omit<StaleCompilable, 'value'>,
  state: CompilableState,
): Promise<void> {
  await sql`
    update compilables set state = ${state}, basis = ${basis}
    where account = ${account} and id = ${id} and version = ${version}
      and (state, basis) is distinct from (${state}::text, ${basis}::text)`.execute(db)
}

/** Basis of the state of a compilable; read before the flaws are checked. */
export async function loadCompilableBasis(db: Db, { account, id }: CompilableKey): Promise<StaleCompilable> {
  const { rows: foundRows } = await sql<StaleCompilable>`
    select c.id, c.version, c.value, ${compilableBasisColumn} as basis from compilables c where c.account = ${account} and c.id = ${id}`.execute(
    db,
  )
  const [row] = foundRows
  if (!row) throw notFoundProblem('compilable', id)
  return row
}

/** Writes a new compilable; its state is found afterwards. */
export async function insertCompilable(
  tx: Db,
  { account, id }: CompilableKey,
  { name, description, value, preview }: CompilableContent,
  { writtenBy, now }: { writtenBy: CreatorId; now: Date },
): Promise<void> {
  await sql`
    insert into compilables (id, account, name, description, value, preview, state, written_by, created_at, updated_at)
    values (${id}, ${account}, ${name}, ${description}, ${toJsonbText(value)}, ${toJsonbText(preview)}, 'draft', ${writtenBy}, ${now}, ${now})`.execute(
    tx,
  )
  await storeCompilableUses(tx, account, id, listCompilableUses(value))
}

/** Replaces what a compilable is; its state is found afterwards. */
export async function updateCompilable(
  tx: Db,
  { account, id }: CompilableKey,
  { name, description, value, preview }: CompilableContent,
  { writtenBy, now }: { writtenBy: CreatorId; now: Date },
): Promise<void> {
  await sql`
    update compilables set name = ${name}, description = ${description}, value = ${toJsonbText(value)}, preview = ${toJsonbText(preview)},
      written_by = ${writtenBy}, version = version + 1, updated_at = ${now}
    where account = ${account} and id = ${id}`.execute(tx)
  await storeCompilableUses(tx, account, id, listCompilableUses(value))
}

/** Something that uses a compilable. */
export interface CompilableLink {
  type: 'workflow' | 'compilable'
  id: string | number
  name: string
}

/** The active workflows that execute a compilable, or one that uses it. */
export async function findWorkflowsUsing(db: Db, { account, id }: CompilableKey): Promise<CompilableLink[]> {
  const { rows: foundRows } = await sql<CompilableLink>`
    with recursive users (compilable) as (
      select ${id}::uuid
      union
      select u.compilable from users s
      join compilable_uses u on u.account = ${account} and u.kind = 'compilable' and u.used = s.compilable::text
    )
    select distinct 'workflow' as type, w.id, w.name
    from users s join workflow_compilables l on l.account = ${account} and l.compilable = s.compilable
    join workflows w on w.account = l.account and w.id = l.workflow order by w.id`.execute(db)
  return foundRows
}

/** Active workflows and other compilables that reference a compilable. */
export async function listCompilableLinks(db: Db, { account, id }: CompilableKey): Promise<CompilableLink[]> {
  const workflows = await sql<CompilableLink>`
    select 'workflow' as type, w.id, w.name
    from workflow_compilables l join workflows w on w.account = l.account and w.id = l.workflow
    where l.account = ${account} and l.compilable = ${id} order by w.id`.execute(db)
  const compilables = await sql<CompilableLink>`
    select 'compilable' as type, c.id, c.name
    from compilable_uses u join compilables c on c.account = u.account and c.id = u.compilable
    where u.account = ${account} and u.kind = 'compilable' and u.used = ${id} and c.id <> ${id} order by c.id`.execute(
    db,
  )
  return [...workflows.rows, ...compilables.rows]
}

/** Deletes a compilable. Throws conflict `in-use`. */
export async function removeCompilable(tx: Db, { account, id }: CompilableKey): Promise<void> {
  const deleteQuery = sql`delete from compilables where account = ${account} and id = ${id}`.execute(tx)
  await mapConstraintErrors(deleteQuery, {
    foreignKey: () => conflictProblem('in-use', `The compilable ${id} is in use.`),
  })
}

/** Number of compilables of an account. */
export async function countCompilables(db: Db, account: AccountId): Promise<number> {
  const { rows: foundRows } = await sql<{ n: number }>`
    select count(*)::integer as n from compilables where account = ${account}`.execute(db)
  return foundRows[0]?.n ?? 0
}

/** The values of compilables of an account, and of all that these use, by their ids. */
export async function loadUsedCompilables(
  db: Db,
  account: AccountId,
  ids: readonly string[],
): Promise<Map<string, CompilableValue>> {
  if (ids.length === 0) return new Map()
  const { rows: foundRows } = await sql<{ id: string; value: CompilableValue }>`
    with recursive reached (compilable) as (
      select unnest(${ids}::uuid[])
      union
      select u.used::uuid from reached r
      join compilable_uses u on u.account = ${account} and u.compilable = r.compilable and u.kind = 'compilable'
    )
    select c.id, c.value from reached r join compilables c on c.account = ${account} and c.id = r.compilable`.execute(
    db,
  )
  return new Map(foundRows.map(({ id, value }) => [id, value]))
}

/** The names of all compilables of an account. */
export async function listCompilableNames(db: Db, account: AccountId): Promise<Set<string>> {
  const { rows: foundRows } = await sql<{
    name: string
  }>`select name from compilables where account = ${account}`.execute(db)
  return new Set(foundRows.map(({ name }) => name))
}
