import { getDomain } from 'tldts'
import type { Dns } from '../../lib/net/dns.ts'

/** What a DMARC policy says of alignment (RFC 7489, 6.3). */
export interface Policy {
  isStrictSpf: boolean
}

/** The registered domain of a name; of other names the name itself. */
export function organisationOf(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain
}

/** Where the policy of a domain may stand: with it, else with the organisation it belongs to (6.6.3). */
export function policyNames(domain: string): string[] {
  return [...new Set([domain, organisationOf(domain)])].map((name) => `_dmarc.${name}`)
}

/** Reads a policy (6.4); null for one that does not say what to do. */
function readPolicy(text: string): Policy | null {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', value = ''] = tag.split('=')
      return [name.trim(), value.trim().toLowerCase()]
    }),
  )
  const isValid = ['none', 'quarantine', 'reject'].includes(tags.get('p') ?? '')
  return isValid ? { isStrictSpf: tags.get('aspf') === 's' } : null
}

/** The policy records that hold for a domain: of a valid one exactly one. Throws DnsUnavailable. */
export async function findPolicyTexts(dns: Dns, domain: string): Promise<string[]> {
  const texts = await Promise.all(policyNames(domain).map((name) => dns.txt(name)))
  const policies = texts.map((records) => records.filter((text) => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)))
  return policies.find(({ length }) => length > 0) ?? []
}

/** What policy records say; null when there is none, or when several stand at one name. */
export function policyOf([policy, ...more]: readonly string[]): Policy | null {
  return policy === undefined || more.length > 0 ? null : readPolicy(policy)
}

/** The policy of a domain; null when there is none, or when several stand at one name. Throws DnsUnavailable. */
export async function findPolicy(dns: Dns, domain: string): Promise<Policy | null> {
  return policyOf(await findPolicyTexts(dns, domain))
}
