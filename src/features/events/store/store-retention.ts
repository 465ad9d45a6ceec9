import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import { underAdvisoryLock } from '../../../database/locks/advisory-lock.ts'
import { deleteForgotten, dropMonths, type Forgotten } from '../columnar/forgetting.ts'
import { isStoreAway, storeOf } from '../columnar/store.ts'
import { kept, longestKept } from '../kept-months.ts'
import { STORE_LEASE } from './store-state.ts'

/**
 * Deletes from the store what is kept no longer; true also where there is no store. False: it is away, and has all of it still.
 */
export async function forgetStoredEvents(db: Db, log?: Logger): Promise<boolean> {
  const store = storeOf(db)
  if (!store) return true
  const { rows: months } = await sql<{ oldest: number }>`
    select to_char((now() - make_interval(months => ${longestKept})) at time zone 'UTC', 'YYYYMM')::integer as oldest`.execute(
    db,
  )
  const { rows: forgotten } = await sql<Forgotten>`
    select a.id as account, floor(date_part('epoch', now() - make_interval(months => ${kept})) * 1000) as before
    from accounts a where ${kept} < ${longestKept} order by 1`.execute(db)
  try {
    await underAdvisoryLock(db, STORE_LEASE, async () => {
      await dropMonths(store, months[0]!.oldest)
      await deleteForgotten(store, forgotten)
    })
    return true
  } catch (error) {
    if (!isStoreAway(error)) throw error
    log?.warn({ err: error }, 'events that are kept no longer stay in the events store, which is away, until tomorrow')
    return false
  }
}
