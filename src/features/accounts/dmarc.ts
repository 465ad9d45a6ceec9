import { getDomain } from 'tldts'
import type { DnsResolver } from '../../lib/net/dns.ts'

/** What a DMARC policy says of alignment (RFC 7489, 6.3). */
export interface DmarcPolicy {
  isStrictSpf: boolean
}

/** The registered domain of a name; of other names the name itself. */
export function organisationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}

/** Where the policy of a domain may stand: with it, else with the organisation it belongs to (6.6.3). */
export function dmarcPolicyNames(domain: string): string[] {
  return [...new Set([domain, organisationalDomain(domain)])].map((name) => `_dmarc.${name}`)
}

/** Reads a policy (6.4); null for one that does not say what to do. */
function readPolicy(text: string): DmarcPolicy | null {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', value = ''] = tag.split('=')
      return [name.trim(), value.trim().toLowerCase()]
    }),
  )
  const isValid = ['none', 'quarantine', 'reject'].includes(tags.get('p') ?? '')
  return isValid ? { isStrictSpf: tags.get('aspf') === 's' } : null
}

/** The policy records that hold for a domain: of a valid one exactly one. Throws DnsUnavailableError. */
export async function findDmarcRecords(dns: DnsResolver, domain: string): Promise<string[]> {
  const texts = await Promise.all(dmarcPolicyNames(domain).map((name) => dns.txt(name)))
  const policies = texts.map((records) => records.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)))
  return policies.find(({ length }) => length > 0) ?? []
}

/** What policy records say; null when there is none, or when several stand at one name. */
export function parseDmarcPolicy([policy, ...more]: readonly string[]): DmarcPolicy | null {
  return policy === undefined || more.length > 0 ? null : readPolicy(policy)
}

/** The policy of a domain; null when there is none, or when several stand at one name. Throws DnsUnavailableError. */
export async function findDmarcPolicy(dns: DnsResolver, domain: string): Promise<DmarcPolicy | null> {
  return parseDmarcPolicy(await findDmarcRecords(dns, domain))
}
