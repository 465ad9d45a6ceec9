import { refuseTooSoon } from '../../../lib/errors/problem.ts'
import { networkOf } from '../../../lib/net/networks.ts'
import { windowCounter } from '../../../lib/time/window-counter.ts'
import { plainAddress } from '../../events/hits/address.ts'

/** How many requests of devices a process takes. */
export interface DeviceLimits {
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
export function openDeviceGuard({ perAddress, perSubscription, newPerSecond }: DeviceLimits): DeviceGuard {
  const addresses = windowCounter(perAddress, MINUTE_MS)
  const subscriptions = windowCounter(perSubscription, MINUTE_MS)
  const applications = windowCounter(newPerSecond, 1000)
  return {
    enter: (address, now) => refuseTooSoon(addresses(networkOf(plainAddress(address) ?? ''), now)),
    put: (subscription, now) => refuseTooSoon(subscriptions(subscription, now)),
    isNewTaken: (application, now) => applications(application, now) === 0,
  }
}
