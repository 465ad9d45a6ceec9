import {
  clickHouseSql,
  instantParam,
  int64ArrayParam,
  int64Param,
  joinClickHouseFragments,
  rawClickHouseSql,
} from './sql.ts'
import type { EventStore } from './store.ts'
import { type EventStoreTableName, eventStoreTableNames, toLocalStoreTable } from './tables.ts'

/** Until when an account's events are forgotten, in milliseconds. */
export interface EventPurgeLimit {
  account: number
  before: number
}

/** Drops whole months before one, such as 202401, from every table. */
export async function dropStoreMonths(store: EventStore, before: number): Promise<void> {
  const parts = rawClickHouseSql(
    store.cluster === undefined ? 'system.parts' : `clusterAllReplicas('${store.cluster}', system.parts)`,
  )
  for (const name of eventStoreTableNames) {
    const localTableName = rawClickHouseSql(store.cluster === undefined ? `'${name}'` : `'${name}_local'`)
    const monthRows = await store.rows<{ month: number }>({
      account: null,
      statement: clickHouseSql`select distinct toUInt32(partition) as month from ${parts}
        where database = currentDatabase() and table = ${localTableName} and active and toUInt32(partition) < ${int64Param(before)} order by month`,
    })
    for (const { month } of monthRows) {
      const statement = clickHouseSql`alter table ${toLocalStoreTable(name, store.cluster)} drop partition ${rawClickHouseSql(`'${month}'`)}`
      await store.command({ account: null, statement })
    }
  }
}

/** Deletes events of accounts that keep theirs for a shorter time: one mutation a table, where there is anything to delete. */
export async function purgeStoreRows(store: EventStore, forgotten: readonly EventPurgeLimit[]): Promise<void> {
  if (forgotten.length === 0) return
  const accountIds = int64ArrayParam(forgotten.map(({ account }) => account))
  const cutoffs = forgotten.map(({ before }) => before)
  const accountCutoff = clickHouseSql`fromUnixTimestamp64Milli(transform(toInt64(account), ${accountIds}, ${int64ArrayParam(cutoffs)}, toInt64(0)), 'UTC')`
  // The second condition is one that parts are passed over by.
  const whereClause = joinClickHouseFragments(
    [
      clickHouseSql`has(${accountIds}, toInt64(account))`,
      clickHouseSql`at < ${instantParam(Math.max(...cutoffs))}`,
      clickHouseSql`at < ${accountCutoff}`,
    ],
    ' and ',
  )
  for (const name of eventStoreTableNames) {
    if (!(await hasMatchingRow(store, name, whereClause))) continue
    const statement = clickHouseSql`alter table ${toLocalStoreTable(name, store.cluster)} delete where ${whereClause}`
    await store.command({ account: null, statement })
  }
}

async function hasMatchingRow(
  store: EventStore,
  name: EventStoreTableName,
  whereClause: ReturnType<typeof clickHouseSql>,
): Promise<boolean> {
  const statement = clickHouseSql`select 1 as one from ${rawClickHouseSql(name)} where ${whereClause} limit 1`
  // Rows that are hidden only are to go too.
  return (await store.rows({ account: null, statement, settings: { final: 0 } })).length > 0
}
