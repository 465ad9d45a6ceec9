import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { leaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import { takeListenerRows } from '../../../src/features/listeners/take.ts'

/** How long what a killed taker had stays its own. */
const LEASE_MS = 1000
const RENEW_MS = 200
const IDLE_MS = 10
const LIMIT = 15

/**
 * `listener-taker.ts DATABASE_URL KIND [stall]`: takes rows of a kind until it is killed, and writes them to `taken` in the
 * transaction that takes them. With `stall` it stops in the middle of its first such transaction, and says so.
 */
const [url = '', kind = '', mode] = process.argv.slice(2)
const { db } = openDatabasePool(url, { applicationName: 'taker' })
const taker = { kind, taker: randomUUID() }

async function take(): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const rows = await takeListenerRows(tx, taker, { limit: LIMIT })
    await sql`
      insert into taken (process, event, contact)
      select ${process.pid}, event, contact
      from unnest(${rows.map(({ event }) => event)}::uuid[], ${rows.map(({ contact }) => contact)}::bigint[])
        with ordinality as t (event, contact, n) order by n`.execute(tx)
    if (mode === 'stall' && rows.length > 0) {
      process.send?.('stalled')
      await new Promise(() => undefined)
    }
    return rows.length
  })
}

setInterval(() => leaseListenerPartitions(db, taker, LEASE_MS).catch(() => undefined), RENEW_MS)
await leaseListenerPartitions(db, taker, LEASE_MS)
for (;;) if ((await take()) === 0) await delay(IDLE_MS)
