import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** DNS queries. A name without such records, and one that does not exist, gives an empty list. */
export interface DnsResolver {
  /** The texts of a name, the strings of each joined (RFC 7208, 3.3; RFC 6376, 3.6.2.2). Throws DnsUnavailableError. */
  txt(name: string): Promise<string[]>
  /** The mail exchanges of a domain, best first. Throws DnsUnavailableError. */
  mx(name: string): Promise<string[]>
}

/** A mail exchange of a domain (RFC 5321, 5.1). */
export interface MailExchange {
  /** Without a final dot; empty for the root (RFC 7505). */
  host: string
  preference: number
}

/** Addresses of a host, and for how many seconds they may be kept. */
export interface HostAddresses {
  addresses: string[]
  ttl: number
}

/** DNS queries for routing mail. Undefined: the name does not exist. */
export interface MailDnsResolver extends DnsResolver {
  /** Best first; empty when the name is there without such records. Throws DnsUnavailableError. */
  exchanges(name: string): Promise<MailExchange[] | undefined>
  /** IPv4 first. Throws DnsUnavailableError if there is no address and a server did not answer. */
  addresses(name: string): Promise<HostAddresses | undefined>
}

/** No server answered: it is not known whether the name exists. */
export class DnsUnavailableError extends Error {}

const QUERY_TIMEOUT_MS = 2000
const MAX_TRIES = 2

/** Codes of c-ares for a name without such records, and for one that does not exist. */
const NO_RECORDS_CODES = 'ENODATA'
const NO_NAME_CODE = 'ENOTFOUND'

/**
 * Reads servers as `10.0.0.53, [2001:db8::53]:5353`; a port stands behind a colon, an IPv6 address with one in brackets.
 * Throws a plain Error that says what is wrong with the text.
 */
export function parseDnsServers(text: string): string[] {
  const servers = text.split(/[\s,]+/).filter((server) => server !== '')
  for (const server of servers) {
    const [, bracketed, hostPart, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(server) ?? []
    const isAddress = isIP(bracketed ?? '') === 6 || isIP(hostPart ?? '') === 4 || isIP(server) === 6
    if (!isAddress || Number(port ?? 53) < 1 || Number(port ?? 53) > 65535)
      throw new Error('must be addresses such as 10.0.0.53 or [2001:db8::53]:5353, separated by commas')
  }
  if (servers.length === 0) throw new Error('must name at least one server')
  return servers
}

/** The records; undefined when there is no such name. Throws DnsUnavailableError. */
async function resolveRecords<T>(name: string, question: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await question
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === NO_RECORDS_CODES) return []
    if (code === NO_NAME_CODE) return undefined
    throw new DnsUnavailableError(`DNS did not respond for ${name} (${code || 'no reason'})`, {
      cause: error,
    })
  }
}

async function resolveOrEmpty<T>(name: string, question: Promise<T[]>): Promise<T[]> {
  return (await resolveRecords(name, question)) ?? []
}

async function resolveExchanges(resolver: Resolver, name: string): Promise<MailExchange[] | undefined> {
  const records = await resolveRecords(name, resolver.resolveMx(name))
  return records
    ?.map(({ exchange, priority }) => ({ host: exchange.replace(/\.$/, ''), preference: priority }))
    .toSorted((a, b) => a.preference - b.preference)
}

/** An address family without an answer is no error while the other has addresses. */
async function resolveAddresses(resolver: Resolver, name: string): Promise<HostAddresses | undefined> {
  const familyResults = await Promise.allSettled([
    resolveRecords(name, resolver.resolve4(name, { ttl: true })),
    resolveRecords(name, resolver.resolve6(name, { ttl: true })),
  ])
  const recordLists = familyResults.map((family) => (family.status === 'fulfilled' ? family.value : []))
  const records = recordLists.flatMap((answer) => answer ?? [])
  const failedFamily = familyResults.find((family) => family.status === 'rejected')
  if (records.length === 0 && failedFamily !== undefined) throw failedFamily.reason
  if (recordLists.every((answer) => answer === undefined)) return undefined
  return { addresses: records.map(({ address }) => address), ttl: Math.min(...records.map(({ ttl }) => ttl)) }
}

/** Queries the given servers; without any, those of the machine. Every query ends within seconds. */
export function createMailDnsResolver(servers?: readonly string[]): MailDnsResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: MAX_TRIES, maxTimeout: QUERY_TIMEOUT_MS })
  if (servers !== undefined) resolver.setServers(servers)
  return {
    async txt(name) {
      const records = await resolveOrEmpty(name, resolver.resolveTxt(name))
      return records.map((strings) => strings.join(''))
    },
    async mx(name) {
      const records = await resolveOrEmpty(name, resolver.resolveMx(name))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    },
    exchanges: (name) => resolveExchanges(resolver, name),
    addresses: (name) => resolveAddresses(resolver, name),
  }
}
