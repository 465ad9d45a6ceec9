import { formatDkimRecord, isDkimKeyPublished } from '../../lib/crypto/dkim-keys.ts'
import type { DnsResolver } from '../../lib/net/dns.ts'
import { findDmarcRecords, parseDmarcPolicy } from './dmarc.ts'
import type { DkimDomainKey } from './domain-keys.ts'

/** Purpose of a record. Only those of DKIM decide whether a domain is verified. */
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
  const dkimRecords = keys.map((key): DomainDnsRecord => {
    const name = `${key.selector}._domainkey.${domain}`
    return { purpose: 'DKIM', type: 'TXT', name, value: formatDkimRecord(key.algorithm, key.publicKey), key }
  })
  const returnPathRecords = bounceDomains.flatMap((name): DomainDnsRecord[] => [
    { purpose: 'SPF', type: 'TXT', name, value: `v=spf1 a:${host} ~all` },
    { purpose: 'bounces', type: 'MX', name, value: `10 ${host}.` },
  ])
  return [
    ...dkimRecords,
    ...returnPathRecords,
    { purpose: 'DMARC', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' },
  ]
}

/** A character string of a master file has at most 255 octets. */
const CHARACTER_STRINGS = /.{1,255}/g

/** A record as a line of a master file (RFC 1035, 5.1). */
export function formatZoneFileLine({ name, type, value }: DomainDnsRecord): string {
  if (type === 'MX') return `${name}. IN MX ${value}`
  const characterStrings = value.match(CHARACTER_STRINGS) ?? []
  return `${name}. IN TXT ${characterStrings.map((string) => `"${string}"`).join(' ')}`
}

/** The texts or hosts that are published for a record, and whether they are sufficient. */
export interface DnsRecordFinding {
  found: boolean
  seen: string[]
}

/** A record that was looked for. */
export type FoundDnsRecord = DomainDnsRecord & DnsRecordFinding

const recordFinders: Readonly<
  Record<DnsRecordPurpose, (dns: DnsResolver, record: DomainDnsRecord) => Promise<DnsRecordFinding>>
> = {
  async DKIM(dns, { name, key }) {
    const txtRecords = await dns.txt(name)
    const isPublished =
      key !== undefined && txtRecords.some((text) => isDkimKeyPublished(text, key.algorithm, key.publicKey))
    return { found: isPublished, seen: txtRecords }
  },
  // Only its presence is checked: mail may also leave through relays that are not configured here.
  async SPF(dns, { name }) {
    const spfRecords = (await dns.txt(name)).filter((text) => /^v=spf1(?: |$)/i.test(text))
    return { found: spfRecords.length === 1, seen: spfRecords }
  },
  async DMARC(dns, { name }) {
    const dmarcRecords = await findDmarcRecords(dns, name.replace(/^_dmarc\./, ''))
    return { found: parseDmarcPolicy(dmarcRecords) !== null, seen: dmarcRecords }
  },
  async bounces(dns, { name, value }) {
    const mxHosts = await dns.mx(name)
    return { found: mxHosts.some((exchange) => value.toLowerCase() === `10 ${exchange.toLowerCase()}.`), seen: mxHosts }
  },
}

/** Looks up each record; `found` says whether what is published is sufficient. Throws DnsUnavailableError. */
export async function findDomainDnsRecords(
  dns: DnsResolver,
  records: readonly DomainDnsRecord[],
): Promise<FoundDnsRecord[]> {
  return Promise.all(
    records.map(async (record) => ({ ...record, ...(await recordFinders[record.purpose](dns, record)) })),
  )
}
