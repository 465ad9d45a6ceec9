import { getDomain } from 'tldts'
import type { DnsResolver } from '../../lib/net/dns.ts'

/** The alignment that a DMARC policy requires (RFC 7489, 6.3). */
export interface DmarcPolicy {
  isStrictSpf: boolean
}

/** The registered domain of a name; of other names the name itself. */
export function organisationalDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}

/** The names that may hold the policy of a domain: the domain itself, then the organisation it belongs to (6.6.3). */
export function dmarcPolicyNames(domain: string): string[] {
  return [...new Set([domain, organisationalDomain(domain)])].map((name) => `_dmarc.${name}`)
}

/** Reads a policy (6.4); null for one that does not say what to do. */
function parsePolicyRecord(text: string): DmarcPolicy | null {
  const policyTags = new Map(
    text.split(';').map((tag) => {
      const [name = '', value = ''] = tag.split('=')
      return [name.trim(), value.trim().toLowerCase()]
    }),
  )
  const isValid = ['none', 'quarantine', 'reject'].includes(policyTags.get('p') ?? '')
  return isValid ? { isStrictSpf: policyTags.get('aspf') === 's' } : null
}

/** The policy records that hold for a domain: of a valid one exactly one. Throws DnsUnavailableError. */
export async function findDmarcRecords(dns: DnsResolver, domain: string): Promise<string[]> {
  const txtRecords = await Promise.all(dmarcPolicyNames(domain).map((name) => dns.txt(name)))
  const policies = txtRecords.map((records) => records.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)))
  return policies.find(({ length }) => length > 0) ?? []
}

/** Parses policy records. `null` if there is none, or if one name has several. */
export function parseDmarcPolicy([policy, ...otherPolicies]: readonly string[]): DmarcPolicy | null {
  return policy === undefined || otherPolicies.length > 0 ? null : parsePolicyRecord(policy)
}

/** The policy of a domain. `null` if there is none, or if one name has several. Throws DnsUnavailableError. */
export async function findDmarcPolicy(dns: DnsResolver, domain: string): Promise<DmarcPolicy | null> {
  return parseDmarcPolicy(await findDmarcRecords(dns, domain))
}
