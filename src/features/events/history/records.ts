import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readOlderEventsById } from '../columnar/find.ts'
import { type EventStore, findEventStore } from '../columnar/store.ts'
import { parseUuidTime } from '../store/store-border.ts'
import { formatEventRecords } from './history.ts'
import type { StoredEvent } from './older-wanted.ts'

/** An event as it is delivered one by one. */
export interface EventWithRecord extends Omit<StoredEvent, 'detail'> {
  /** The whole record, as JSON. */
  text: string
}

interface EventRow extends StoredEvent {
  agency: string
  customer: string
}

/**
 * Events of these accounts by their ids, in that order; what is not there any more is left out. Throws `event-history-away` where an
 * older one cannot be read now.
 */
export async function readEventRecords(
  db: Db,
  ids: readonly string[],
  accounts: readonly AccountId[],
): Promise<EventWithRecord[]> {
  if (ids.length === 0) return []
  const store = findEventStore(db)
  const eventRows = store
    ? await readDividedEvents(db, store, { ids, accounts })
    : (await selectLocalEvents(ids, accounts).execute(db)).rows
  return eventRows.map(({ agency, customer, detail, ...event }) => {
    return { ...event, text: formatEventRecords([{ ...event, detail }], { type: 'customer', agency, customer }, '') }
  })
}

/** The time in an id gives the partition of the event. */
function selectLocalEvents(
  ids: readonly string[],
  accounts: readonly AccountId[],
  border = sql``,
): RawBuilder<EventRow> {
  return sql<EventRow>`
    select e.id, e.account, e.channel, e.kind, e.at, e.detail::text as detail, a.agency, a.customer
    from unnest(${ids}::uuid[]) as wanted(event)
    join events e on e.id = event and e.at = uuid_extract_timestamp(event) ${border} and e.account = any(${accounts}::integer[])
    join accounts a on a.id = e.account
    order by e.id`
}

/** Those of before the border come from the store: as far as the very statement saw it that reads the others. */
async function readDividedEvents(
  db: Db,
  store: EventStore,
  { ids, accounts }: { ids: readonly string[]; accounts: readonly AccountId[] },
): Promise<EventRow[]> {
  const sinceBorder = sql`and e.at >= (select border from event_store)`
  const { rows } = await sql<EventRow & { border: number }>`
    select h.*, round(date_part('epoch', s.border) * 1000) as border
    from event_store s left join (${selectLocalEvents(ids, accounts, sinceBorder)}) h on true`.execute(db)
  const { border = Number.NEGATIVE_INFINITY } = rows[0] ?? {}
  const localRows = rows.flatMap(({ border: _, ...row }) => (row.id === null ? [] : [row]))
  if (!ids.some((id) => parseUuidTime(id) < border)) return localRows.toSorted(compareIds)
  const accountRows = await db
    .selectFrom('accounts')
    .select(['id', 'agency', 'customer'])
    .where('id', 'in', accounts)
    .execute()
  const storeRows: EventRow[] = []
  for (const { id: account, agency, customer } of accountRows)
    for (const event of await readOlderEventsById(store, { account, ids, until: border }))
      storeRows.push({ ...event, agency, customer })
  return [...storeRows, ...localRows].toSorted(compareIds)
}

const compareIds = (firstRow: EventRow, secondRow: EventRow): number => (firstRow.id < secondRow.id ? -1 : 1)
