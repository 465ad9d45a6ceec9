import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type Clock, isStillWaiting } from '../../../lib/time/clock.ts'
import { isUnavailableError, withDatabaseTimeout } from '../../tracking/unavailable.ts'

/** The domains at which reports are received: those of all accounts' return paths. */
export interface BounceDomains {
  /**
   * True if a domain (lower case) is a bounce domain. Uses the cached list while the database is unavailable; rejects if there is no list.
   */
  has(domain: string): Promise<boolean>
}

const CACHE_TTL_MS = 10_000

/** Opens the list, cached for ten seconds. `publicHost`: the domain of accounts that have none. */
export function openBounceDomains(db: Db, clock: Clock, publicHost: string): BounceDomains {
  let expiresAt = 0
  let cachedDomains: ReadonlySet<string> | undefined

  async function readCurrentDomains(): Promise<ReadonlySet<string>> {
    const now = clock.now()
    if (cachedDomains && isStillWaiting(expiresAt, { now, longestMs: CACHE_TTL_MS })) return cachedDomains
    expiresAt = now + CACHE_TTL_MS
    try {
      cachedDomains = await withDatabaseTimeout(loadBounceDomains(db))
    } catch (error) {
      if (!cachedDomains || !isUnavailableError(error)) throw error
    }
    return cachedDomains
  }

  return { has: async (domain) => domain === publicHost || (await readCurrentDomains()).has(domain) }
}

async function loadBounceDomains(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ domain: string }>`
    select lower(domain) as domain from sending_domains
    union
    select lower(profile ->> 'bounceDomain') from accounts,
      jsonb_array_elements(coalesce(settings #> '{sending,profiles}', '[]')) as profile
    where profile ->> 'bounceDomain' is not null`.execute(db)
  return new Set(rows.map(({ domain }) => domain))
}
