import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { actionChannels, factsOf } from '../../channels/facts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { FieldType } from '../fields/field-schemas.ts'
import { columns, comparisonOf, fieldKey } from './criterion-columns.ts'

/** Contacts from which an account's criteria are indexed: for fewer, indexes cost imports more than they save. */
const MIN_TO_INDEX = 20_000
/** Accounts below this lose their indexes: the gap keeps an account at the limit from having them made repeatedly. */
const MIN_INDEXED = 10_000
/** An advisory lock against two processes building at once: each would wait for the other's transaction to end. */
const LOCK = 0x73656769

interface CriterionField {
  id: number
  type: FieldType
  contacts: number
  /** An import is running: indexes are made faster once all its contacts are there. */
  filling: boolean
}

/** An existing index; one whose building was interrupted is not valid. */
interface Built {
  name: string
  valid: boolean
}

/** The changes that make the indexes those that criteria can use. */
interface Work {
  drop: string[]
  build: CriterionField[]
}

/** The name holds field and form, so names are enough to compare. */
function indexName({ id, type }: CriterionField): string {
  return `criterion_${id}_${comparisonOf[type]}`
}

/** Types of the actions whose recipients answer from a number. */
const phoneActions = actionChannels
  .map((name) => factsOf(name))
  .flatMap(({ addressType, actions }) => (addressType === 'phone' ? Object.values(actions) : []))

/** The fields to be indexed: criteria, and those that hold the numbers by which answers find contacts. */
async function criterionFields(db: Db): Promise<CriterionField[]> {
  const { rows } = await sql<CriterionField>`
    select f.id, f.type, n.contacts,
      exists (select from import_executions e where e.account = f.account and e.state = 0 and not e.dry_run) as filling
    from (select account, sum(n)::bigint as contacts from contact_counts group by account) n
    join fields f on f.account = n.account
    where n.contacts >= ${MIN_INDEXED} and (f.is_criterion or f.type = 'phone' and exists (
      select from actions a where a.account = f.account and a.deleted_at is null and a.type = any(${phoneActions}::text[])))
    order by f.id`.execute(db)
  return rows
}

async function builtIndexes(db: Db): Promise<Built[]> {
  const { rows } = await sql<Built>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and c.relname like 'criterion\_%'`.execute(db)
  return rows
}

/** Compares the existing indexes with those that there should be, so whatever a crash leaves is found. */
async function findWork(db: Db, worthwhile: number): Promise<Work> {
  const [fields, built] = [await criterionFields(db), await builtIndexes(db)]
  const kept = new Set(fields.map(indexName))
  const valid = new Set(built.filter((index) => index.valid).map(({ name }) => name))
  return {
    drop: built.filter(({ name, valid }) => !valid || !kept.has(name)).map(({ name }) => name),
    build: fields.filter((field) => field.contacts >= worthwhile && !field.filling && !valid.has(indexName(field))),
  }
}

/** Queues an update of the indexes when it is needed: an account has grown, or its fields have changed. */
export async function requestIndexes(db: Db): Promise<void> {
  const { drop, build } = await findWork(db, MIN_TO_INDEX)
  if (drop.length + build.length > 0) await enqueue(db, 'segments.index', {}, { key: 'segments.index' })
}

/**
 * The statements that index a field. Only contacts that have a value are in its index, so none of another account. The
 * account itself is no condition: of indexes that share one the planner takes a single one, and never combines two.
 */
function statementsOf(db: Db, field: CriterionField): { index: string; statistics: string } {
  const column = columns[comparisonOf[field.type]]
  const name = sql.ref(indexName(field))
  const value = column.value(sql`fields`, fieldKey(field.id))
  const key = column.key(value)
  const method = column.index === 'gin' ? sql`gin (${key} jsonb_path_ops)` : sql`btree (${key})`
  const text = (statement: RawBuilder<unknown>) => statement.compile(db).sql
  return {
    index: text(sql`create index concurrently if not exists ${name} on contacts using ${method}
      where ${value} is not null`),
    // The planner takes no statistics from an index with a condition: these give it the distribution of values.
    statistics: text(sql`create statistics if not exists ${name} on (${key}) from contacts`),
  }
}

async function dropIndex(client: PoolClient, db: Db, name: string): Promise<void> {
  const ref = sql.ref(name)
  await client.query(sql`drop statistics if exists ${ref}`.compile(db).sql)
  await client.query(sql`drop index concurrently if exists ${ref}`.compile(db).sql)
}

/** Works on a connection of its own, on which statements may take any time; gives undefined while another process holds the lock. */
async function exclusively(context: Pick<Context, 'pool'>, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await context.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK])
    if (rows[0]?.free) await work(client)
    await client.query('select pg_advisory_unlock_all()')
    await client.query('reset statement_timeout')
    client.release()
  } catch (error) {
    // Closed, not returned to the pool: that frees its lock.
    client.release(true)
    throw error
  }
}

/**
 * Makes the indexes of `contacts` those that criteria and answers can use: one for each field with isCriterion, or of
 * numbers, of an account of at least `worthwhile` contacts, made without blocking writers, one after the other. Those without use, or
 * interrupted, are dropped first. Called again after a crash it continues.
 */
export async function buildIndexes(
  context: Pick<Context, 'db' | 'pool'>,
  signal?: AbortSignal,
  worthwhile = MIN_TO_INDEX,
): Promise<void> {
  const { db } = context
  await exclusively(context, async (client) => {
    const { drop, build } = await findWork(db, worthwhile)
    for (const name of drop) await dropIndex(client, db, name)
    for (const field of build) {
      signal?.throwIfAborted()
      const { index, statistics } = statementsOf(db, field)
      // First, so that an existing index has them.
      await client.query(statistics)
      await client.query(index)
    }
    if (build.length > 0) await client.query('analyze contacts')
  })
}
