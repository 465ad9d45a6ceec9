import { dkimRecord, publishesKey } from '../../lib/crypto/dkim-keys.ts'
import type { Dns } from '../../lib/net/dns.ts'
import { findPolicyTexts, policyOf } from './dmarc.ts'
import type { DomainKey } from './domain-keys.ts'

/** What a record is for. Only those of DKIM decide whether a domain is verified. */
export type RecordPurpose = 'DKIM' | 'SPF' | 'DMARC' | 'bounces'

/** A record to publish. */
export interface DomainRecord {
  purpose: RecordPurpose
  type: 'TXT' | 'MX'
  name: string
  value: string
  /** The key of a DKIM record. */
  key?: DomainKey
}

/** A domain and what its records say. */
export interface PublishedDomain {
  domain: string
  keys: readonly DomainKey[]
  /** Domains of its return paths. */
  bounceDomains: readonly string[]
  /** The host name of this service: it receives bounces, and sends mail unless a relay does. */
  host: string
}

/** Every record that mail from a domain needs (RFC 6376, 7208, 7489, 5321). */
export function recordsOf({ domain, keys, bounceDomains, host }: PublishedDomain): DomainRecord[] {
  const dkim = keys.map((key): DomainRecord => {
    const name = `${key.selector}._domainkey.${domain}`
    return { purpose: 'DKIM', type: 'TXT', name, value: dkimRecord(key.algorithm, key.publicKey), key }
  })
  const returns = bounceDomains.flatMap((name): DomainRecord[] => [
    { purpose: 'SPF', type: 'TXT', name, value: `v=spf1 a:${host} ~all` },
    { purpose: 'bounces', type: 'MX', name, value: `10 ${host}.` },
  ])
  return [...dkim, ...returns, { purpose: 'DMARC', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' }]
}

/** A character string of a master file has at most 255 octets. */
const STRINGS = /.{1,255}/g

/** A record as a line of a master file (RFC 1035, 5.1). */
export function masterLine({ name, type, value }: DomainRecord): string {
  if (type === 'MX') return `${name}. IN MX ${value}`
  const strings = value.match(STRINGS) ?? []
  return `${name}. IN TXT ${strings.map((string) => `"${string}"`).join(' ')}`
}

/** What is published in the place of a record: the texts or hosts that are there, and whether they are sufficient. */
export interface Finding {
  found: boolean
  seen: string[]
}

/** A record that was looked for. */
export type FoundRecord = DomainRecord & Finding

const finders: Readonly<Record<RecordPurpose, (dns: Dns, record: DomainRecord) => Promise<Finding>>> = {
  async DKIM(dns, { name, key }) {
    const seen = await dns.txt(name)
    const found = key !== undefined && seen.some((text) => publishesKey(text, key.algorithm, key.publicKey))
    return { found, seen }
  },
  // Only its presence is checked: mail may also leave through relays that are not configured here.
  async SPF(dns, { name }) {
    const seen = (await dns.txt(name)).filter((text) => /^v=spf1(?: |$)/i.test(text))
    return { found: seen.length === 1, seen }
  },
  async DMARC(dns, { name }) {
    const seen = await findPolicyTexts(dns, name.replace(/^_dmarc\./, ''))
    return { found: policyOf(seen) !== null, seen }
  },
  async bounces(dns, { name, value }) {
    const seen = await dns.mx(name)
    return { found: seen.some((exchange) => value.toLowerCase() === `10 ${exchange.toLowerCase()}.`), seen }
  },
}

/** Looks up each record; `found` says whether what is published is sufficient. Throws DnsUnavailable. */
export async function findRecords(dns: Dns, records: readonly DomainRecord[]): Promise<FoundRecord[]> {
  return Promise.all(records.map(async (record) => ({ ...record, ...(await finders[record.purpose](dns, record)) })))
}
