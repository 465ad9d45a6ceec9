import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { withAdvisoryLock } from '../../../src/database/locks/advisory-lock.ts'
import { openEventStore } from '../../../src/features/events/columnar/store.ts'
import { EVENT_STORE_LOCK } from '../../../src/features/events/store/store-state.ts'
import { parseEventStoreUrl } from '../../../src/lib/net/event-store-url.ts'
import { copyEverything } from '../../support/database/events-store.ts'

/** `mortal-copier.ts DATABASE_URL STORE_URL BATCH`: copies events to the store as soon as it is told to, until it is killed. */
const [databaseUrl = '', storeUrl = '', batch] = process.argv.slice(2)
const { db, pool } = openDatabasePool(databaseUrl, { max: 4 })
const store = openEventStore(parseEventStoreUrl(storeUrl), 35)
const copying = { db, pool, store, batch: Number(batch) }

process.once('message', async () => {
  for (;;) {
    await withAdvisoryLock(pool, EVENT_STORE_LOCK, () => copyEverything(copying))
  }
})
process.send?.('ready')
