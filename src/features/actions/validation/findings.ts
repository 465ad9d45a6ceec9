import type { RenderedProof } from '../../../channels/channel.ts'
import { loadAuthored } from '../../../channels/registry.ts'
import type { VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { openDns } from '../../../lib/net/dns.ts'
import { reachOf } from '../../../lib/net/guarded-client.ts'
import type { FlawShown } from '../../rendering/flaw-schemas.ts'

/**
 * What the far side would hold against a content and its proofs (`campaignAnalyser`, decision 19), beside what compiling
 * it found. Asks the domain name system and the targets of links: takes under a minute.
 */
export async function analyse(
  { db, config }: Pick<Context, 'db' | 'config'>,
  account: AccountId,
  source: VersionSource,
  proofs: readonly RenderedProof[],
): Promise<FlawShown[]> {
  const { authoring } = await loadAuthored(source.channel)
  const tools = { db, dns: openDns(config.dnsServers), reach: reachOf(config.outgoingAllow) }
  return authoring.analyse(tools, account, source, proofs)
}
