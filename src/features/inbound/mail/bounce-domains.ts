import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type Clock, isStillWaiting } from '../../../lib/time/clock.ts'
import { isUnavailableError, withDatabaseTimeout } from '../../tracking/unavailable.ts'

/** The domains at which reports are received: those of all accounts' return paths. */
export interface BounceDomains {
  /** Whether a domain (lower case) is one. While the database is unavailable by the cached list; rejects when there is none. */
  has(domain: string): Promise<boolean>
}

const CACHE_MS = 10_000

/** Opens the list, cached for ten seconds. `publicHost`: the domain of accounts that have none. */
export function openBounceDomains(db: Db, clock: Clock, publicHost: string): BounceDomains {
  let until = 0
  let known: ReadonlySet<string> | undefined

  async function current(): Promise<ReadonlySet<string>> {
    const now = clock.now()
    if (known && isStillWaiting(until, { now, longestMs: CACHE_MS })) return known
    until = now + CACHE_MS
    try {
      known = await withDatabaseTimeout(readDomains(db))
    } catch (error) {
      if (!known || !isUnavailableError(error)) throw error
    }
    return known
  }

  return { has: async (domain) => domain === publicHost || (await current()).has(domain) }
}

async function readDomains(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ domain: string }>`
    select lower(domain) as domain from sending_domains
    union
    select lower(profile ->> 'bounceDomain') from accounts,
      jsonb_array_elements(coalesce(settings #> '{sending,profiles}', '[]')) as profile
    where profile ->> 'bounceDomain' is not null`.execute(db)
  return new Set(rows.map(({ domain }) => domain))
}
