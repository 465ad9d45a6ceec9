import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Dns } from '../../lib/dns.ts'
import { notFound } from '../../lib/problem.ts'
import { activateKeys, forgetRetiredKeys, listKeysOfDomain } from './domain-keys.ts'
import { type DomainRecord, findRecords, type PublishedDomain, recordsOf } from './domain-records.ts'
import { readSendingSettings, showSendingSettings } from './sending-settings.ts'

/** What a verification found. */
export interface Verification {
  verified: boolean
  records: (DomainRecord & { found: boolean })[]
}

/** The return paths of a domain: those of the profiles that send from it, else its own. */
function bounceDomainsOf(profiles: ReturnType<typeof showSendingSettings>['profiles'], domain: string): string[] {
  const own = profiles.filter(({ from }) => from?.domain === domain).flatMap(({ bounceDomain }) => bounceDomain ?? [])
  return own.length === 0 ? [domain] : [...new Set(own)]
}

/** A domain with what it has to publish; retired keys too, whose records must stay a while. Throws notFound. */
export async function readPublishedDomain(
  db: Db,
  account: AccountId,
  domain: string,
  publicUrl: string,
): Promise<PublishedDomain> {
  const settings = showSendingSettings(await readSendingSettings(db, account), publicUrl)
  if (!settings.domains.some((known) => known.domain === domain)) throw notFound('domain', domain)
  return {
    domain,
    keys: await listKeysOfDomain(db, account, domain),
    bounceDomains: bounceDomainsOf(settings.profiles, domain),
    host: URL.parse(publicUrl)?.hostname || 'localhost',
  }
}

/**
 * Looks for the records of a domain, and sets whether it is verified: it is when the record of every key that signs is
 * found. Waiting keys sign from now on when all their records are found. Throws notFound, DnsUnavailable; then nothing changes.
 */
export async function verifyDomain(
  { db, dns, publicUrl }: { db: Db; dns: Dns; publicUrl: string },
  account: AccountId,
  domain: string,
  now: Date,
): Promise<Verification> {
  await forgetRetiredKeys(db, account, domain, now)
  const published = await readPublishedDomain(db, account, domain, publicUrl)
  const keys = published.keys.filter(({ state }) => state !== 'retired')
  const records = await findRecords(dns, recordsOf({ ...published, keys }))
  const isFound = (state: string): boolean => {
    const own = records.filter(({ key }) => key?.state === state)
    return own.length > 0 && own.every(({ found }) => found)
  }
  const rotates = isFound('waiting')
  if (rotates) await activateKeys(db, account, domain, now)
  const verified = rotates || isFound('signing')
  await db
    .updateTable('sending_domains')
    .set((e) => ({ verified_at: verified ? e.fn.coalesce('verified_at', e.val(now)) : null }))
    .where('account', '=', account)
    .where('domain', '=', domain)
    .execute()
  return { verified, records }
}
