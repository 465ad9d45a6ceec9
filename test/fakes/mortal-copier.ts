import { withAdvisoryLock } from '../../src/database/advisory-lock.ts'
import { connect } from '../../src/database/connect.ts'
import { copyNext } from '../../src/features/events/columnar/copier.ts'
import { openStore } from '../../src/features/events/columnar/store.ts'
import { STORE_LEASE } from '../../src/features/events/store-state.ts'
import { readEventStore } from '../../src/lib/event-store-url.ts'

/** `mortal-copier.ts DATABASE_URL STORE_URL BATCH`: copies events to the store as soon as it is told to, until it is killed. */
const [databaseUrl = '', storeUrl = '', batch] = process.argv.slice(2)
const { db, pool } = connect(databaseUrl, { max: 4 })
const store = openStore(readEventStore(storeUrl), 35)
const copying = { db, pool, store, behindMs: 0, batch: Number(batch) }

process.once('message', async () => {
  for (;;) {
    await withAdvisoryLock(pool, STORE_LEASE, async () => {
      while ((await copyNext(copying)) > 0);
    })
  }
})
process.send?.('ready')
