import type { MessageLinkToken } from '../../lib/crypto/tokens.ts'
import { toAsciiHostAddress } from '../rendering/html/addresses.ts'
import { isUnavailableError } from './unavailable.ts'
import type { ContentVersionCache } from './version-cache.ts'

/**
 * The target of a link: the address embedded with the token, under its MAC, else that of the version's link table; with the parameters of
 * the account's analyser. `undefined` if the version has no such link. Rejects if the table is needed and cannot be read.
 */
export async function findLinkTarget(
  versions: ContentVersionCache,
  { account, version: id, link }: MessageLinkToken,
  embedded: string | undefined,
): Promise<{ url: string; location: string } | undefined> {
  const version = await versions.find(account, id).catch((error) => {
    if (embedded === undefined || !isUnavailableError(error)) throw error
    return undefined
  })
  const url = embedded ?? version?.links.get(link)?.url
  return url ? { url, location: toLocationHeader(addQueryParameters(url, version?.analyser ?? {})) } : undefined
}

/** Adds query parameters before the fragment, and changes nothing else. Parameters already present are not replaced. */
export function addQueryParameters(target: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = target.split('#')
  const queryStart = address.indexOf('?')
  const presentParameters = new URLSearchParams(queryStart < 0 ? '' : address.slice(queryStart))
  const missingParameters = Object.entries(parameters).filter(([name]) => !presentParameters.has(name))
  if (missingParameters.length === 0) return target
  const separator = queryStart < 0 ? '?' : /[?&]$/.test(address) ? '' : '&'
  return [address + separator + new URLSearchParams(missingParameters).toString(), ...fragment].join('#')
}

/** An address as the value of a Location header: its host in A-labels, blanks and non-ASCII percent-encoded (RFC 3986, 2.1). */
export function toLocationHeader(target: string): string {
  return toAsciiHostAddress(target)
    .toWellFormed()
    .replace(/[^!-~]+/g, encodeURIComponent)
}
