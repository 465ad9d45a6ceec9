import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  type ConcealedEvents,
  readStoreRecords,
  readStoreTextPage,
  type StorePageBounds,
  type StoreTextPage,
} from '../columnar/history.ts'
import type { EventStore } from '../columnar/store.ts'
import { buildErasedDetail } from '../erasure.ts'
import type { EventReading, StoredEventRecord } from '../history/readings.ts'

/**
 * Reads up to `rows` records of a reading that the store has: as text, or one by one if some may belong to contacts whose erasure the
 * store has not carried out. Such a record is emptied when it is read.
 */
export async function readStoredPage(
  { db, store, reading }: { db: Db; store: EventStore; reading: EventReading },
  bounds: StorePageBounds,
): Promise<StoreTextPage | StoredEventRecord[]> {
  const account = reading.selections[0]?.account
  const concealed = account === undefined ? undefined : await findConcealedEvents(db, account)
  if (!concealed) return readStoreTextPage(store, reading, bounds)
  const records = await readStoreRecords(store, reading, bounds, concealed)
  const concealedDetails = records.map(({ detail, isConcealed }) => (isConcealed ? detail : undefined))
  const erasedDetails = await eraseDetails(
    db,
    concealedDetails.filter((detail) => detail !== undefined),
  )
  let nextIndex = 0
  return records.map(({ id, kind, channel, detail, isConcealed }) => ({
    id,
    kind,
    channel,
    detail: isConcealed ? erasedDetails[nextIndex++]! : detail,
  }))
}

/** Returns the events that an account is not shown as the store has them; `undefined` if there are none. */
async function findConcealedEvents(db: Db, account: AccountId): Promise<ConcealedEvents | undefined> {
  const { rows } = await sql<ConcealedEvents>`
    select array(select c from unnest(contacts) c) as contacts, stamps
    from event_erasures where account = ${account} and since is null`.execute(db)
  if (rows.length === 0) return
  return { contacts: rows.flatMap(({ contacts }) => contacts), stamps: rows.flatMap(({ stamps }) => stamps) }
}

async function eraseDetails(db: Db, concealedDetails: readonly string[]): Promise<string[]> {
  if (concealedDetails.length === 0) return []
  const { rows } = await sql<{ detail: string }>`
    select ${buildErasedDetail(sql`g.detail`)}::text as detail
    from unnest(${concealedDetails}::text[]) with ordinality as g (detail, n) order by n`.execute(db)
  return rows.map(({ detail }) => detail)
}
