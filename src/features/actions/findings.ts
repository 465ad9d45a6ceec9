import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { openDns } from '../../lib/dns.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { contentSourceOf, type VersionSource } from '../../outbox/version.ts'
import { listKeysOfDomain } from '../accounts/domain-keys.ts'
import { findDeadLinks } from '../deliverability/dead-links.ts'
import { checkDomains } from '../deliverability/findings-dns.ts'
import { checkMail, type RenderedProof } from '../deliverability/findings-headers.ts'
import { checkImagesOnly, checkLinks } from '../deliverability/findings-html.ts'
import { writtenLinks } from '../deliverability/findings-links.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'

/**
 * What mailbox operators and filters would hold against a content and its proofs (`campaignAnalyser`, decision 19),
 * beside what compiling it found. Asks the domain name system and the targets of links: takes under a minute.
 */
export async function analyse(
  { db, config }: Pick<Context, 'db' | 'config'>,
  account: AccountId,
  source: VersionSource,
  proofs: readonly RenderedProof[],
): Promise<FlawShown[]> {
  const content = contentSourceOf(source)
  const links = writtenLinks(content)
  const reach = reachOf(config.outgoingAllow)
  if (source.channel === 'sms') return findDeadLinks(links, reach)
  const { sender, settings } = source
  const { domain } = sender.from
  const keys = (await listKeysOfDomain(db, account, domain)).filter(({ state }) => state === 'signing')
  const [domains, dead] = await Promise.all([
    checkDomains(openDns(config.dnsServers), { from: domain, bounce: sender.bounceDomain, keys }),
    findDeadLinks(links, reach),
  ])
  return [
    ...domains,
    ...checkMail({
      purpose: settings.purpose,
      trackingUrl: sender.trackingUrl,
      isSigned: keys.length > 0,
      proofs,
    }),
    ...checkImagesOnly(content),
    ...dead,
    ...checkLinks(links),
  ]
}
