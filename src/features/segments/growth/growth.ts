import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { readWallClock } from '../../../lib/time/zones.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import { requireSegments } from '../members/audience.ts'
import { readNewContactsSince } from './counting.ts'
import type { AudienceGrowthDay, AudienceGrowthQuery } from './growth-schemas.ts'

/** Days that are shown where none are asked for. */
const DEFAULT_DAYS = 90

/** The days asked for, as instants of UTC. */
function daysOf(query: AudienceGrowthQuery, now: number): { start: Date; end: Date } {
  const { start, end } = parseTimePeriod(query)
  const until = end ?? now + DAY_MS
  return { start: new Date(start ?? until - DEFAULT_DAYS * DAY_MS), end: new Date(until) }
}

async function counted(
  db: Db,
  { account, segment }: { account: AccountId; segment: number | null },
  { start, end }: { start: Date; end: Date },
): Promise<AudienceGrowthDay[]> {
  const { rows } = await sql<AudienceGrowthDay>`
    select day::text as date, contacts as count, entered, gone as left from growth_days
    where account = ${account} and segment is not distinct from ${segment}::integer
      and day >= (${start}::timestamptz at time zone 'UTC')::date and day::timestamp < ${end}::timestamptz at time zone 'UTC'
    order by day`.execute(db)
  return rows
}

/** The contacts of an account day by day, today so far included. Throws 400. */
export async function readContactGrowth(
  db: Db,
  account: AccountId,
  query: AudienceGrowthQuery,
  now: number,
): Promise<AudienceGrowthDay[]> {
  const days = daysOf(query, now)
  const past = await counted(db, { account, segment: null }, days)
  const { date } = readWallClock(now, (await readContactSettings(db, account)).timeZone)
  if (date < days.start.toISOString().slice(0, 10) || Date.parse(date) >= days.end.getTime()) return past
  const { contacts: count, entered, gone: left } = await readNewContactsSince(db, account, now)
  return [...past, { date, count, entered, left }]
}

/** The members of a segment day by day, as they were counted. Throws notFound, 400. */
export async function readSegmentGrowth(
  db: Db,
  { account, segment }: { account: AccountId; segment: number },
  query: AudienceGrowthQuery,
  now: number,
): Promise<AudienceGrowthDay[]> {
  const days = daysOf(query, now)
  await requireSegments(db, account, [segment])
  return counted(db, { account, segment }, days)
}
