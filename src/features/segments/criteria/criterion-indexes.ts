import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { actionChannelNames, getChannelTraits } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { retryOnDeadlock } from '../../../database/locks/deadlocks.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import {
  buildCriterionIndex,
  buildFieldSort,
  buildSearchedValue,
  type CriterionSql,
  comparisonByFieldType,
  comparisonColumns,
  formatFieldKey,
  isSearchedField,
} from './criterion-columns.ts'

/** Contacts from which an account's criteria are indexed: for fewer, indexes cost imports more than they save. */
export const MIN_INDEXED_CONTACTS = 20_000
/** Accounts below this lose their indexes: the gap keeps an account at the limit from having them made repeatedly. */
const DROP_BELOW_CONTACTS = 10_000
/** An advisory lock against two processes building at once: each would wait for the other's transaction to end. */
const BUILD_LOCK_KEY = 0x73656769
/** Steps of a distribution: a place in a list is found from them within 1 %. */
const STATISTICS_TARGET = 1000

interface IndexedField {
  id: number
  type: FieldType
  contacts: number
  /** An import is running: indexes are made faster once all its contacts are there. */
  filling: boolean
  isCriterion: boolean
  isUnicity: boolean
  /** Answers of a channel find contacts by their numbers in it. */
  isAnswered: boolean
}

/** An index of a field. The name holds field and form, so names are enough to compare. */
interface FieldIndex {
  name: string
  field: IndexedField
  /** The part of a value that it holds, for the statistics, and all its columns. */
  key: CriterionSql
  columns: CriterionSql
  method: 'btree' | 'gin'
}

/** An existing index; one whose building was interrupted is not valid. */
interface BuiltIndex {
  name: string
  valid: boolean
}

/** The changes that make the indexes those that criteria and lists can use. */
interface IndexChanges {
  drop: string[]
  build: FieldIndex[]
}

/** Types of the actions whose recipients answer from a number. */
const phoneActionTypes = actionChannelNames
  .map((name) => getChannelTraits(name))
  .flatMap(({ addressType, actions }) => (addressType === 'phone' ? Object.values(actions) : []))

/** The fields to be indexed: criteria, addresses and unicities, by parts of which contacts are searched. */
async function readIndexedFields(db: Db): Promise<IndexedField[]> {
  const { rows } = await sql<IndexedField>`
    select f.id, f.type, n.contacts, f.is_criterion as "isCriterion", f.is_unicity as "isUnicity",
      exists (select from import_executions e where e.account = f.account and e.state = 0 and not e.dry_run) as filling,
      f.type = 'phone' and exists (
        select from actions a where a.account = f.account and a.deleted_at is null and a.type = any(${phoneActionTypes}::text[])) as "isAnswered"
    from (select account, sum(n)::bigint as contacts from contact_counts group by account) n
    join fields f on f.account = n.account
    where n.contacts >= ${DROP_BELOW_CONTACTS}
    order by f.id`.execute(db)
  return rows
}

function buildComparisonIndexes(field: IndexedField): FieldIndex[] {
  const comparison = comparisonByFieldType[field.type]
  if (!field.isCriterion && !field.isAnswered) return []
  const { name, key, columns, method } = buildCriterionIndex(field.id, comparison)
  return [{ field, name, key, columns, method }]
}

/** Texts are sorted without their accents, which criteria must tell apart. */
function buildSortIndexes(field: IndexedField): FieldIndex[] {
  if (!field.isCriterion || comparisonByFieldType[field.type] !== 'text') return []
  const { name, key, columns } = buildFieldSort(field)
  return [{ field, name, key, columns, method: 'btree' }]
}

function buildPartIndexes(field: IndexedField, hasTrigrams: boolean): FieldIndex[] {
  if (!hasTrigrams || !isSearchedField(field)) return []
  const key = buildSearchedValue(sql`fields`, field.id)
  return [{ field, name: `listed_${field.id}_part`, key, columns: sql`${key} extensions.gin_trgm_ops`, method: 'gin' }]
}

async function hasTrigramExtension(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_opclass o join pg_namespace n on n.oid = o.opcnamespace
    where n.nspname = 'extensions' and o.opcname = 'gin_trgm_ops'`.execute(db)
  return rows.length > 0
}

async function readBuiltIndexes(db: Db): Promise<BuiltIndex[]> {
  const { rows } = await sql<BuiltIndex>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and (starts_with(c.relname, 'criterion_') or starts_with(c.relname, 'listed_'))`.execute(
    db,
  )
  return rows
}

