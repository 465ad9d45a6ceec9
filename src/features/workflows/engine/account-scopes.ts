import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { describeAccount } from '../../accounts/accounts.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'

/** Values of an account that expressions can read. */
export interface AccountScope {
  agency: string
  customer: string
  name: string
  culture: string
}

/** Cache of the account values that expressions can read, refreshed every second. */
export interface AccountScopeCache {
  load(db: Db, accounts: readonly AccountId[]): Promise<void>
  /** Describes an account that was loaded. */
  describe(account: AccountId): AccountScope
}

const CACHE_TTL_MS = 1000
const MAX_CACHED_ACCOUNTS = 10_000

/** Opens the cache of accounts. */
export function openAccountScopeCache(clock: Clock): AccountScopeCache {
  const scopeCache = new LRUCache<AccountId, { until: number; account: AccountScope }>({ max: MAX_CACHED_ACCOUNTS })
  return {
    async load(db, accounts) {
      const now = clock.now()
      for (const account of new Set(accounts)) {
        if ((scopeCache.get(account)?.until ?? 0) > now) continue
        const { identity, name } = await describeAccount(db, account)
        const { culture } = await readSendingSettings(db, account)
        const { agency, customer } = identity
        scopeCache.set(account, { until: now + CACHE_TTL_MS, account: { agency, customer, name, culture } })
      }
    },
    describe(account) {
      const cachedScope = scopeCache.get(account)
      if (!cachedScope) throw new Error(`account ${account} is not loaded`)
      return cachedScope.account
    },
  }
}
