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

/** The route for the mail of a domain: hosts, best first; or the reason for a missing route, temporary or permanent. */
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
const MAX_ROUTE_HOSTS = 6

/** Cache lifetime of a route: the TTL of its addresses within bounds; a missing route has the shortest lifetime. */
const MIN_CACHED_MS = 60_000
const MAX_CACHED_MS = 15 * 60_000
const MAX_ROUTES = 20_000

function buildRefusedRoute(code: number, enhanced: string, text: string): MailRoute {
  return { refused: { code, enhanced, reply: `${code} ${enhanced} ${text}` } }
}

const NO_DOMAIN_ROUTE = buildRefusedRoute(550, '5.1.2', 'The domain does not exist.')
const NO_MAIL_ROUTE = buildRefusedRoute(550, '5.1.2', 'The domain has no server that accepts mail.')
const NULL_MX_ROUTE = buildRefusedRoute(556, '5.1.10', 'The domain does not accept mail.')
const NOT_PUBLIC_ROUTE = buildRefusedRoute(550, '5.4.4', 'The servers of the domain have no public address.')
const UNKNOWN_HOSTS_ROUTE = buildRefusedRoute(550, '5.4.4', 'The servers of the domain have no address.')

interface ResolvedRoute {
  route: MailRoute
  keepMs: number
}

const toShortLivedRoute = (route: MailRoute): ResolvedRoute => ({ route, keepMs: MIN_CACHED_MS })

/** Finds the MX hosts; the domain itself if it does not have any (RFC 5321, 5.1). */
async function findMailExchanges(
  domain: string,
  { dns }: MailRouterServices,
): Promise<readonly MailExchange[] | MailRoute> {
  const exchanges = await dns.exchanges(domain)
  if (exchanges === undefined) return NO_DOMAIN_ROUTE
  if (exchanges.length === 0) return [{ host: domain, preference: 0 }]
  // RFC 7505: a lone root.
  const namedExchanges = exchanges.filter(({ host }) => host !== '')
  return namedExchanges.length === 0 ? NULL_MX_ROUTE : namedExchanges
}

/** The addresses of the hosts; none for hosts whose name servers did not answer. */
async function resolveHosts(exchanges: readonly MailExchange[], { dns }: MailRouterServices) {
  const answers = await Promise.allSettled(exchanges.map(({ host }) => dns.addresses(host)))
  const dnsFailure = answers.find((answer) => answer.status === 'rejected')?.reason
  if (dnsFailure !== undefined && !(dnsFailure instanceof DnsUnavailableError)) throw dnsFailure
  const hosts = exchanges.flatMap(({ host, preference }, index) => {
    const answer = answers[index]
    const hostAddresses = answer?.status === 'fulfilled' ? answer.value : undefined
    return hostAddresses && hostAddresses.addresses.length > 0 ? [{ host, preference, ...hostAddresses }] : []
  })
  return { hosts, away: dnsFailure }
}

async function resolveRoute(domain: string, parts: MailRouterServices, now: number): Promise<ResolvedRoute> {
  const exchangesOrRoute = await findMailExchanges(domain, parts)
  if (!('length' in exchangesOrRoute)) return toShortLivedRoute(exchangesOrRoute)
  const policy = await parts.findPolicy?.(domain, now)
  const isVerified = policy?.mode === 'enforce'
  const allowedExchanges = isVerified
    ? exchangesOrRoute.filter(({ host }) => isHostAllowedByPolicy(policy, host))
    : exchangesOrRoute
  if (allowedExchanges.length === 0)
    return toShortLivedRoute({ deferred: 'the MTA-STS policy of the domain names none of its servers' })

  const { hosts, away: dnsFailure } = await resolveHosts(allowedExchanges.slice(0, MAX_ROUTE_HOSTS), parts)
  if (hosts.length === 0 && dnsFailure !== undefined) return toShortLivedRoute({ deferred: dnsFailure.message })
  if (hosts.length === 0)
    return toShortLivedRoute(exchangesOrRoute[0]?.host === domain ? NO_MAIL_ROUTE : UNKNOWN_HOSTS_ROUTE)
  const reachable = hosts.flatMap(({ host, preference, addresses }) => {
    const allowedAddresses = parts.allowPrivate ? addresses : addresses.filter(isPublicAddress)
    return allowedAddresses.length > 0 ? [{ host, preference, addresses: allowedAddresses }] : []
  })
  if (reachable.length === 0) return toShortLivedRoute(NOT_PUBLIC_ROUTE)
  const shortestTtlMs = Math.min(...hosts.map(({ ttl }) => ttl)) * 1000
  return {
    route: { hosts: reachable, isVerified },
    keepMs: Math.min(MAX_CACHED_MS, Math.max(MIN_CACHED_MS, shortestTtlMs)),
  }
}

/** Finds routes and caches them; concurrent look-ups of one domain share one answer. */
export function createMailRouteFinder(parts: MailRouterServices): MailRouteFinder {
  const cachedRoutes = new LRUCache<string, { route: Promise<MailRoute>; until: number; longestMs: number }>({
    max: MAX_ROUTES,
  })
  return (domain, now) => {
    const cachedRoute = cachedRoutes.get(domain)
    if (cachedRoute !== undefined && isStillWaiting(cachedRoute.until, { now, longestMs: cachedRoute.longestMs }))
      return cachedRoute.route
    const neverExpires = Number.POSITIVE_INFINITY
    const entry = { until: neverExpires, longestMs: neverExpires, route: resolveAndCache() }
    async function resolveAndCache(): Promise<MailRoute> {
      try {
        const { route, keepMs } = await resolveRoute(domain, parts, now)
        entry.until = now + keepMs
        entry.longestMs = keepMs
        return route
      } catch (error) {
        cachedRoutes.delete(domain)
        if (error instanceof DnsUnavailableError) return { deferred: error.message }
        throw error
      }
    }
    cachedRoutes.set(domain, entry)
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
