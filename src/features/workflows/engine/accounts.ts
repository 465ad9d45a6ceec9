import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { describeAccount } from '../../accounts/accounts.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'

/** What expressions see of an account. */
export interface AccountScope {
  agency: string
  customer: string
  name: string
  culture: string
}

/** What expressions see of accounts, read again every second. */
export interface AccountScopeCache {
  load(db: Db, accounts: readonly AccountId[]): Promise<void>
  /** Of an account that was loaded. */
  describe(account: AccountId): AccountScope
}

const CACHED_MS = 1000
const MAX_CACHED = 10_000

/** Opens the cache of accounts. */
export function openAccountScopeCache(clock: Clock): AccountScopeCache {
  const kept = new LRUCache<AccountId, { until: number; account: AccountScope }>({ max: MAX_CACHED })
  return {
    async load(db, accounts) {
      const now = clock.now()
      for (const account of new Set(accounts)) {
        if ((kept.get(account)?.until ?? 0) > now) continue
        const { identity, name } = await describeAccount(db, account)
        const { culture } = await readSendingSettings(db, account)
        const { agency, customer } = identity
        kept.set(account, { until: now + CACHED_MS, account: { agency, customer, name, culture } })
      }
    },
    describe(account) {
      const known = kept.get(account)
      if (!known) throw new Error(`account ${account} is not loaded`)
      return known.account
    },
  }
}
