import { assertNotTooEarly } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { normalizeIpAddress } from '../../events/hits/address.ts'

const WINDOW_MS = 1000
const MAX_RUNS_PER_ADDRESS = 10
const MAX_RUNS_PER_WEBTASK = 50

/** Keeps public webtasks from being used up. Instants are milliseconds. */
export interface PublicWebtaskGuard {
  /** Counts a request of an address; of IPv6 of one /64. Throws 429 with Retry-After. */
  enter(address: string | null, now: number): void
  /** Counts a request for a webtask. Throws 429 with Retry-After. */
  run(webtask: number, now: number): void
}

/** Opens a guard that has counted nothing; each process has its own. */
export function createPublicWebtaskGuard(): PublicWebtaskGuard {
  const addresses = createWindowCounter(MAX_RUNS_PER_ADDRESS, WINDOW_MS)
  const webtaskCounter = createWindowCounter(MAX_RUNS_PER_WEBTASK, WINDOW_MS)
  return {
    enter: (address, now) => assertNotTooEarly(addresses(toNetworkPrefix(normalizeIpAddress(address) ?? ''), now)),
    run: (webtask, now) => assertNotTooEarly(webtaskCounter(String(webtask), now)),
  }
}
