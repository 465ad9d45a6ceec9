import { assertNotTooEarly } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { normalizeIpAddress } from '../../events/hits/address.ts'

/** Limits of device requests per process. */
export interface DeviceRequestLimits {
  /** Requests a minute of one address; of IPv6 of one /64. */
  perAddress: number
  /** Puts a minute of one subscription. */
  perSubscription: number
  /** New subscriptions a second of one application. */
  newPerSecond: number
}

/** Keeps the device routes from being used up. Instants are milliseconds. */
export interface DeviceGuard {
  /** Counts a request of an address. Throws 429 with Retry-After. */
  enter(address: string | null, now: number): void
  /** Counts a put of a subscription. Throws 429 with Retry-After. */
  put(subscription: string, now: number): void
  /** Counts a new subscription of an application; whether it is taken. */
  isNewTaken(application: string, now: number): boolean
}

const MINUTE_MS = 60_000

/** Opens a guard that has counted nothing; each process has its own. */
export function openDeviceGuard({ perAddress, perSubscription, newPerSecond }: DeviceRequestLimits): DeviceGuard {
  const addresses = createWindowCounter(perAddress, MINUTE_MS)
  const subscriptions = createWindowCounter(perSubscription, MINUTE_MS)
  const applications = createWindowCounter(newPerSecond, 1000)
  return {
    enter: (address, now) => assertNotTooEarly(addresses(toNetworkPrefix(normalizeIpAddress(address) ?? ''), now)),
    put: (subscription, now) => assertNotTooEarly(subscriptions(subscription, now)),
    isNewTaken: (application, now) => applications(application, now) === 0,
  }
}
