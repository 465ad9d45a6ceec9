import { isIP } from 'node:net'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import type { DnsResolver, MailDnsResolver } from '../../lib/net/dns.ts'
import { toStorableText } from '../../lib/text/storable.ts'
import { activateDomainKeys, listDomainKeys, purgeRetiredDomainKeys } from './domain-keys.ts'
import {
  buildDomainDnsRecords,
  type DnsRecordFinding,
  type FoundDnsRecord,
  findDomainDnsRecords,
} from './domain-records.ts'
import {
  buildTrackingRecords,
  type DomainWithTrackingHosts,
  type FoundTrackingHost,
  findTrackingHosts,
} from './domain-tracking.ts'
import { readSendingSettings, toShownSendingSettings } from './sending-settings.ts'

/** What a verification found. */
export interface DomainVerification {
  verified: boolean
  records: FoundDnsRecord[]
  /** Hosts of links: they have no part in whether the domain is verified. */
  tracking: FoundTrackingHost[]
}

/** What a check found of a record, as it is kept. */
export type StoredDnsFinding = DnsRecordFinding & { purpose: string; type: string; name: string }

/** Texts of strangers: so many are kept, and so much of each. */
const MAX_SEEN = 20
const SEEN_LENGTH = 2000

function kept({ purpose, type, name, found, seen }: StoredDnsFinding): StoredDnsFinding {
  const texts = seen.slice(0, MAX_SEEN).map((text) => toStorableText(text.slice(0, SEEN_LENGTH)))
  return { purpose, type, name, found, seen: texts }
}

/** The return paths of a domain: those of the profiles that send from it, else its own. */
function bounceDomainsOf(profiles: ReturnType<typeof toShownSendingSettings>['profiles'], domain: string): string[] {
  const own = profiles.filter(({ from }) => from?.domain === domain).flatMap(({ bounceDomain }) => bounceDomain ?? [])
  return own.length === 0 ? [domain] : [...new Set(own)]
}

/** The hosts of links in mail from a domain: those of its profiles, else that of the public address when it is a name. */
function trackingHostsOf(
  profiles: ReturnType<typeof toShownSendingSettings>['profiles'],
  domain: string,
  host: string,
): string[] {
  const own = profiles.filter(({ from }) => from?.domain === domain).map(({ trackingHost }) => trackingHost ?? host)
  const names = (own.length === 0 ? [host] : own).map((name) => name.toLowerCase().replace(/:\d+$/, ''))
  return [...new Set(names)].filter((name) => name.includes('.') && isIP(name) === 0)
}

/** A domain with what it has to publish; retired keys too, whose records must stay a while. Throws notFound. */
export async function readPublishedDomain(
  db: Db,
  account: AccountId,
  domain: string,
  publicUrl: string,
): Promise<DomainWithTrackingHosts> {
  const settings = toShownSendingSettings(await readSendingSettings(db, account), publicUrl)
  if (!settings.domains.some((known) => known.domain === domain)) throw notFoundProblem('domain', domain)
  const host = URL.parse(publicUrl)?.hostname || 'localhost'
  return {
    domain,
    keys: await listDomainKeys(db, account, domain),
    bounceDomains: bounceDomainsOf(settings.profiles, domain),
    host,
    trackingHosts: trackingHostsOf(settings.profiles, domain, host),
  }
}

/**
 * Looks for the records of a domain, keeps what was found, and sets whether it is verified: it is when the record of every key that signs is
 * found. Waiting keys sign from now on when all their records are found. Throws notFound, DnsUnavailableError; then nothing changes.
 */
export async function verifySendingDomain(
  { db, dns, publicUrl }: { db: Db; dns: DnsResolver & Partial<Pick<MailDnsResolver, 'addresses'>>; publicUrl: string },
  account: AccountId,
  domain: string,
  now: Date,
): Promise<DomainVerification> {
  await purgeRetiredDomainKeys(db, account, domain, now)
  const published = await readPublishedDomain(db, account, domain, publicUrl)
  const keys = published.keys.filter(({ state }) => state !== 'retired')
  const [records, tracking] = await Promise.all([
    findDomainDnsRecords(dns, buildDomainDnsRecords({ ...published, keys })),
    findTrackingHosts(dns, published.host, buildTrackingRecords(published)),
  ])
  const isFound = (state: string): boolean => {
    const own = records.filter(({ key }) => key?.state === state)
    return own.length > 0 && own.every(({ found }) => found)
  }
  const rotates = isFound('waiting')
  if (rotates) await activateDomainKeys(db, account, domain, now)
  const verified = rotates || isFound('signing')
  await db
    .updateTable('sending_domains')
    .set((e) => ({
      verified_at: verified ? e.fn.coalesce('verified_at', e.val(now)) : null,
      checked_at: now,
      findings: toJsonbText([...records, ...tracking].map(kept)),
    }))
    .where('account', '=', account)
    .where('domain', '=', domain)
    .execute()
  return { verified, records, tracking }
}
