import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Questions to the domain name system. A name without such records, or none at all, answers with an empty list. */
export interface Dns {
  /** The texts of a name, the strings of each joined (RFC 7208, 3.3; RFC 6376, 3.6.2.2). Throws DnsAway. */
  txt(name: string): Promise<string[]>
  /** The names that take a domain's mail, best first. Throws DnsAway. */
  mx(name: string): Promise<string[]>
}

/** No server said what there is: nothing is known of the name, not even that it is absent. */
export class DnsAway extends Error {}

const TIMEOUT_MS = 2000
const TRIES = 2

/** c-ares says so of a name that has no such records, and of one that is not there. */
const ABSENT = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Reads servers as `10.0.0.53, [2001:db8::53]:5353`; a port stands behind a colon, an IPv6 address with one in brackets.
 * Throws a plain Error that says what is wrong with the text.
 */
export function readDnsServers(text: string): string[] {
  const servers = text.split(/[\s,]+/).filter((server) => server !== '')
  for (const server of servers) {
    const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(server) ?? []
    const isAddress = isIP(bracketed ?? '') === 6 || isIP(plain ?? '') === 4 || isIP(server) === 6
    if (!isAddress || Number(port ?? 53) < 1 || Number(port ?? 53) > 65535)
      throw new Error('must be addresses such as 10.0.0.53 or [2001:db8::53]:5353, parted by commas')
  }
  if (servers.length === 0) throw new Error('must name at least one server')
  return servers
}

async function answered<T>(name: string, question: Promise<T[]>): Promise<T[]> {
  try {
    return await question
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (ABSENT.has(code)) return []
    throw new DnsAway(`the domain name system does not answer for ${name} (${code || 'no reason'})`, { cause: error })
  }
}

/** Asks the given servers; without any, those of the machine. Every answer, or that there is none, comes within seconds. */
export function openDns(servers?: readonly string[]): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES, maxTimeout: TIMEOUT_MS })
  if (servers !== undefined) resolver.setServers(servers)
  return {
    async txt(name) {
      const records = await answered(name, resolver.resolveTxt(name))
      return records.map((strings) => strings.join(''))
    },
    async mx(name) {
      const records = await answered(name, resolver.resolveMx(name))
      return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
    },
  }
}
