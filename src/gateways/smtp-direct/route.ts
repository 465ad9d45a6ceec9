import { LRUCache } from 'lru-cache'
import { DnsUnavailable, type Exchange, type MailDns } from '../../lib/net/dns.ts'
import { isPublicAddress } from '../../lib/net/public-address.ts'
import { stillWaits } from '../../lib/time/clock.ts'
import type { Refused } from '../gateway.ts'
import { allowsHost, type FindPolicy } from './mta-sts.ts'

/** An MX host of a domain, and its addresses. */
export interface RouteHost {
  host: string
  preference: number
  addresses: readonly string[]
}

/** Where the mail of a domain goes: hosts, best first; or why there is none, for now or permanently. */
export type Route =
  | { hosts: readonly RouteHost[]; isVerified: boolean }
  | { refused: Pick<Refused, 'reply' | 'enhanced'> & { code: number } }
  | { deferred: string }

/** Finds the route of a domain (in A-labels, lower case). Never throws for a domain. */
export type FindRoute = (domain: string, now: number) => Promise<Route>

export interface RouterParts {
  dns: MailDns
  findPolicy: FindPolicy | undefined
  allowPrivate: boolean
}

/** Hosts of a domain that are looked at. */
const MAX_HOSTS = 6

/** How long a route is cached: the TTL of its addresses within bounds; the absence of a route for the shortest time. */
const MIN_CACHED_MS = 60_000
const MAX_CACHED_MS = 15 * 60_000
const MAX_ROUTES = 20_000

function refused(code: number, enhanced: string, text: string): Route {
  return { refused: { code, enhanced, reply: `${code} ${enhanced} ${text}` } }
}

const NO_DOMAIN = refused(550, '5.1.2', 'The domain does not exist.')
const NO_MAIL = refused(550, '5.1.2', 'The domain has no server that takes mail.')
const NULL_MX = refused(556, '5.1.10', 'The domain takes no mail.')
const NOT_PUBLIC = refused(550, '5.4.4', 'The servers of the domain have no public address.')
const UNKNOWN_HOSTS = refused(550, '5.4.4', 'The servers of the domain have no address.')

interface Found {
  route: Route
  keepMs: number
}

const brief = (route: Route): Found => ({ route, keepMs: MIN_CACHED_MS })

/** The MX hosts; the domain itself when it has none (RFC 5321, 5.1). */
async function hostsOf(domain: string, { dns }: RouterParts): Promise<readonly Exchange[] | Route> {
  const exchanges = await dns.exchanges(domain)
  if (exchanges === undefined) return NO_DOMAIN
  if (exchanges.length === 0) return [{ host: domain, preference: 0 }]
  // RFC 7505: a lone root.
  const named = exchanges.filter(({ host }) => host !== '')
  return named.length === 0 ? NULL_MX : named
}

/** The addresses of the hosts; none for hosts whose name servers did not answer. */
async function resolveHosts(exchanges: readonly Exchange[], { dns }: RouterParts) {
  const answers = await Promise.allSettled(exchanges.map(({ host }) => dns.addresses(host)))
  const away = answers.find((answer) => answer.status === 'rejected')?.reason
  if (away !== undefined && !(away instanceof DnsUnavailable)) throw away
  const hosts = exchanges.flatMap(({ host, preference }, index) => {
    const answer = answers[index]
    const found = answer?.status === 'fulfilled' ? answer.value : undefined
    return found && found.addresses.length > 0 ? [{ host, preference, ...found }] : []
  })
  return { hosts, away }
}

async function lookUp(domain: string, parts: RouterParts, now: number): Promise<Found> {
  const named = await hostsOf(domain, parts)
  if (!('length' in named)) return brief(named)
  const policy = await parts.findPolicy?.(domain, now)
  const isVerified = policy?.mode === 'enforce'
  const allowed = isVerified ? named.filter(({ host }) => allowsHost(policy, host)) : named
  if (allowed.length === 0) return brief({ deferred: 'no server of the domain is one that its MTA-STS policy names' })

  const { hosts, away } = await resolveHosts(allowed.slice(0, MAX_HOSTS), parts)
  if (hosts.length === 0 && away !== undefined) return brief({ deferred: away.message })
  if (hosts.length === 0) return brief(named[0]?.host === domain ? NO_MAIL : UNKNOWN_HOSTS)
  const reachable = hosts.flatMap(({ host, preference, addresses }) => {
    const open = parts.allowPrivate ? addresses : addresses.filter(isPublicAddress)
    return open.length > 0 ? [{ host, preference, addresses: open }] : []
  })
  if (reachable.length === 0) return brief(NOT_PUBLIC)
  const ttlMs = Math.min(...hosts.map(({ ttl }) => ttl)) * 1000
  return {
    route: { hosts: reachable, isVerified },
    keepMs: Math.min(MAX_CACHED_MS, Math.max(MIN_CACHED_MS, ttlMs)),
  }
}

/** Finds routes and caches them; concurrent look-ups of one domain share one answer. */
export function router(parts: RouterParts): FindRoute {
  const kept = new LRUCache<string, { route: Promise<Route>; until: number; longestMs: number }>({ max: MAX_ROUTES })
  return (domain, now) => {
    const before = kept.get(domain)
    if (before !== undefined && stillWaits(before.until, { now, longestMs: before.longestMs })) return before.route
    const never = Number.POSITIVE_INFINITY
    const entry = { until: never, longestMs: never, route: find() }
    async function find(): Promise<Route> {
      try {
        const { route, keepMs } = await lookUp(domain, parts, now)
        entry.until = now + keepMs
        entry.longestMs = keepMs
        return route
      } catch (error) {
        kept.delete(domain)
        if (error instanceof DnsUnavailable) return { deferred: error.message }
        throw error
      }
    }
    kept.set(domain, entry)
    return entry.route
  }
}

/** The order in which hosts are tried: by preference, equal ones shuffled (RFC 5321, 5.1). */
export function inTurn(hosts: readonly RouteHost[], random: () => number = Math.random): RouteHost[] {
  return hosts
    .map((host) => ({ host, place: random() }))
    .toSorted((a, b) => a.host.preference - b.host.preference || a.place - b.place)
    .map(({ host }) => host)
}
