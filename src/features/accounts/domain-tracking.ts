import type { MailDnsResolver } from '../../lib/net/dns.ts'
import type { DnsRecordFinding, PublishedDomain } from './domain-records.ts'

/** A domain of an account with the hosts that links in its mail lead to. */
export interface DomainWithTrackingHosts extends PublishedDomain {
  trackingHosts: readonly string[]
}

/** A host that links lead to. `value` null: the addresses of this service, which it does not know itself. */
export interface TrackingDnsRecord {
  purpose: 'tracking'
  type: 'CNAME' | 'A'
  name: string
  value: string | null
}

/** One that was looked for; `seen`: its addresses. */
export type FoundTrackingHost = TrackingDnsRecord & DnsRecordFinding

/** The records of the hosts that links in mail from a domain lead to. */
export function buildTrackingRecords({
  trackingHosts,
  host,
}: Pick<DomainWithTrackingHosts, 'trackingHosts' | 'host'>): TrackingDnsRecord[] {
  return trackingHosts.map((name) =>
    name === host
      ? { purpose: 'tracking', type: 'A', name, value: null }
      : { purpose: 'tracking', type: 'CNAME', name, value: `${host}.` },
  )
}

type AddressResolver = Pick<MailDnsResolver, 'addresses'>

async function resolveAddresses(dns: AddressResolver, name: string): Promise<string[]> {
  return (await dns.addresses(name))?.addresses ?? []
}

/**
 * Looks up each host. The one of the public address is found when it has addresses, another one when it has one of them
 * in common with that. Nothing is looked up without `addresses`. Throws DnsUnavailableError.
 */
export async function findTrackingHosts(
  { addresses }: Partial<AddressResolver>,
  host: string,
  records: readonly TrackingDnsRecord[],
): Promise<FoundTrackingHost[]> {
  if (records.length === 0 || addresses === undefined) return []
  const dns = { addresses }
  const expectedAddresses = new Set(await resolveAddresses(dns, host))
  return Promise.all(
    records.map(async (record) => {
      const hostAddresses = await resolveAddresses(dns, record.name)
      return { ...record, found: hostAddresses.some((address) => expectedAddresses.has(address)), seen: hostAddresses }
    }),
  )
}
