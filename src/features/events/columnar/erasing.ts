import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  eventIdText,
  formatEventId,
  formatNumberList,
  formatUuidList,
  instantParam,
  int64Param,
  joinClickHouseConditions,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
  stringParam,
} from './sql.ts'
import type { EventStore } from './store.ts'
import { eventStoreColumns, eventStoreTableNames, toLocalStoreTable } from './tables.ts'

/** Events to erase: those of contacts, or those of messages to others that named them. */
export type EventErasureTarget = { contacts: readonly number[] } | { stamps: readonly string[] }

const tableOf = (erasureTarget: EventErasureTarget): 'events_by_contact' | 'events_by_stamp' =>
  'contacts' in erasureTarget ? 'events_by_contact' : 'events_by_stamp'

/** The condition on rows of `tableOf`. */
function buildTargetCondition(erasureTarget: EventErasureTarget): ClickHouseFragment {
  const isIn =
    'contacts' in erasureTarget
      ? clickHouseSql`contact in ${formatNumberList(erasureTarget.contacts)}`
      : clickHouseSql`stamp in ${formatUuidList(erasureTarget.stamps)}`
  return clickHouseSql`${accountCondition} and ${isIn}`
}

/** Returns those of the given contacts that have events in the store. */
export async function findStoreContacts(
  store: EventStore,
  account: number,
  contacts: readonly number[],
): Promise<number[]> {
  const statement = clickHouseSql`select distinct contact from events_by_contact where ${buildTargetCondition({ contacts })}`
  return (await store.rows<{ contact: number }>({ account, statement })).map(({ contact }) => contact)
}

/** Paths of the contact's unicity in records. */
const unicityPaths = [
  ['activation', 'receiver', 'unicity'],
  ['activation', 'receiver', 'value', 'unicity'],
  ['execution', 'recipient', 'unicity'],
  ['execution', 'recipient', 'value', 'unicity'],
]

/** The unicities under which events of the store know contacts. */
export async function findStoreUnicities(
  store: EventStore,
  account: number,
  contacts: readonly number[],
): Promise<{ contact: number; name: string }[]> {
  const unicityColumns = unicityPaths.map(
    (path) =>
      clickHouseSql`JSONExtractString(detail, ${joinClickHouseFragments(
        path.map((part) => clickHouseSql`${stringParam(part)}`),
        ', ',
      )})`,
  )
  const statement = clickHouseSql`
    select distinct contact, arrayFirst(one -> one <> '', [${joinClickHouseFragments(unicityColumns, ', ')}]) as name
    from events_by_contact
    where ${buildTargetCondition({ contacts })} and kind in ${stringArrayParam(['activations', 'executions', 'cancellations'])} and name <> ''`
  return store.rows({ account, statement })
}

/** Columns as PostgreSQL reads them into a table that is like `events`. */
const localColumns: Readonly<Record<string, ClickHouseFragment>> = {
  id: eventIdText,
  at: rawClickHouseSql('toString(at)'),
  activation_at: rawClickHouseSql('toString(activation_at)'),
}
const localColumnNames = eventStoreColumns.filter((name) => name !== 'revision' && name !== 'deleted')

/** The place of an event: its time in milliseconds, and its id. */
export interface StoreEventPosition {
  ms: number
  id: string
}

/** Rows to fetch: those without the revision of an erasure, after a position, in order. */
export interface StoreRowFetch {
  whose: EventErasureTarget
  /** Published since, in milliseconds. */
  since: number | undefined
  revision: number
  after: StoreEventPosition | undefined
  limit: number
}

