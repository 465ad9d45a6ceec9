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

/** Result of a verification. */
export interface DomainVerification {
  verified: boolean
  records: FoundDnsRecord[]
  /** Hosts of links: they have no part in whether the domain is verified. */
  tracking: FoundTrackingHost[]
}

/** Finding of a check for one record, in its stored form. */
export type StoredDnsFinding = DnsRecordFinding & { purpose: string; type: string; name: string }

/** These texts come from third parties: their number and length are limited. */
const MAX_STORED_TEXTS = 20
const MAX_TEXT_LENGTH = 2000

function truncateFinding({
  purpose,
  type,
  name,
  found: isRecordFound,
  seen: seenTexts,
}: StoredDnsFinding): StoredDnsFinding {
  const storedTexts = seenTexts.slice(0, MAX_STORED_TEXTS).map((text) => toStorableText(text.slice(0, MAX_TEXT_LENGTH)))
  return { purpose, type, name, found: isRecordFound, seen: storedTexts }
}

/** The return paths of a domain: those of the profiles that send from it, else its own. */
function collectBounceDomains(
  profiles: ReturnType<typeof toShownSendingSettings>['profiles'],
  domain: string,
): string[] {
  const profileBounceDomains = profiles
    .filter(({ from }) => from?.domain === domain)
    .flatMap(({ bounceDomain }) => bounceDomain ?? [])
  return profileBounceDomains.length === 0 ? [domain] : [...new Set(profileBounceDomains)]
}

/** The hosts of links in mail from a domain: those of its profiles, else that of the public address when it is a name. */
function collectTrackingHosts(
  profiles: ReturnType<typeof toShownSendingSettings>['profiles'],
  domain: string,
  host: string,
): string[] {
  const profileHosts = profiles
    .filter(({ from }) => from?.domain === domain)
    .map(({ trackingHost }) => trackingHost ?? host)
  const hostNames = (profileHosts.length === 0 ? [host] : profileHosts).map((name) =>
    name.toLowerCase().replace(/:\d+$/, ''),
  )
  return [...new Set(hostNames)].filter((name) => name.includes('.') && isIP(name) === 0)
}

/** A domain with what it has to publish; retired keys too, whose records must stay a while. Throws notFound. */
export async function readPublishedDomain(
  db: Db,
  account: AccountId,
  domain: string,
  publicUrl: string,
): Promise<DomainWithTrackingHosts> {
  const settings = toShownSendingSettings(await readSendingSettings(db, account), publicUrl)
  if (!settings.domains.some((sendingDomain) => sendingDomain.domain === domain))
    throw notFoundProblem('domain', domain)
  const host = URL.parse(publicUrl)?.hostname || 'localhost'
  return {
    domain,
    keys: await listDomainKeys(db, account, domain),
    bounceDomains: collectBounceDomains(settings.profiles, domain),
    host,
    trackingHosts: collectTrackingHosts(settings.profiles, domain, host),
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
  const [records, trackingRecords] = await Promise.all([
    findDomainDnsRecords(dns, buildDomainDnsRecords({ ...published, keys })),
    findTrackingHosts(dns, published.host, buildTrackingRecords(published)),
  ])
  const areKeysPublished = (state: string): boolean => {
    const keyRecords = records.filter(({ key }) => key?.state === state)
    return keyRecords.length > 0 && keyRecords.every(({ found: isPresent }) => isPresent)
  }
  const canRotate = areKeysPublished('waiting')
  if (canRotate) await activateDomainKeys(db, account, domain, now)
  const isVerified = canRotate || areKeysPublished('signing')
  await db
    .updateTable('sending_domains')
    .set((e) => ({
      verified_at: isVerified ? e.fn.coalesce('verified_at', e.val(now)) : null,
      checked_at: now,
      findings: toJsonbText([...records, ...trackingRecords].map(truncateFinding)),
    }))
    .where('account', '=', account)
    .where('domain', '=', domain)
    .execute()
  return { verified: isVerified, records, tracking: trackingRecords }
}
