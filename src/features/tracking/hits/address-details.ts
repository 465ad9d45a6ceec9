import type { Db } from '../../../database/connection/connect.ts'
import { isUnavailable } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { AddressDetail } from '../../events/hits/address.ts'
import { readEventSettings } from '../../events/settings/event-settings.ts'
import { valueWithin } from '../unavailable.ts'

/** How much of addresses each account keeps; while the database is unavailable the cached answer, else `truncated`. */
export type AddressDetails = (account: AccountId) => Promise<AddressDetail>

const CACHE_MS = 1000
/** A database that does not answer must not hold up a redirect. */
const TIMEOUT_MS = 250
const DEFAULT: AddressDetail = 'truncated'

interface CachedDetail {
  until: number
  detail: AddressDetail
  /** Null when no read is in progress. */
  reading: Promise<AddressDetail> | null
}

/** Opens the cache of the setting `ip`, read again every second. */
export function openAddressDetails(db: Db, clock: Clock): AddressDetails {
  const cache = new Map<AccountId, CachedDetail>()

  async function refresh(account: AccountId, entry: CachedDetail): Promise<AddressDetail> {
    try {
      entry.detail = (await readEventSettings(db, account)).ip
    } catch (error) {
      if (!isUnavailable(error)) throw error
    } finally {
      entry.reading = null
    }
    return entry.detail
  }

  return async (account) => {
    const now = clock.now()
    const entry = cache.get(account) ?? { until: 0, detail: DEFAULT, reading: null }
    if (entry.until <= now) {
      cache.set(account, entry)
      entry.until = now + CACHE_MS
      entry.reading = refresh(account, entry)
    }
    return entry.reading === null ? entry.detail : valueWithin(entry.reading, TIMEOUT_MS, entry.detail)
  }
}
