import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Problem } from '../../lib/problem.ts'
import { plainAddress } from '../events/address.ts'

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
/** Names counted at once, to bound the memory; more of them at a time are not limited. */
const MAX_NAMES = 100_000

interface Window {
  since: number
  n: number
}

/** Counts by name in windows that begin with the first count; gives the milliseconds to wait when there were too many. */
function counter(most: number, windowMs: number): (name: string, now: number) => number {
  const windows = new LRUCache<string, Window>({ max: MAX_NAMES })
  return (name, now) => {
    const known = windows.get(name)
    if (known === undefined || now - known.since >= windowMs || now < known.since) {
      windows.set(name, { since: now, n: 1 })
      return most > 0 ? 0 : windowMs
    }
    return ++known.n > most ? known.since + windowMs - now : 0
  }
}

/** The first 64 bits of an IPv6 address in full groups: what one household has. IPv4 addresses stay. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const left = head.split(':').filter((group) => group !== '')
  const right = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? [] : new Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].slice(0, 4).join(':')
}

function refuse(waitMs: number): void {
  if (waitMs <= 0) return
  throw new Problem(429, 'too-many-requests', 'Too many requests; try again later.', {
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  })
}

/** Opens a guard that has counted nothing; each process has its own. */
export function openDeviceGuard({ perAddress, perSubscription, newPerSecond }: DeviceLimits): DeviceGuard {
  const addresses = counter(perAddress, MINUTE_MS)
  const subscriptions = counter(perSubscription, MINUTE_MS)
  const applications = counter(newPerSecond, 1000)
  return {
    enter: (address, now) => refuse(addresses(networkOf(plainAddress(address) ?? ''), now)),
    put: (subscription, now) => refuse(subscriptions(subscription, now)),
    isNewTaken: (application, now) => applications(application, now) === 0,
  }
}
