import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import { type AccountSigningKeys, loadSigningKeys, NO_SIGNING_KEYS } from '../../features/accounts/domain-keys.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { type Clock, isStillWaiting } from '../../lib/time/clock.ts'

/** Longest delay before created, exchanged or removed keys are noticed. */
const REFRESH_INTERVAL_MS = 1000

/** Signing keys of a sender: read again every second, opened once. Private keys are in memory only here. */
export interface SenderSigningKeys {
  of(account: AccountId): Promise<AccountSigningKeys['byDomain']>
}

interface CachedKeys {
  until: number
  keys: Promise<AccountSigningKeys>
}

/** Opens the keys of a sender. One that cannot be opened is logged once: its domain counts as one without keys. */
export function openSenderSigningKeys(context: {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
}): SenderSigningKeys {
  const { db, masterKeys, clock, log } = context
  const keysByAccount = new Map<AccountId, CachedKeys>()
  const reportedErrors = new Set<string>()

  function reportOnce(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (reportedErrors.has(text)) return
    reportedErrors.add(text)
    log.error({ reason: text }, 'signing key cannot be opened')
  }

  async function readKeys(account: AccountId, cachedKeys: CachedKeys | undefined): Promise<AccountSigningKeys> {
    const previousKeys = (await cachedKeys?.keys.catch(() => undefined)) ?? NO_SIGNING_KEYS
    return loadSigningKeys(db, masterKeys, account, { before: previousKeys, report: reportOnce })
  }

  return {
    async of(account) {
      const cachedKeys = keysByAccount.get(account)
      if (cachedKeys && isStillWaiting(cachedKeys.until, { now: clock.now(), longestMs: REFRESH_INTERVAL_MS }))
        return (await cachedKeys.keys).byDomain
      const pendingKeys = readKeys(account, cachedKeys)
      keysByAccount.set(account, { until: clock.now() + REFRESH_INTERVAL_MS, keys: pendingKeys })
      pendingKeys.catch(() => keysByAccount.delete(account))
      return (await pendingKeys).byDomain
    },
  }
}
