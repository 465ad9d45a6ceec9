import { assertNotTooEarly } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { normalizeIpAddress } from '../../events/hits/address.ts'

const SECOND_MS = 1000
const PER_ADDRESS = 10
const PER_WEBTASK = 50

/** Keeps public webtasks from being used up. Instants are milliseconds. */
export interface PublicWebtaskGuard {
  /** Counts a request of an address; of IPv6 of one /64. Throws 429 with Retry-After. */
  enter(address: string | null, now: number): void
  /** Counts a request for a webtask. Throws 429 with Retry-After. */
  run(webtask: number, now: number): void
}

/** Opens a guard that has counted nothing; each process has its own. */
export function createPublicWebtaskGuard(): PublicWebtaskGuard {
  const addresses = createWindowCounter(PER_ADDRESS, SECOND_MS)
  const webtasks = createWindowCounter(PER_WEBTASK, SECOND_MS)
  return {
    enter: (address, now) => assertNotTooEarly(addresses(toNetworkPrefix(normalizeIpAddress(address) ?? ''), now)),
    run: (webtask, now) => assertNotTooEarly(webtasks(String(webtask), now)),
  }
}
