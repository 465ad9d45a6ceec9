import { LRUCache } from 'lru-cache'
import { DnsUnavailableError, type MailDnsResolver, type MailExchange } from '../../lib/net/dns.ts'
import { isPublicAddress } from '../../lib/net/public-address.ts'
import { isStillWaiting } from '../../lib/time/clock.ts'
import type { RefusedDelivery } from '../gateway.ts'
import { isHostAllowedByPolicy, type MtaStsPolicyFinder } from './mta-sts.ts'

/** An MX host of a domain, and its addresses. */
export interface MailRouteHost {
  host: string
  preference: number
  addresses: readonly string[]
}

/** Where the mail of a domain goes: hosts, best first; or why there is none, for now or permanently. */
export type MailRoute =
  | { hosts: readonly MailRouteHost[]; isVerified: boolean }
  | { refused: Pick<RefusedDelivery, 'reply' | 'enhanced'> & { code: number } }
  | { deferred: string }

/** Finds the route of a domain (in A-labels, lower case). Never throws for a domain. */
export type MailRouteFinder = (domain: string, now: number) => Promise<MailRoute>

export interface MailRouterServices {
  dns: MailDnsResolver
  findPolicy: MtaStsPolicyFinder | undefined
  allowPrivate: boolean
}

/** Hosts of a domain that are looked at. */
const MAX_HOSTS = 6

/** How long a route is cached: the TTL of its addresses within bounds; the absence of a route for the shortest time. */
const MIN_CACHED_MS = 60_000
const MAX_CACHED_MS = 15 * 60_000
const MAX_ROUTES = 20_000

function refused(code: number, enhanced: string, text: string): MailRoute {
  return { refused: { code, enhanced, reply: `${code} ${enhanced} ${text}` } }
}

const NO_DOMAIN = refused(550, '5.1.2', 'The domain does not exist.')
const NO_MAIL = refused(550, '5.1.2', 'The domain has no server that takes mail.')
const NULL_MX = refused(556, '5.1.10', 'The domain takes no mail.')
const NOT_PUBLIC = refused(550, '5.4.4', 'The servers of the domain have no public address.')
const UNKNOWN_HOSTS = refused(550, '5.4.4', 'The servers of the domain have no address.')

interface Found {
  route: MailRoute
  keepMs: number
}

const brief = (route: MailRoute): Found => ({ route, keepMs: MIN_CACHED_MS })

/** The MX hosts; the domain itself when it has none (RFC 5321, 5.1). */
async function hostsOf(domain: string, { dns }: MailRouterServices): Promise<readonly MailExchange[] | MailRoute> {
  const exchanges = await dns.exchanges(domain)
  if (exchanges === undefined) return NO_DOMAIN
  if (exchanges.length === 0) return [{ host: domain, preference: 0 }]
  // RFC 7505: a lone root.
  const named = exchanges.filter(({ host }) => host !== '')
  return named.length === 0 ? NULL_MX : named
}

/** The addresses of the hosts; none for hosts whose name servers did not answer. */
async function resolveHosts(exchanges: readonly MailExchange[], { dns }: MailRouterServices) {
  const answers = await Promise.allSettled(exchanges.map(({ host }) => dns.addresses(host)))
  const away = answers.find((answer) => answer.status === 'rejected')?.reason
  if (away !== undefined && !(away instanceof DnsUnavailableError)) throw away
  const hosts = exchanges.flatMap(({ host, preference }, index) => {
    const answer = answers[index]
    const found = answer?.status === 'fulfilled' ? answer.value : undefined
    return found && found.addresses.length > 0 ? [{ host, preference, ...found }] : []
  })
  return { hosts, away }
}

async function lookUp(domain: string, parts: MailRouterServices, now: number): Promise<Found> {
  const named = await hostsOf(domain, parts)
  if (!('length' in named)) return brief(named)
  const policy = await parts.findPolicy?.(domain, now)
  const isVerified = policy?.mode === 'enforce'
  const allowed = isVerified ? named.filter(({ host }) => isHostAllowedByPolicy(policy, host)) : named
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
export function createMailRouteFinder(parts: MailRouterServices): MailRouteFinder {
  const kept = new LRUCache<string, { route: Promise<MailRoute>; until: number; longestMs: number }>({
    max: MAX_ROUTES,
  })
  return (domain, now) => {
    const before = kept.get(domain)
    if (before !== undefined && isStillWaiting(before.until, { now, longestMs: before.longestMs })) return before.route
    const never = Number.POSITIVE_INFINITY
    const entry = { until: never, longestMs: never, route: find() }
    async function find(): Promise<MailRoute> {
      try {
        const { route, keepMs } = await lookUp(domain, parts, now)
        entry.until = now + keepMs
        entry.longestMs = keepMs
        return route
      } catch (error) {
        kept.delete(domain)
        if (error instanceof DnsUnavailableError) return { deferred: error.message }
        throw error
      }
    }
    kept.set(domain, entry)
    return entry.route
  }
}

/** The order in which hosts are tried: by preference, equal ones shuffled (RFC 5321, 5.1). */
export function orderHostsByPreference(
  hosts: readonly MailRouteHost[],
  random: () => number = Math.random,
): MailRouteHost[] {
  return hosts
    .map((host) => ({ host, place: random() }))
    .toSorted((a, b) => a.host.preference - b.host.preference || a.place - b.place)
    .map(({ host }) => host)
}