/** Copies rows of the store into a table of a connection to PostgreSQL that is like `events`; gives how many. */
export async function fetchStoreRows(
  { store, client, into }: { store: EventStore; client: PoolClient; into: string },
  account: number,
  { whose: erasureTarget, since, revision, after, limit }: StoreRowFetch,
): Promise<number> {
  const whereClause = joinClickHouseConditions([
    buildTargetCondition(erasureTarget),
    clickHouseSql`revision < ${int64Param(revision)}`,
    ...(since === undefined ? [] : [clickHouseSql`at >= ${instantParam(since)}`]),
    ...(after === undefined ? [] : [clickHouseSql`(at, id) > (${instantParam(after.ms)}, ${formatEventId(after.id)})`]),
  ])
  const selectedColumns = joinClickHouseFragments(
    localColumnNames.map(
      (name) => clickHouseSql`${localColumns[name] ?? rawClickHouseSql(name)} as own_${rawClickHouseSql(name)}`,
    ),
    ', ',
  )
  const statement = clickHouseSql`select ${selectedColumns} from ${rawClickHouseSql(tableOf(erasureTarget))} where ${whereClause} order by at, id limit ${int64Param(limit)}
    format TabSeparated`
  const copyStream = client.query(copyFrom(`copy ${into} (${localColumnNames.join(', ')}) from stdin`))
  await pipeline(await store.bytes({ account, statement }), copyStream)
  return copyStream.rowCount
}

/**
 * Deletes every row of events that have a revision of an erasure, and is older than that, from each table, and what says that
 * a row of before is deleted: not only hidden, but out of the parts that are read.
 */
export async function purgeErasedRows(
  store: EventStore,
  account: number,
  erased: readonly { whose: EventErasureTarget; revision: number }[],
): Promise<void> {
  const rewritten = erased.map(({ whose: erasureTarget, revision }) => {
    const sourceTable = rawClickHouseSql(
      store.cluster === undefined ? tableOf(erasureTarget) : `${tableOf(erasureTarget)}_local`,
    )
    const erasedKeys = clickHouseSql`select at, id from ${sourceTable} where ${buildTargetCondition(erasureTarget)} and revision >= ${int64Param(revision)} and deleted = 0`
    return clickHouseSql`((revision < ${int64Param(revision)} or deleted = 1) and (at, id) in (${erasedKeys}))`
  })
  const whereClause = clickHouseSql`${accountCondition} and (${joinClickHouseFragments(rewritten, ' or ')})`
  // Each replica finds the same rows: those that were just acknowledged by all.
  const mutationSettings = store.cluster === undefined ? {} : { allow_nondeterministic_mutations: 1 as const }
  for (const name of eventStoreTableNames) {
    const statement = clickHouseSql`alter table ${toLocalStoreTable(name, store.cluster)} delete where ${whereClause}`
    await store.command({ account, statement, settings: mutationSettings })
  }
}

const POLL_INTERVAL_MS = 500
/** A part may be held that long by a statement that began before. */
const REPLACEMENT_TIMEOUT_MS = 900_000

/** Waits until nothing is on disk any more of the parts that were replaced until now. */
export async function awaitReplacedParts(store: EventStore, signal?: AbortSignal): Promise<void> {
  const parts = rawClickHouseSql(
    store.cluster === undefined ? 'system.parts' : `clusterAllReplicas('${store.cluster}', system.parts)`,
  )
  const [now] = await store.rows<{ until: number }>({
    account: null,
    statement: rawClickHouseSql('select toUnixTimestamp(now()) as until'),
  })
  const replacedAt = now?.until ?? 0
  const statement = clickHouseSql`select count() as n from ${parts}
    where database = currentDatabase() and table like 'events\\_by\\_%' and not active and toUnixTimestamp(remove_time) <= ${int64Param(replacedAt)}`
  for (
    const deadline = Date.now() + REPLACEMENT_TIMEOUT_MS;
    ;
    await delay(POLL_INTERVAL_MS, undefined, signal && { signal })
  ) {
    const [remainingParts] = await store.rows<{ n: number }>({ account: null, statement })
    if (remainingParts?.n === 0) return
    if (Date.now() > deadline) throw new Error('the events store still has parts that an erasure replaced')
    await clearOldParts(store)
  }
}

/** A server with nothing to do looks for old parts seldom, and at once when a partition is dropped, be there one or not. */
async function clearOldParts(store: EventStore): Promise<void> {
  if (store.cluster !== undefined) return
  for (const name of eventStoreTableNames)
    await store.command({ account: null, statement: rawClickHouseSql(`alter table ${name} drop partition '197001'`) })
}
