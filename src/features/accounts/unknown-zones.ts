import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import { listTimeZoneNames } from '../../lib/time/zones.ts'

/** A time zone of accounts whose name the database does not know. */
export interface UnknownTimeZone {
  zone: string
  /** Codes of its accounts. */
  accounts: string[]
  /** The name that statements use instead; null if they are refused. */
  fallback: string | null
}

/** The time zones of accounts whose names the database does not know. */
export async function findUnknownTimeZones(db: Db): Promise<UnknownTimeZone[]> {
  const { rows } = await sql<{ zone: string; accounts: string[] }>`
    select z.zone, array_agg(a.agency || a.customer order by a.agency, a.customer) as accounts
    from accounts a cross join lateral (select a.settings #>> '{contacts,timeZone}' as zone) z
    where z.zone is not null group by z.zone having known_zone(array[z.zone]) is null order by z.zone`.execute(db)
  return Promise.all(
    rows.map(async ({ zone, accounts }) => {
      const { rows: zoneRows } = await sql<{ name: string | null }>`
        select known_zone(${listTimeZoneNames(zone)}::text[]) as name`.execute(db)
      return { zone, accounts, fallback: zoneRows[0]?.name ?? null }
    }),
  )
}
