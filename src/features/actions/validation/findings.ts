import type { RenderedProof } from '../../../channels/channel.ts'
import { loadActionChannel } from '../../../channels/registry.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createMailDnsResolver } from '../../../lib/net/dns.ts'
import { createOutboundPolicy } from '../../../lib/net/guarded-client.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'

/**
 * What the far side would hold against a content and its proofs (`campaignAnalyser`, decision 19), beside what compiling
 * it found. Asks the domain name system and the targets of links: takes under a minute.
 */
export async function analyseActionContent(
  { db, config }: Pick<ServiceContext, 'db' | 'config'>,
  account: AccountId,
  source: ContentVersionSource,
  proofs: readonly RenderedProof[],
): Promise<ReportedFlaw[]> {
  const { authoring } = await loadActionChannel(source.channel)
  const tools = { db, dns: createMailDnsResolver(config.dnsServers), reach: createOutboundPolicy(config.outgoingAllow) }
  return authoring.analyse(tools, account, source, proofs)
}
