import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { selectRequestedDays } from './asked-counts.ts'
import { truncateToUtcDay } from './counted-spans.ts'

/** Longest run of one call that assembles days. */
const MAX_RUN_MS = 10_000

/** A day of a channel of an account, by its first instant (UTC). */
export interface ChannelDay {
  account: number
  channel: string
  day: Date
}

const oneDay = sql`interval '1 day'`

/**
 * Writes days from the counts of their quarters, table `c` of `selectQuarters`, which stands behind "from" with its conditions. The
 * contacts of a day are different, as those of a quarter are.
 */
async function insertDays(tx: Db, selectQuarters: (table: RawBuilder<unknown>) => RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into event_days (account, channel, subject, day, kind, facet, detail, humans, robots, contacts)
    with quarters as materialized (
      select c.account, c.channel, c.subject, ${truncateToUtcDay(sql`c.start`)} as day, c.kind, '' as facet, '' as detail, c.humans, c.robots,
        c.contacts || '' as contacts
      from ${selectQuarters(sql`event_counts`)}
      union all
      select c.account, c.channel, c.subject, ${truncateToUtcDay(sql`c.start`)}, c.kind, c.facet, c.detail, c.humans, 0, c.contacts || ''
      from ${selectQuarters(sql`event_details`)}
    ), lists as (
      select account, channel, subject, day, kind, facet, detail, string_agg(contact, '' order by contact) as contacts
      from (
        select distinct account, channel, subject, day, kind, facet, detail, substr(contacts, 6 * n + 1, 6) as contact
        from quarters cross join lateral generate_series(0, length(contacts) / 6 - 1) n) different
      group by 1, 2, 3, 4, 5, 6, 7
    )
    select account, channel, subject, day, kind, facet, detail, sum(humans), sum(robots), coalesce(string_agg(contacts, ''), '')
    from (
      select account, channel, subject, day, kind, facet, detail, humans, robots, null::bytea as contacts from quarters
      union all
      select account, channel, subject, day, kind, facet, detail, 0, 0, contacts from lists) parts
    group by 1, 2, 3, 4, 5, 6, 7`.execute(tx)
  await sql`
    insert into asked_days (account, channel, subject, day, asked_day, kind, facet, detail, moments, contacts, machines)
    ${selectRequestedDays(selectQuarters(sql`asked_counts`), truncateToUtcDay(sql`c.start`))}`.execute(tx)
}

/** The next day that is counted as a whole and has counts; undefined: none, and what is counted without is passed over. */
async function findNextCountedDay(tx: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ day: Date | null }>`
    with progress as materialized (
      select counted_until, days_until from event_counting for update skip locked
    ), first as (
      select least((select min(start) from event_counts where start >= days_until),
        (select min(start) from event_details where start >= days_until)) as start from progress
    )
    select ${truncateToUtcDay(sql`first.start`)} as day from first, progress where ${truncateToUtcDay(sql`first.start`)} + ${oneDay} <= counted_until`.execute(
    tx,
  )
  return rows[0]?.day ?? undefined
}

/** Puts together the days that are over and counted. Several processes may do so, and one at a time works. Ends after a while, or once it is aborted. */
export async function assembleDayCounts(db: Db, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_RUN_MS
  let hasMore = true
  while (hasMore && performance.now() < deadline && !signal?.aborted)
    hasMore = await inTransaction(db, async (tx) => {
      const day = await findNextCountedDay(tx)
      if (day === undefined) return false
      const dayEnd = new Date(day.getTime() + DAY_MS)
      await insertDays(tx, (table) => sql`${table} c where c.start >= ${day} and c.start < ${dayEnd}`)
      await sql`update event_counting set days_until = ${dayEnd}`.execute(tx)
      return true
    })
}

/** Puts days together once more whose quarters were counted again. The caller has locked the progress of counting. */
export async function reassembleDayCounts(tx: Db, days: readonly ChannelDay[]): Promise<void> {
  const recountedDays = sql`(
    select distinct g.* from unnest(${days.map(({ account }) => account)}::integer[], ${days.map(({ channel }) => channel)}::text[],
      ${days.map(({ day }) => day)}::timestamptz[]) as g (account, channel, day), event_counting p where g.day < p.days_until) s`
  for (const table of [sql`event_days`, sql`asked_days`])
    await sql`delete from ${table} e using ${recountedDays} where e.account = s.account and e.channel = s.channel and e.day = s.day`.execute(
      tx,
    )
  await insertDays(
    tx,
    // One lookup in the index a day, as for quarters that are counted again.
    (table) => sql`${recountedDays} cross join lateral (
      select * from ${table} t where t.account = s.account and t.channel = s.channel and t.start >= s.day
        and t.start < s.day + ${oneDay} offset 0) c`,
  )
}
