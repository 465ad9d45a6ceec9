import { dkimRecord, publishesKey } from '../../lib/dkim-keys.ts'
import type { Dns } from '../../lib/dns.ts'
import { findPolicy } from './dmarc.ts'
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

/** A character string of a master file holds 255 octets. */
const STRING = 255

/** A record as a line of a master file (RFC 1035, 5.1). */
export function masterLine({ name, type, value }: DomainRecord): string {
  if (type === 'MX') return `${name}. IN MX ${value}`
  const strings = value.match(new RegExp(`.{1,${STRING}}`, 'g')) ?? []
  return `${name}. IN TXT ${strings.map((string) => `"${string}"`).join(' ')}`
}

const finders: Readonly<Record<RecordPurpose, (dns: Dns, record: DomainRecord) => Promise<boolean>>> = {
  async DKIM(dns, { name, key }) {
    const texts = await dns.txt(name)
    return key !== undefined && texts.some((text) => publishesKey(text, key.algorithm, key.publicKey))
  },
  // Only its presence is checked: mail may also leave through relays that are not configured here.
  SPF: async (dns, { name }) => (await dns.txt(name)).filter((text) => /^v=spf1(?: |$)/i.test(text)).length === 1,
  DMARC: async (dns, { name }) => (await findPolicy(dns, name.replace(/^_dmarc\./, ''))) !== null,
  async bounces(dns, { name, value }) {
    const exchanges = await dns.mx(name)
    return exchanges.some((exchange) => value.toLowerCase() === `10 ${exchange.toLowerCase()}.`)
  },
}

/** Looks up each record; `found` says whether what is published is sufficient. Throws DnsUnavailable. */
export async function findRecords(
  dns: Dns,
  records: readonly DomainRecord[],
): Promise<(DomainRecord & { found: boolean })[]> {
  return Promise.all(records.map(async (record) => ({ ...record, found: await finders[record.purpose](dns, record) })))
}
