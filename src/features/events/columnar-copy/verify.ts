import type { DatabasePool } from '../../../database/connection/connect.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { clickHouseSql, instantParam, rawClickHouseSql } from '../columnar/sql.ts'
import type { EventStore } from '../columnar/store.ts'
import { runInSnapshot } from './sending.ts'

/** A span of time in milliseconds, start inclusive and end exclusive; from -Infinity on: from the first event on. */
export interface ComparedSpan {
  from: number
  until: number
}

/** A day (UTC) of an account that is not the same on both sides. */
export interface DifferingEventDay {
  account: number
  day: string
  here: number
  stored: number
}

interface DayCount {
  account: number
  day: string
  n: number
  checksum: string
}

/** Sums of four bytes of the digest of every event: the text digested is the same on both sides. */
const localDaysSql = `
  select account, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::integer as n,
    sum(('x' || substr(md5(concat_ws(' ', id, channel, kind, coalesce(subject, 0), coalesce(contact, 0),
      coalesce(stamp, '00000000-0000-0000-0000-000000000000'), classification is null, classification, is_test::integer, detail)), 1, 8))::bit(32)::bigint)::text as checksum
  from events where at >= $1 and at < $2 group by 1, 2`

const storeDaysSql = rawClickHouseSql(`select account, toString(toDate(at)) as day, count() as n,
  toString(sum(toUInt64(reinterpretAsUInt32(reverse(substring(MD5(concat(
    UUIDNumToString(toFixedString(reverse(reinterpretAsFixedString(id)), 16)), ' ', channel, ' ', kind, ' ', toString(subject), ' ',
    toString(contact), ' ', toString(stamp), ' ', if(classification = '', 't', concat('f ', classification)), ' ', toString(is_test), ' ',
    detail)), 1, 4)))))) as checksum`)

async function loadStoreDays(store: EventStore, { from, until }: ComparedSpan): Promise<DayCount[]> {
  const whereClause = clickHouseSql`at >= ${instantParam(from)} and at < ${instantParam(until)}`
  return store.rows<DayCount>({
    account: null,
    statement: clickHouseSql`${storeDaysSql} from events_by_time where ${whereClause} group by account, day`,
  })
}

/** Days whose events are not the same here and in the store, by count and checksum, of every account. Day by day, as a month may be large. */
export async function findDifferingDays(
  { pool, store }: { pool: DatabasePool; store: EventStore },
  { from, until }: ComparedSpan,
): Promise<DifferingEventDay[]> {
  const differing: DifferingEventDay[] = []
  const firstTime = Math.max(from, await findFirstEventTime(pool))
  for (let dayStart = Math.floor(firstTime / DAY_MS) * DAY_MS; dayStart < until; dayStart += DAY_MS) {
    const day = { from: Math.max(dayStart, firstTime), until: Math.min(dayStart + DAY_MS, until) }
    const [localResult, storeCounts] = await Promise.all([
      runInSnapshot(pool, (client) => client.query<DayCount>(localDaysSql, [new Date(day.from), new Date(day.until)])),
      loadStoreDays(store, day),
    ])
    differing.push(...compareDayCounts(localResult.rows, storeCounts))
  }
  return differing
}

async function findFirstEventTime(pool: DatabasePool): Promise<number> {
  const { rows } = await pool.query<{ first: Date | null }>('select at as first from events order by id limit 1')
  return rows[0]?.first?.getTime() ?? Number.POSITIVE_INFINITY
}

function compareDayCounts(localCounts: readonly DayCount[], storeCounts: readonly DayCount[]): DifferingEventDay[] {
  const key = ({ account, day }: DayCount) => `${account} ${day}`
  const [localCountsByDay, storeCountsByDay] = [localCounts, storeCounts].map(
    (rows) => new Map(rows.map((row) => [key(row), row])),
  )
  return [...new Set([...localCountsByDay!.keys(), ...storeCountsByDay!.keys()])].flatMap((name) => {
    const [localDay, storeDay] = [localCountsByDay!.get(name), storeCountsByDay!.get(name)]
    if (localDay?.n === storeDay?.n && localDay?.checksum === storeDay?.checksum) return []
    const { account, day } = (localDay ?? storeDay)!
    return [{ account, day, here: localDay?.n ?? 0, stored: storeDay?.n ?? 0 }]
  })
}
