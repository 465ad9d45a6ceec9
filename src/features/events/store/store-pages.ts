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
 * Up to `rows` records of a reading that the store has: as text, or one by one where some of them may be of contacts whose erasure
 * the store has not carried out. Such a record is emptied as it is read.
 */
export async function readStoredPage(
  { db, store, reading }: { db: Db; store: EventStore; reading: EventReading },
  bounds: StorePageBounds,
): Promise<StoreTextPage | StoredEventRecord[]> {
  const account = reading.selections[0]?.account
  const concealed = account === undefined ? undefined : await underErasure(db, account)
  if (!concealed) return readStoreTextPage(store, reading, bounds)
  const records = await readStoreRecords(store, reading, bounds, concealed)
  const details = records.map(({ detail, isConcealed }) => (isConcealed ? detail : undefined))
  const emptied = await emptiedDetails(
    db,
    details.filter((detail) => detail !== undefined),
  )
  let next = 0
  return records.map(({ id, kind, channel, detail, isConcealed }) => ({
    ...{ id, kind, channel },
    detail: isConcealed ? emptied[next++]! : detail,
  }))
}

/** Whose events an account is not shown as the store has them; undefined: there are none. */
async function underErasure(db: Db, account: AccountId): Promise<ConcealedEvents | undefined> {
  const { rows } = await sql<ConcealedEvents>`
    select array(select c from unnest(contacts) c) as contacts, stamps
    from event_erasures where account = ${account} and since is null`.execute(db)
  if (rows.length === 0) return
  return { contacts: rows.flatMap(({ contacts }) => contacts), stamps: rows.flatMap(({ stamps }) => stamps) }
}

async function emptiedDetails(db: Db, details: readonly string[]): Promise<string[]> {
  if (details.length === 0) return []
  const { rows } = await sql<{ detail: string }>`
    select ${buildErasedDetail(sql`g.detail`)}::text as detail
    from unnest(${details}::text[]) with ordinality as g (detail, n) order by n`.execute(db)
  return rows.map(({ detail }) => detail)
}
