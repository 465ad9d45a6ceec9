import type { Token } from '../../lib/tokens.ts'
import type { VersionFacts } from './version-cache.ts'

/**
 * Where a link leads: the address that came with the token, under its MAC, or else that of the version's link table.
 * Undefined when the version has no such link.
 */
export function targetOf(token: Token, travelled: string | undefined, version: VersionFacts | undefined) {
  return travelled ?? version?.links.get(token.link)?.url ?? undefined
}

/** Adds query parameters before the fragment. Those that are there stay, and so does every other byte. */
export function withParameters(target: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = target.split('#')
  const start = address.indexOf('?')
  const present = new URLSearchParams(start < 0 ? '' : address.slice(start))
  const missing = Object.entries(parameters).filter(([name]) => !present.has(name))
  if (missing.length === 0) return target
  const joint = start < 0 ? '?' : /[?&]$/.test(address) ? '' : '&'
  return [address + joint + new URLSearchParams(missing).toString(), ...fragment].join('#')
}

/** The address as a Location header takes it: what is not ASCII, and blanks, percent-encoded (RFC 3986, 2.1). */
export function locationOf(target: string): string {
  return target.toWellFormed().replace(/[^!-~]+/g, encodeURIComponent)
}
