import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { type Refusals, refusing } from '../../database/errors.ts'
import { rows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, conflict, notFound } from '../../lib/errors/problem.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { readName } from '../../lib/text/names.ts'
import type { CommonBody } from './display-schemas.ts'

/** The common columns of campaigns, placements and contents. */
export interface CommonRow {
  number: number
  id: string
  name: string
  description: string | null
  active: boolean
  created_at: Date
  updated_at: Date
}

export interface CommonMembers {
  id: string
  name: string
  description: string | null
  active: boolean
  creationDate: string
  updateDate: string
}

/** Columns and their values; undefined leaves a column unchanged. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** What differs between the three kinds of resources. */
export interface ResourceKind<Body extends CommonBody, Row extends CommonRow, Own extends object> {
  /** In messages: "display campaign". */
  name: string
  table: 'display_campaigns' | 'display_placements' | 'display_contents'
  /** The columns of a row `d` beside the common ones. */
  columns: RawBuilder<unknown>
  show: (row: Row) => Own
  /** The column values of a body, for a new resource when `stored` is undefined. Throws 400, and notFound for what it names. */
  read: (tx: Db, account: AccountId, body: Body, stored: Row | undefined) => Promise<ColumnValues>
  /** Writes the tables beside that of the resource. */
  keep?: (tx: Db, account: AccountId, number: number, body: Body) => Promise<void>
  refusals?: Refusals
}

/** A resource of an account, by its id. */
export interface ResourceKey {
  account: AccountId
  id: string
}

const NAME_LENGTH = 255
const ID = /^[A-Za-z0-9._~-]{1,64}$/

/** Reads an id, which is case-sensitive; undefined for an invalid one. */
export function readDisplayId(text: string): string | undefined {
  return ID.test(text) ? text : undefined
}

function newId(given: unknown, now: Date): string {
  if (given === undefined || given === null) return uuidV7(now.getTime())
  const id = typeof given === 'string' ? readDisplayId(given) : undefined
  if (id === undefined) throw badRequest('/id', 'must be 1 to 64 characters A-Z a-z 0-9 . _ ~ -')
  return id
}

function selectFrom<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  { table, columns }: ResourceKind<Body, Row, Own>,
  account: AccountId,
) {
  return sql<Row>`
    select d.number, d.id, d.name, d.description, d.active, d.created_at, d.updated_at, ${columns}
    from ${sql.table(table)} d where d.account = ${account} and d.deleted_at is null`
}

function show<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  kind: ResourceKind<Body, Row, Own>,
  row: Row,
): CommonMembers & Own {
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
export async function* listAll<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  kind: ResourceKind<Body, Row, Own>,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<CommonMembers & Own> {
  const query = sql<Row>`
    ${selectFrom(kind, account)} ${after === undefined ? sql`` : sql`and d.id > ${after}`}
    order by d.id limit ${limit ?? null}::integer`
  for await (const row of rows(db, query)) yield show(kind, row)
}

async function readRow<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  kind: ResourceKind<Body, Row, Own>,
  { account, id }: ResourceKey,
): Promise<Row> {
  const { rows: found } = await sql<Row>`${selectFrom(kind, account)} and d.id = ${id}`.execute(db)
  const [row] = found
  if (!row) throw notFound(kind.name, id)
  return row
}

/** One resource. Throws notFound. */
export async function readOne<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  kind: ResourceKind<Body, Row, Own>,
  key: ResourceKey,
): Promise<CommonMembers & Own> {
  return show(kind, await readRow(db, kind, key))
}

/** Locks a resource until the transaction ends. Throws notFound. */
export async function lockOne<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  tx: Db,
  { name, table }: ResourceKind<Body, Row, Own>,
  { account, id }: ResourceKey,
): Promise<void> {
  const { rows: found } = await sql`
    select from ${sql.table(table)} where account = ${account} and id = ${id} and deleted_at is null
    for no key update`.execute(tx)
  if (found.length === 0) throw notFound(name, id)
}

function given(columns: ColumnValues): [string, unknown][] {
  return Object.entries(columns).filter(([, value]) => value !== undefined)
}

/** Creates a resource. Throws 400, notFound for what it names, conflict `id-taken`, also for an id that was deleted. */
export async function createOne<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  kind: ResourceKind<Body, Row, Own>,
  { account, body, now }: { account: AccountId; body: Body; now: Date },
): Promise<CommonMembers & Own> {
  const id = newId(body.id, now)
  const { description = null, active = true } = body
  const common = { account, id, name: readName(body.name, NAME_LENGTH), description, active }
  return inTransaction(db, async (tx) => {
    const own = await kind.read(tx, account, body, undefined)
    const columns = given({ ...common, created_at: now, updated_at: now, ...own })
    const insert = sql<{ number: number }>`
      insert into ${sql.table(kind.table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
      values (${sql.join(columns.map(([, value]) => value))}) returning number`
    const taken = () => conflict('id-taken', `There is, or was, a ${kind.name} "${id}": choose another id.`)
    const { rows: made } = await refusing(insert.execute(tx), { ...kind.refusals, unique: taken })
    await kind.keep?.(tx, account, made[0]?.number ?? 0, body)
    return readOne(tx, kind, { account, id })
  })
}

/** Changes the members given. Throws notFound, for what it names too, and 400. */
export async function updateOne<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  kind: ResourceKind<Body, Row, Own>,
  key: ResourceKey,
  { body, now }: { body: Body; now: Date },
): Promise<CommonMembers & Own> {
  const { account, id } = key
  const { description, active } = body
  const name = body.name === undefined ? undefined : readName(body.name, NAME_LENGTH)
  return inTransaction(db, async (tx) => {
    await lockOne(tx, kind, key)
    const stored = await readRow(tx, kind, key)
    const own = await kind.read(tx, account, body, stored)
    const changes = given({ name, description, active, updated_at: now, ...own })
    const update = sql`
      update ${sql.table(kind.table)} set ${sql.join(changes.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
      where account = ${account} and id = ${id}`
    await refusing(update.execute(tx), kind.refusals ?? {})
    await kind.keep?.(tx, account, stored.number, body)
    return readOne(tx, kind, key)
  })
}

/** Marks a resource as deleted: its tags keep working, its history and references stay. Throws notFound. */
export async function removeOne<Body extends CommonBody, Row extends CommonRow, Own extends object>(
  db: Db,
  { name, table }: ResourceKind<Body, Row, Own>,
  { account, id }: ResourceKey,
  now: Date,
): Promise<void> {
  const { rows: gone } = await sql`
    update ${sql.table(table)} set deleted_at = ${now} where account = ${account} and id = ${id} and deleted_at is null
    returning number`.execute(db)
  if (gone.length === 0) throw notFound(name, id)
}
