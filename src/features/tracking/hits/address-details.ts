import type { Db } from '../../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { IpAddressDetail } from '../../events/hits/address.ts'
import { readEventSettings } from '../../events/settings/event-settings.ts'
import { resolveWithin } from '../unavailable.ts'

/** Address detail that each account stores. While the database is unavailable, the cached value, else `truncated`. */
export type AddressDetailCache = (account: AccountId) => Promise<IpAddressDetail>

const CACHE_TTL_MS = 1000
/** A database that does not answer must not hold up a redirect. */
const READ_TIMEOUT_MS = 250
const DEFAULT_DETAIL: IpAddressDetail = 'truncated'

interface CachedDetail {
  until: number
  detail: IpAddressDetail
  /** Null when no read is in progress. */
  reading: Promise<IpAddressDetail> | null
}

/** Opens the cache of the setting `ip`, read again every second. */
export function openAddressDetailCache(db: Db, clock: Clock): AddressDetailCache {
  const cache = new Map<AccountId, CachedDetail>()

  async function refresh(account: AccountId, entry: CachedDetail): Promise<IpAddressDetail> {
    try {
      entry.detail = (await readEventSettings(db, account)).ip
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    } finally {
      entry.reading = null
    }
    return entry.detail
  }

  return async (account) => {
    const now = clock.now()
    const entry = cache.get(account) ?? { until: 0, detail: DEFAULT_DETAIL, reading: null }
    if (entry.until <= now) {
      cache.set(account, entry)
      entry.until = now + CACHE_TTL_MS
      entry.reading = refresh(account, entry)
    }
    return entry.reading === null ? entry.detail : resolveWithin(entry.reading, READ_TIMEOUT_MS, entry.detail)
  }
}
