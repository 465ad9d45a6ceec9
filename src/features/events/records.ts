import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { recordsText } from './history.ts'
import type { Channel, Kind } from './kinds.ts'

/** An event as it is delivered one by one. */
export interface EventWithRecord {
  id: string
  account: AccountId
  channel: Channel
  kind: Kind
  /** Publication. */
  at: Date
  /** The whole record, as JSON. */
  text: string
}

interface Row extends Omit<EventWithRecord, 'text'> {
  agency: string
  customer: string
  detail: string
}

/** Events of any accounts by their ids, in that order; what is not there any more is left out. */
export async function readRecords(db: Db, ids: readonly string[]): Promise<EventWithRecord[]> {
  if (ids.length === 0) return []
  // The time in an id gives the partition of the event.
  const { rows } = await sql<Row>`
    select e.id, e.account, e.channel, e.kind, e.at, e.detail::text as detail, a.agency, a.customer
    from unnest(${ids}::uuid[]) as wanted(event)
    join events e on e.id = event and e.at = uuid_extract_timestamp(event)
    join accounts a on a.id = e.account
    order by e.id`.execute(db)
  return rows.map(({ agency, customer, detail, ...event }) => {
    return { ...event, text: recordsText([{ ...event, detail }], { type: 'customer', agency, customer }, '') }
  })
}
