import { ch, instant, int, ints, joined, raw } from './sql.ts'
import type { EventStore } from './store.ts'
import { localTable, type TableName, tableNames } from './tables.ts'

/** Until when an account's events are forgotten, in milliseconds. */
export interface Forgotten {
  account: number
  before: number
}

/** Drops whole months before one, such as 202401, from every table. */
export async function dropMonths(store: EventStore, before: number): Promise<void> {
  const parts = raw(
    store.cluster === undefined ? 'system.parts' : `clusterAllReplicas('${store.cluster}', system.parts)`,
  )
  for (const name of tableNames) {
    const own = raw(store.cluster === undefined ? `'${name}'` : `'${name}_local'`)
    const months = await store.rows<{ month: number }>({
      account: null,
      statement: ch`select distinct toUInt32(partition) as month from ${parts}
        where database = currentDatabase() and table = ${own} and active and toUInt32(partition) < ${int(before)} order by month`,
    })
    for (const { month } of months) {
      const statement = ch`alter table ${localTable(name, store.cluster)} drop partition ${raw(`'${month}'`)}`
      await store.command({ account: null, statement })
    }
  }
}

/** Deletes events of accounts that keep theirs for a shorter time: one mutation a table, where there is anything to delete. */
export async function deleteForgotten(store: EventStore, forgotten: readonly Forgotten[]): Promise<void> {
  if (forgotten.length === 0) return
  const accounts = ints(forgotten.map(({ account }) => account))
  const instants = forgotten.map(({ before }) => before)
  const own = ch`fromUnixTimestamp64Milli(transform(toInt64(account), ${accounts}, ${ints(instants)}, toInt64(0)), 'UTC')`
  // The second condition is one that parts are passed over by.
  const where = joined(
    [ch`has(${accounts}, toInt64(account))`, ch`at < ${instant(Math.max(...instants))}`, ch`at < ${own}`],
    ' and ',
  )
  for (const name of tableNames) {
    if (!(await isThere(store, name, where))) continue
    const statement = ch`alter table ${localTable(name, store.cluster)} delete where ${where}`
    await store.command({ account: null, statement })
  }
}

async function isThere(store: EventStore, name: TableName, where: ReturnType<typeof ch>): Promise<boolean> {
  const statement = ch`select 1 as one from ${raw(name)} where ${where} limit 1`
  // Rows that are hidden only are to go too.
  return (await store.rows({ account: null, statement, settings: { final: 0 } })).length > 0
}