/** Compares the existing indexes with those that there should be, so whatever a crash leaves is found. */
async function findIndexChanges(db: Db, worthwhile: number): Promise<IndexChanges> {
  const [indexFields, existingIndexes, hasTrigramSupport] = [
    await readIndexedFields(db),
    await readBuiltIndexes(db),
    await hasTrigramExtension(db),
  ]
  const requiredIndexes = indexFields.flatMap((field) => [
    ...buildComparisonIndexes(field),
    ...buildSortIndexes(field),
    ...buildPartIndexes(field, hasTrigramSupport),
  ])
  const requiredNames = new Set(requiredIndexes.map(({ name }) => name))
  const validNames = new Set(existingIndexes.filter((index) => index.valid).map(({ name }) => name))
  return {
    drop: existingIndexes.filter(({ name, valid }) => !valid || !requiredNames.has(name)).map(({ name }) => name),
    build: requiredIndexes.filter(
      ({ name, field }) => field.contacts >= worthwhile && !field.filling && !validNames.has(name),
    ),
  }
}

/** Queues an update of the indexes when it is needed: an account has grown, or its fields have changed. */
export async function queueCriterionIndexes(db: Db): Promise<void> {
  const { drop, build } = await findIndexChanges(db, MIN_INDEXED_CONTACTS)
  if (drop.length + build.length > 0) await enqueueTask(db, 'segments.index', {}, { key: 'segments.index' })
}

/**
 * The statements that index a field. Only contacts that have a value are in its index, so none of another account. The
 * account itself is no condition: of indexes that share one the planner takes a single one, and never combines two.
 */
function buildIndexStatements(
  db: Db,
  { name, field, key, columns: indexedColumns, method }: FieldIndex,
): Record<'index' | 'unread' | 'statistics' | 'target', string> {
  const value = comparisonColumns[comparisonByFieldType[field.type]].value(sql`fields`, formatFieldKey(field.id))
  const indexName = sql.ref(name)
  const text = (statement: RawBuilder<unknown>) => statement.compile(db).sql
  return {
    index:
      text(sql`create index concurrently if not exists ${indexName} on contacts using ${sql.raw(method)} (${indexedColumns})
      where ${value} is not null`),
    // The planner takes no statistics from an index with a condition, and they take a third of an ANALYZE.
    unread: text(sql`alter index ${indexName} alter column 1 set statistics 0`),
    // These give it the distribution of values.
    statistics: text(sql`create statistics if not exists ${indexName} on (${key}) from contacts`),
    target: text(sql`alter statistics ${indexName} set statistics ${sql.lit(STATISTICS_TARGET)}`),
  }
}

/** Begun once more, it begins from nothing: an index whose building was interrupted has the name, and is of no use. */
async function createIndex(client: PoolClient, db: Db, fieldIndex: FieldIndex): Promise<void> {
  const { index, unread, statistics, target } = buildIndexStatements(db, fieldIndex)
  await client.query(sql`drop index concurrently if exists ${sql.ref(fieldIndex.name)}`.compile(db).sql)
  // First, so that an existing index has them.
  await client.query(statistics)
  await client.query(target)
  await client.query(index)
  await client.query(unread)
}

async function dropIndex(client: PoolClient, db: Db, name: string): Promise<void> {
  const indexName = sql.ref(name)
  await client.query(sql`drop statistics if exists ${indexName}`.compile(db).sql)
  await client.query(sql`drop index concurrently if exists ${indexName}`.compile(db).sql)
}

/** Works on a connection of its own, on which statements may take any time; gives undefined while another process holds the lock. */
async function runExclusively(
  context: Pick<ServiceContext, 'pool'>,
  work: (lockClient: PoolClient) => Promise<void>,
): Promise<void> {
  const lockClient = await context.pool.connect()
  try {
    await lockClient.query('set statement_timeout = 0')
    const { rows } = await lockClient.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
      BUILD_LOCK_KEY,
    ])
    if (rows[0]?.free) await work(lockClient)
    await lockClient.query('select pg_advisory_unlock_all()')
    await lockClient.query('reset statement_timeout')
    lockClient.release()
  } catch (error) {
    // Closed, not returned to the pool: that frees its lock.
    lockClient.release(true)
    throw error
  }
}

/**
 * Makes the indexes of `contacts` those that criteria and answers can use: one for each field with isCriterion, or of
 * numbers, and those of lists, of an account of at least `worthwhile` contacts, made without blocking writers, one after the other. Those without use, or
 * interrupted, are dropped first. Called again after a crash it continues. Each statement waits for whoever has an older
 * snapshot: when one of these waits for the table (ANALYZE, another index), both would wait forever. One that the database
 * ends for that is begun again, and is left to the next call after some tries.
 */
export async function buildCriterionIndexes(
  context: Pick<ServiceContext, 'db' | 'pool'>,
  signal?: AbortSignal,
  worthwhile = MIN_INDEXED_CONTACTS,
): Promise<void> {
  const { db } = context
  await runExclusively(context, async (client) => {
    const { drop, build } = await findIndexChanges(db, worthwhile)
    const indexSteps = [
      ...drop.map((name) => () => dropIndex(client, db, name)),
      ...build.map((index) => () => createIndex(client, db, index)),
      ...(build.length > 0 ? [async () => void (await client.query('analyze contacts'))] : []),
    ]
    for (const applyChange of indexSteps) {
      signal?.throwIfAborted()
      await retryOnDeadlock(applyChange)
    }
  })
}
