import type { Db } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AddressDetail } from '../events/address.ts'
import { readEventSettings } from '../events/event-settings.ts'
import { within } from './away.ts'

/** How much of addresses each account keeps; while the database is away the last known answer, else `truncated`. */
export type AddressDetails = (account: AccountId) => Promise<AddressDetail>

const TRUST_MS = 1000
/** A database that does not answer must not hold up a redirect. */
const PATIENCE_MS = 250
const DEFAULT: AddressDetail = 'truncated'

interface Known {
  until: number
  detail: AddressDetail
  /** Null when the setting is not being read. */
  reading: Promise<AddressDetail> | null
}

/** Opens the store of the setting `ip`, read again every second. */
export function openAddressDetails(db: Db, clock: Clock): AddressDetails {
  const known = new Map<AccountId, Known>()

  async function refresh(account: AccountId, entry: Known): Promise<AddressDetail> {
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
    const entry = known.get(account) ?? { until: 0, detail: DEFAULT, reading: null }
    if (entry.until <= now) {
      known.set(account, entry)
      entry.until = now + TRUST_MS
      entry.reading = refresh(account, entry)
    }
    return entry.reading === null ? entry.detail : within(entry.reading, PATIENCE_MS, entry.detail)
  }
}
