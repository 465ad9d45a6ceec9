import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import { type QuarterEvent, readQuarterEvents } from '../columnar/quarters.ts'
import type { EventStore } from '../columnar/store.ts'
import { NIL_UUID } from '../columnar/tables.ts'
import type { EventChannel } from '../kinds/event-kinds.ts'

/** A quarter of a channel of an account, by its start. */
export interface ChannelQuarter {
  account: number
  channel: EventChannel
  start: Date
}

const fetchedTable = sql`fetched_events`

/**
 * The rows `e` of a table whose instant is in one of these quarters and that meet a condition, to stand behind "from". A lookup
 * in the index for each quarter: joined by the planner, which cannot estimate ranges, every row of the account would be compared with
 * every quarter.
 */
export function selectQuarterEvents(
  quarters: readonly ChannelQuarter[],
  {
    table,
    column,
    where: condition = sql`true`,
  }: { table: RawBuilder<unknown>; column: 'at' | 'start'; where?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const instantColumn = sql.ref(`t.${column}`)
  return sql`(
      select distinct * from unnest(
        ${quarters.map(({ account }) => account)}::integer[], ${quarters.map(({ channel }) => channel)}::text[],
        ${quarters.map(({ start }) => start)}::timestamptz[]) as g (account, channel, quarter)) s
    cross join lateral (
      select t.ctid, t.* from ${table} t where t.account = s.account and t.channel = s.channel
        and ${instantColumn} >= s.quarter and ${instantColumn} < s.quarter + ${QUARTER_HOUR_MS} * interval '1 millisecond' and ${condition} offset 0) e`
}

/**
 * Fetches the events of quarters that begin before the border into a table of this transaction, in the shape of `events`, with other
 * events of the same messages; from the border on those that are here. (What is here when the border is read stays as long as the
 * transaction.) Gives the table. Throws `event-history-away`.
 */
export async function fetchStoreQuarters(
  tx: Db,
  store: EventStore,
  quarters: readonly ChannelQuarter[],
): Promise<RawBuilder<unknown>> {
  await sql`create temporary table ${fetchedTable} (like events including defaults, primary key (account, id)) on commit drop`.execute(
    tx,
  )
  const { rows } = await sql<{ border: number }>`
    select date_part('epoch', border) * 1000 as border from event_store`.execute(tx)
  const borderTime = rows[0]?.border ?? Number.NEGATIVE_INFINITY
  for (const channelQuarters of Map.groupBy(quarters, ({ account, channel }) => `${account} ${channel}`).values()) {
    const { account, channel } = channelQuarters[0]!
    const quarterStarts = [...new Set(channelQuarters.map(({ start }) => start.getTime()))]
    for await (const page of readQuarterEvents(store, { account, channel, starts: quarterStarts, until: borderTime }))
      await storeFetchedEvents(tx, account, page)
  }
  await sql`create index on ${fetchedTable} (account, stamp)`.execute(tx)
  await sql`create index on ${fetchedTable} (account, channel, at)`.execute(tx)
  await storePresentEvents(tx, quarters, borderTime)
  await sql`analyze ${fetchedTable}`.execute(tx)
  return fetchedTable
}

const nilUuid = sql.lit(NIL_UUID)

async function storeFetchedEvents(tx: Db, account: number, page: readonly QuarterEvent[]): Promise<void> {
  await sql`
    insert into ${fetchedTable} (id, at, account, channel, kind, subject, contact, stamp, classification, is_test, activation_at, detail)
    select id, to_timestamp(at / 1000.0), ${account}, channel, kind, nullif(subject, 0), nullif(contact, 0), nullif(stamp, ${nilUuid}::uuid),
      nullif(classification, ''), is_test = 1, to_timestamp(activation_at / 1000.0), detail::json
    from json_to_recordset(${JSON.stringify(page)}::json) as e (id uuid, at bigint, channel text, kind text, subject integer,
      contact bigint, stamp uuid, classification text, is_test integer, activation_at bigint, detail text)
    on conflict do nothing`.execute(tx)
}

/**
 * Stores events that are in PostgreSQL, from the border on: those of a quarter divided by the border, and later ones of the same messages.
 */
async function storePresentEvents(tx: Db, quarters: readonly ChannelQuarter[], border: number): Promise<void> {
  const sinceBorder = sql`at >= to_timestamp(${border}::double precision / 1000)`
  const eventColumns = sql.raw(
    'id, at, account, channel, kind, subject, contact, stamp, classification, is_test, activation_at, detail, depth',
  )
  await sql`
    with of_quarters as materialized (
      select e.* from ${selectQuarterEvents(quarters, { table: sql`events`, column: 'at', where: sinceBorder })}
    )
    insert into ${fetchedTable} (${eventColumns})
    select ${eventColumns} from of_quarters
    union all
    select e.id, e.at, e.account, e.channel, e.kind, e.subject, e.contact, e.stamp, e.classification, e.is_test, e.activation_at, e.detail, e.depth
    from (
      select distinct account, stamp from (select account, stamp from ${fetchedTable} union all select account, stamp from of_quarters) a
      where stamp is not null) s
      cross join lateral (select * from events e where e.account = s.account and e.stamp = s.stamp and ${sinceBorder} offset 0) e
    on conflict do nothing`.execute(tx)
}
