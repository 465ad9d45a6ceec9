import type { MessageLinks } from '../message-links.ts'
import { detectLinkAddressKind, normalizeLinkAddress, toAsciiHostAddress } from './addresses.ts'
import type { LinkDefinition } from './mark-address.ts'

/**
 * A rendered part that is one address, as the tracked one that leads there. An address of the service, what is no web
 * address and what is longer than it may be are left as they are.
 */
export function toTrackedAddress(
  text: string,
  { link, links, longest }: { link: LinkDefinition; links: MessageLinks; longest: number },
): string {
  const target = toAsciiHostAddress(normalizeLinkAddress(text))
  const isOwnAddress = links.ownPrefixes.some((prefix) => target.startsWith(prefix))
  if (isOwnAddress || target.length > longest || detectLinkAddressKind(target) !== 'web') return target
  return links.redirection(link.id, target, link.url === null, longest)
}
