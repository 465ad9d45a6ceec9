import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { readWallClock } from '../../../lib/time/zones.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import { requireSegments } from '../members/segment-audience.ts'
import { readNewContactsSince } from './counting.ts'
import type { AudienceGrowthDay, AudienceGrowthQuery } from './growth-schemas.ts'

/** Days that are shown where none are asked for. */
const DEFAULT_PERIOD_DAYS = 90

/** The days asked for, as instants of UTC. */
function parseGrowthPeriod(query: AudienceGrowthQuery, now: number): { start: Date; end: Date } {
  const { start, end } = parseTimePeriod(query)
  const periodEnd = end ?? now + DAY_MS
  return { start: new Date(start ?? periodEnd - DEFAULT_PERIOD_DAYS * DAY_MS), end: new Date(periodEnd) }
}

async function readGrowthDays(
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
  const growthPeriod = parseGrowthPeriod(query, now)
  const pastDays = await readGrowthDays(db, { account, segment: null }, growthPeriod)
  const { date } = readWallClock(now, (await readContactSettings(db, account)).timeZone)
  if (date < growthPeriod.start.toISOString().slice(0, 10) || Date.parse(date) >= growthPeriod.end.getTime())
    return pastDays
  const { contacts: count, entered: enteredCount, gone: leftCount } = await readNewContactsSince(db, account, now)
  return [...pastDays, { date, count, entered: enteredCount, left: leftCount }]
}

/** The members of a segment day by day, as they were counted. Throws notFound, 400. */
export async function readSegmentGrowth(
  db: Db,
  { account, segment }: { account: AccountId; segment: number },
  query: AudienceGrowthQuery,
  now: number,
): Promise<AudienceGrowthDay[]> {
  const growthPeriod = parseGrowthPeriod(query, now)
  await requireSegments(db, account, [segment])
  return readGrowthDays(db, { account, segment }, growthPeriod)
}
