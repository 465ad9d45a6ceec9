import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import { withBlockingAdvisoryLock } from '../../../database/locks/advisory-lock.ts'
import { dropStoreMonths, type EventPurgeLimit, purgeStoreRows } from '../columnar/forgetting.ts'
import { findEventStore, isEventStoreAway } from '../columnar/store.ts'
import { longestRetentionSql, retentionMonthsSql } from '../kept-months.ts'
import { EVENT_STORE_LOCK } from './store-state.ts'

/**
 * Deletes from the store what is kept no longer; true also where there is no store. False: it is away, and has all of it still.
 */
export async function purgeStoredEvents(db: Db, log?: Logger): Promise<boolean> {
  const store = findEventStore(db)
  if (!store) return true
  const { rows: monthRows } = await sql<{ oldest: number }>`
    select to_char((now() - make_interval(months => ${longestRetentionSql})) at time zone 'UTC', 'YYYYMM')::integer as oldest`.execute(
    db,
  )
  const { rows: forgotten } = await sql<EventPurgeLimit>`
    select a.id as account, floor(date_part('epoch', now() - make_interval(months => ${retentionMonthsSql})) * 1000) as before
    from accounts a where ${retentionMonthsSql} < ${longestRetentionSql} order by 1`.execute(db)
  try {
    await withBlockingAdvisoryLock(db, EVENT_STORE_LOCK, async () => {
      await dropStoreMonths(store, monthRows[0]!.oldest)
      await purgeStoreRows(store, forgotten)
    })
    return true
  } catch (error) {
    if (!isEventStoreAway(error)) throw error
    log?.warn({ err: error }, 'events store unavailable: expired events not deleted until tomorrow')
    return false
  }
}
