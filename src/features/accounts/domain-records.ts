import { formatDkimRecord, isDkimKeyPublished } from '../../lib/crypto/dkim-keys.ts'
import type { DnsResolver } from '../../lib/net/dns.ts'
import { findDmarcRecords, parseDmarcPolicy } from './dmarc.ts'
import type { DkimDomainKey } from './domain-keys.ts'

/** What a record is for. Only those of DKIM decide whether a domain is verified. */
export type DnsRecordPurpose = 'DKIM' | 'SPF' | 'DMARC' | 'bounces'

/** A record to publish. */
export interface DomainDnsRecord {
  purpose: DnsRecordPurpose
  type: 'TXT' | 'MX'
  name: string
  value: string
  /** The key of a DKIM record. */
  key?: DkimDomainKey
}

/** A domain and what its records say. */
export interface PublishedDomain {
  domain: string
  keys: readonly DkimDomainKey[]
  /** Domains of its return paths. */
  bounceDomains: readonly string[]
  /** The host name of this service: it receives bounces, and sends mail unless a relay does. */
  host: string
}

/** Every record that mail from a domain needs (RFC 6376, 7208, 7489, 5321). */
export function buildDomainDnsRecords({ domain, keys, bounceDomains, host }: PublishedDomain): DomainDnsRecord[] {
  const dkim = keys.map((key): DomainDnsRecord => {
    const name = `${key.selector}._domainkey.${domain}`
    return { purpose: 'DKIM', type: 'TXT', name, value: formatDkimRecord(key.algorithm, key.publicKey), key }
  })
  const returns = bounceDomains.flatMap((name): DomainDnsRecord[] => [
    { purpose: 'SPF', type: 'TXT', name, value: `v=spf1 a:${host} ~all` },
    { purpose: 'bounces', type: 'MX', name, value: `10 ${host}.` },
  ])
  return [...dkim, ...returns, { purpose: 'DMARC', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' }]
}

/** A character string of a master file has at most 255 octets. */
const STRINGS = /.{1,255}/g

/** A record as a line of a master file (RFC 1035, 5.1). */
export function formatZoneFileLine({ name, type, value }: DomainDnsRecord): string {
  if (type === 'MX') return `${name}. IN MX ${value}`
  const strings = value.match(STRINGS) ?? []
  return `${name}. IN TXT ${strings.map((string) => `"${string}"`).join(' ')}`
}

/** What is published in the place of a record: the texts or hosts that are there, and whether they are sufficient. */
export interface DnsRecordFinding {
  found: boolean
  seen: string[]
}

/** A record that was looked for. */
export type FoundDnsRecord = DomainDnsRecord & DnsRecordFinding

const finders: Readonly<
  Record<DnsRecordPurpose, (dns: DnsResolver, record: DomainDnsRecord) => Promise<DnsRecordFinding>>
> = {
  async DKIM(dns, { name, key }) {
    const seen = await dns.txt(name)
    const found = key !== undefined && seen.some((text) => isDkimKeyPublished(text, key.algorithm, key.publicKey))
    return { found, seen }
  },
  // Only its presence is checked: mail may also leave through relays that are not configured here.
  async SPF(dns, { name }) {
    const seen = (await dns.txt(name)).filter((text) => /^v=spf1(?: |$)/i.test(text))
    return { found: seen.length === 1, seen }
  },
  async DMARC(dns, { name }) {
    const seen = await findDmarcRecords(dns, name.replace(/^_dmarc\./, ''))
    return { found: parseDmarcPolicy(seen) !== null, seen }
  },
  async bounces(dns, { name, value }) {
    const seen = await dns.mx(name)
    return { found: seen.some((exchange) => value.toLowerCase() === `10 ${exchange.toLowerCase()}.`), seen }
  },
}

/** Looks up each record; `found` says whether what is published is sufficient. Throws DnsUnavailableError. */
export async function findDomainDnsRecords(
  dns: DnsResolver,
  records: readonly DomainDnsRecord[],
): Promise<FoundDnsRecord[]> {
  return Promise.all(records.map(async (record) => ({ ...record, ...(await finders[record.purpose](dns, record)) })))
}
