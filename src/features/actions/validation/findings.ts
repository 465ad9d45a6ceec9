import type { RenderedProof } from '../../../channels/channel.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { ContentVersionSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createMailDnsResolver } from '../../../lib/net/dns.ts'
import { createOutboundPolicy } from '../../../lib/net/guarded-client.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'

/**
 * Analyses a content and its proofs for problems that receiving systems would object to (`campaignAnalyser`), in addition to the findings
 * of the compilation. Queries DNS and the targets of links; takes less than a minute.
 */
export async function analyseActionContent(
  { db, config }: Pick<ServiceContext, 'db' | 'config'>,
  account: AccountId,
  source: ContentVersionSource,
  proofs: readonly RenderedProof[],
): Promise<ReportedFlaw[]> {
  const { authoring } = await loadActionChannel(source.channel)
  const checkContext = {
    db,
    dns: createMailDnsResolver(config.dnsServers),
    reach: createOutboundPolicy(config.outgoingAllow),
  }
  return authoring.analyse(checkContext, account, source, proofs)
}
