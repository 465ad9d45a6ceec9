import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { formatPostgresArray } from '../../../database/rows/array-text.ts'
import type { AccountId } from '../../../lib/account.ts'
import { memoize } from '../../../lib/concurrency/memoize.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import { isTimeZoneOrOffset } from '../../../lib/time/zones.ts'

/** Kinds that say when a person reads. */
const READING_KINDS = ['hits/open', 'hits/redirection', 'interactions/read', 'interactions/redirection']
/** Hours older than a year are deleted, in whole months. */
export const CONTACT_HOURS_RETENTION_MONTHS = 12
/** Zones and quarters of each whose hours are remembered. */
const [ZONES_KEPT, QUARTERS_KEPT] = [500, 100]

/** A hit of a person: its event, and the instant of the hit. */
export interface FinalizedHit {
  event: string
  at: Date
  hit_at: Date
}

interface ZonedHit {
  account: AccountId
  contact: number
  hit_at: Date
  time_zone: string | null
  own_zone: string | null
}

/** Month and hour of the week (0: Monday, from 0:00) that clocks of a zone show at an instant. */
export function toWeekHour(at: Date, zone: string): { month: string; hour: number } {
  const localTime = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  return {
    month: `${localTime.toPlainDate().toString().slice(0, 7)}-01`,
    hour: (localTime.dayOfWeek - 1) * 24 + localTime.hour,
  }
}

/** `toWeekHour`, by zone and quarter of an hour: clocks of all zones change, and begin their hours, with a quarter. */
const findWeekHour = memoize(ZONES_KEPT, (zone: string) =>
  memoize(QUARTERS_KEPT, (quarter: number) => toWeekHour(new Date(quarter * QUARTER_HOUR_MS), zone)),
)

/**
 * Hits with the zones of their contents and contacts; proofs and erased contacts are left out. A content is large: each is
 * read once.
 */
async function listZonedHits(tx: Db, hits: readonly FinalizedHit[]): Promise<ZonedHit[]> {
  const { rows } = await sql<ZonedHit>`${buildPreparedPrefix('hits-zoned')}
    with found as materialized (
      select e.account, e.contact, n.hit_at, s.version
      from unnest(${formatPostgresArray(hits.map(({ event }) => event))}::uuid[], ${formatPostgresArray(hits.map(({ at }) => at))}::timestamptz[],
        ${formatPostgresArray(hits.map(({ hit_at }) => hit_at))}::timestamptz[]) as n (event, at, hit_at)
      join events e on e.id = n.event and e.at = n.at
      left join sent_messages s on s.account = e.account and s.stamp = e.stamp
      where e.kind = any(${READING_KINDS}::text[]) and e.classification is null and not e.is_test
        and not exists (select from erased_contacts r where r.account = e.account and r.contact = e.contact)
    ), zones as materialized (
      select id, source #>> '{settings,timeZone}' as zone, source #>> '{settings,timeZoneField}' as field
      from content_versions where id in (select version from found)
    )
    select f.account, f.contact, f.hit_at, z.zone as time_zone, c.fields ->> z.field as own_zone
    from found f join contacts c on c.account = f.account and c.id = f.contact left join zones z on z.id = f.version`.execute(
    tx,
  )
  return rows
}

/** Counts hits of people by the hour of the week in the zones of their contacts, in one order, so that nothing deadlocks. */
export async function countContactHours(tx: Db, hits: readonly FinalizedHit[]): Promise<void> {
  if (hits.length === 0) return
  const zonedHours = (await listZonedHits(tx, hits)).map(({ account, contact, hit_at, own_zone, time_zone }) => ({
    account,
    contact,
    ...findWeekHour([own_zone?.trim(), time_zone].find((zone) => zone != null && isTimeZoneOrOffset(zone)) ?? 'UTC')(
      Math.floor(hit_at.getTime() / QUARTER_HOUR_MS),
    ),
  }))
  if (zonedHours.length === 0) return
  await sql`${buildPreparedPrefix('hours-kept')}
    with given as materialized (
      select account, contact, month, hour, count(*)::integer as hits
      from unnest(${formatPostgresArray(zonedHours.map(({ account }) => account))}::integer[], ${formatPostgresArray(zonedHours.map(({ contact }) => contact))}::bigint[],
        ${formatPostgresArray(zonedHours.map(({ month }) => month))}::date[], ${formatPostgresArray(zonedHours.map(({ hour }) => hour))}::smallint[])
        as n (account, contact, month, hour)
      group by 1, 2, 3, 4
    ), own as (
      insert into contact_hours as h (account, contact, month, hour, hits)
      select * from given order by account, contact, month, hour
      on conflict (account, contact, month, hour) do update set hits = h.hits + excluded.hits
    )
    insert into account_hours as h (account, month, hour, hits)
    select account, month, hour, sum(hits) from given group by 1, 2, 3 order by 1, 2, 3
    on conflict (account, month, hour) do update set hits = h.hits + excluded.hits`.execute(tx)
}

/** Hits of a year by hour of the week: of each contact that has some, and of the whole account. */
export async function readContactHours(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
  now: Date,
): Promise<{ of: Map<number, Map<number, number>>; all: Map<number, number> }> {
  const sinceMonth = sql`date_trunc('month', ${now}::timestamptz - interval ${sql.lit(`${CONTACT_HOURS_RETENTION_MONTHS} months`)})::date`
  const { rows } = await sql<{ contact: number; hour: number; hits: number }>`
    select contact, hour, sum(hits)::integer as hits from contact_hours
    where account = ${account} and contact = any(${formatPostgresArray(contacts)}::bigint[]) and month >= ${sinceMonth} group by 1, 2`.execute(
    db,
  )
  const { rows: totalRows } = await sql<{ hour: number; hits: number }>`
    select hour, sum(hits)::bigint as hits from account_hours where account = ${account} and month >= ${sinceMonth} group by 1`.execute(
    db,
  )
  const hoursByContact = new Map<number, Map<number, number>>()
  for (const { contact, hour, hits } of rows)
    hoursByContact.set(contact, (hoursByContact.get(contact) ?? new Map()).set(hour, hits))
  return { of: hoursByContact, all: new Map(totalRows.map(({ hour, hits }) => [hour, Number(hits)])) }
}

/** Forgets when erased contacts read; what the account sums up names nobody. */
export async function eraseContactHours(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  await sql`delete from contact_hours where account = ${account} and contact = any(${formatPostgresArray(contacts)}::bigint[])`.execute(
    tx,
  )
}
