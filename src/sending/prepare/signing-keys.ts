import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import { type AccountSigningKeys, loadSigningKeys, NO_SIGNING_KEYS } from '../../features/accounts/domain-keys.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { type Clock, isStillWaiting } from '../../lib/time/clock.ts'

/** How soon keys that were made, exchanged or removed are noticed. */
const REREAD_MS = 1000

/** What a sender signs with: read again every second, opened once. Private keys are in memory here and nowhere else. */
export interface SenderSigningKeys {
  of(account: AccountId): Promise<AccountSigningKeys['byDomain']>
}

interface Known {
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
  const accounts = new Map<AccountId, Known>()
  const reported = new Set<string>()

  function report(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (reported.has(text)) return
    reported.add(text)
    log.error({ reason: text }, 'a signing key cannot be opened')
  }

  async function read(account: AccountId, known: Known | undefined): Promise<AccountSigningKeys> {
    const before = (await known?.keys.catch(() => undefined)) ?? NO_SIGNING_KEYS
    return loadSigningKeys(db, masterKeys, account, { before, report })
  }

  return {
    async of(account) {
      const known = accounts.get(account)
      if (known && isStillWaiting(known.until, { now: clock.now(), longestMs: REREAD_MS }))
        return (await known.keys).byDomain
      const keys = read(account, known)
      accounts.set(account, { until: clock.now() + REREAD_MS, keys })
      keys.catch(() => accounts.delete(account))
      return (await keys).byDomain
    },
  }
}
