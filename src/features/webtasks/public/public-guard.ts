import { refuseTooSoon } from '../../../lib/errors/problem.ts'
import { networkOf } from '../../../lib/net/networks.ts'
import { windowCounter } from '../../../lib/time/window-counter.ts'
import { plainAddress } from '../../events/hits/address.ts'

const SECOND_MS = 1000
const PER_ADDRESS = 10
const PER_WEBTASK = 50

/** Keeps public webtasks from being used up. Instants are milliseconds. */
export interface PublicGuard {
  /** Counts a request of an address; of IPv6 of one /64. Throws 429 with Retry-After. */
  enter(address: string | null, now: number): void
  /** Counts a request for a webtask. Throws 429 with Retry-After. */
  run(webtask: number, now: number): void
}

/** Opens a guard that has counted nothing; each process has its own. */
export function openPublicGuard(): PublicGuard {
  const addresses = windowCounter(PER_ADDRESS, SECOND_MS)
  const webtasks = windowCounter(PER_WEBTASK, SECOND_MS)
  return {
    enter: (address, now) => refuseTooSoon(addresses(networkOf(plainAddress(address) ?? ''), now)),
    run: (webtask, now) => refuseTooSoon(webtasks(String(webtask), now)),
  }
}
