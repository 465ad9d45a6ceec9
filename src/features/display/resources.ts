import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { type ConstraintProblems, mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { DisplayResourceBody } from './display-schemas.ts'

/** The common columns of campaigns, placements and contents. */
export interface DisplayResourceRow {
  number: number
  id: string
  name: string
  description: string | null
  active: boolean
  created_at: Date
  updated_at: Date
}

export interface DisplayResourceMembers {
  id: string
  name: string
  description: string | null
  active: boolean
  creationDate: string
  updateDate: string
}

/** Columns and their values; undefined leaves a column unchanged. */
export type DisplayColumnValues = Readonly<Record<string, unknown>>

/** The differences between the three kinds of resources. */
export interface DisplayResourceKind<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
> {
  /** In messages: "display campaign". */
  name: string
  table: 'display_campaigns' | 'display_placements' | 'display_contents'
  /** The columns of a row `d` in addition to the common ones. */
  columns: RawBuilder<unknown>
  show: (row: Row) => Own
  /** The column values of a body, for a new resource when `storedRow` is undefined. Throws 400, and notFound for what it names. */
  read: (tx: Db, account: AccountId, body: Body, storedRow: Row | undefined) => Promise<DisplayColumnValues>
  /** Writes the tables related to that of the resource. */
  keep?: (tx: Db, account: AccountId, number: number, body: Body) => Promise<void>
  refusals?: ConstraintProblems
}

/** A resource of an account, by its id. */
export interface DisplayResourceKey {
  account: AccountId
  id: string
}

const MAX_NAME_LENGTH = 255
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,64}$/

/** Reads an id, which is case-sensitive; undefined for an invalid one. */
export function parseDisplayId(text: string): string | undefined {
  return ID_PATTERN.test(text) ? text : undefined
}

function resolveNewId(requestedId: unknown, now: Date): string {
  if (requestedId === undefined || requestedId === null) return createUuidV7(now.getTime())
  const id = typeof requestedId === 'string' ? parseDisplayId(requestedId) : undefined
  if (id === undefined) throw badRequestProblem('/id', 'must be 1 to 64 characters A-Z a-z 0-9 . _ ~ -')
  return id
}

function selectResources<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object>(
  { table, columns }: DisplayResourceKind<Body, Row, Own>,
  account: AccountId,
) {
  return sql<Row>`
    select d.number, d.id, d.name, d.description, d.active, d.created_at, d.updated_at, ${columns}
    from ${sql.table(table)} d where d.account = ${account} and d.deleted_at is null`
}

/** A resource as it is shown. */
export function toDisplayResource<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object>(
  kind: DisplayResourceKind<Body, Row, Own>,
  row: Row,
): DisplayResourceMembers & Own {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    active: row.active,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    ...kind.show(row),
  }
}

/** Every resource of a kind, by id. */
export async function* listDisplayResources<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(
  db: Db,
  kind: DisplayResourceKind<Body, Row, Own>,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<DisplayResourceMembers & Own> {
  const query = sql<Row>`
    ${selectResources(kind, account)} ${after === undefined ? sql`` : sql`and d.id > ${after}`}
    order by d.id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toDisplayResource(kind, row)
}

async function readStoredRow<Body extends DisplayResourceBody, Row extends DisplayResourceRow, Own extends object>(
  db: Db,
  kind: DisplayResourceKind<Body, Row, Own>,
  { account, id }: DisplayResourceKey,
): Promise<Row> {
  const { rows: storedRows } = await sql<Row>`${selectResources(kind, account)} and d.id = ${id}`.execute(db)
  const [row] = storedRows
  if (!row) throw notFoundProblem(kind.name, id)
  return row
}

/** One resource. Throws notFound. */
export async function loadDisplayResource<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(db: Db, kind: DisplayResourceKind<Body, Row, Own>, key: DisplayResourceKey): Promise<DisplayResourceMembers & Own> {
  return toDisplayResource(kind, await readStoredRow(db, kind, key))
}

/** Locks the row of a resource until the transaction ends and loads it. Throws notFound. */
export async function lockDisplayResource<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(tx: Db, kind: DisplayResourceKind<Body, Row, Own>, key: DisplayResourceKey): Promise<Row> {
  const { account, id } = key
  await sql`select from ${sql.table(kind.table)} where account = ${account} and id = ${id} for no key update`.execute(
    tx,
  )
  return readStoredRow(tx, kind, key)
}

function definedColumns(columns: DisplayColumnValues): [string, unknown][] {
  return Object.entries(columns).filter(([, value]) => value !== undefined)
}

/** Creates a resource. Throws 400, notFound for what it names, conflict `id-taken`, also for an id that was deleted. */
export async function createDisplayResource<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(
  db: Db,
  kind: DisplayResourceKind<Body, Row, Own>,
  { account, body, now }: { account: AccountId; body: Body; now: Date },
): Promise<DisplayResourceMembers & Own> {
  const id = resolveNewId(body.id, now)
  const { description = null, active = true } = body
  const commonColumns = { account, id, name: parseResourceName(body.name, MAX_NAME_LENGTH), description, active }
  return inTransaction(db, async (tx) => {
    const kindColumns = await kind.read(tx, account, body, undefined)
    const columns = definedColumns({ ...commonColumns, created_at: now, updated_at: now, ...kindColumns })
    const insertQuery = sql<{ number: number }>`
      insert into ${sql.table(kind.table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
      values (${sql.join(columns.map(([, value]) => value))}) returning number`
    const idConflict = () =>
      conflictProblem('id-taken', `The id "${id}" is or was used by a ${kind.name}. Choose another id.`)
    const { rows: insertedRows } = await mapConstraintErrors(insertQuery.execute(tx), {
      ...kind.refusals,
      unique: idConflict,
    })
    await kind.keep?.(tx, account, insertedRows[0]?.number ?? 0, body)
    return loadDisplayResource(tx, kind, { account, id })
  })
}

/** Changes the members given of a locked resource. Throws notFound for what it names, and 400. */
export async function updateDisplayResource<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(
  tx: Db,
  kind: DisplayResourceKind<Body, Row, Own>,
  { account, id, stored: storedRow }: LockedObject<string, Row>,
  { body, now }: { body: Body; now: Date },
): Promise<Row> {
  const { description, active } = body
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const kindColumns = await kind.read(tx, account, body, storedRow)
  const changes = definedColumns({ name, description, active, updated_at: now, ...kindColumns })
  const updateQuery = sql`
    update ${sql.table(kind.table)} set ${sql.join(changes.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where account = ${account} and id = ${id}`
  await mapConstraintErrors(updateQuery.execute(tx), kind.refusals ?? {})
  await kind.keep?.(tx, account, storedRow.number, body)
  return readStoredRow(tx, kind, { account, id })
}

/** Marks a resource as deleted: its tags keep working, its history and references stay. Throws notFound. */
export async function deleteDisplayResource<
  Body extends DisplayResourceBody,
  Row extends DisplayResourceRow,
  Own extends object,
>(
  db: Db,
  { name, table }: DisplayResourceKind<Body, Row, Own>,
  { account, id }: DisplayResourceKey,
  now: Date,
): Promise<void> {
  const { rows: deletedRows } = await sql`
    update ${sql.table(table)} set deleted_at = ${now} where account = ${account} and id = ${id} and deleted_at is null
    returning number`.execute(db)
  if (deletedRows.length === 0) throw notFoundProblem(name, id)
}
