import { isIP } from 'node:net'

/** Stored part of an address: the account's setting `ip`. */
export type IpAddressDetail = 'full' | 'truncated' | 'none'

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Normalizes the address of a socket: without the IPv6 form of an IPv4 address and without a zone; null if it is invalid. */
export function normalizeIpAddress(address: string | null | undefined): string | null {
  const zonelessAddress = (address ?? '').replace(/%.*$/s, '')
  const plainAddress = IPV4_IN_IPV6.exec(zonelessAddress)?.[1] ?? zonelessAddress
  return isIP(plainAddress) === 0 ? null : plainAddress.toLowerCase()
}

/** The first 48 bits of an IPv6 address, shortened (RFC 5952): `2001:db8:5::`. */
function formatNetwork48(address: string): string {
  const addressGroups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 1)[0]!.split(':')
  const networkGroups = addressGroups.slice(0, 3).map((group) => group || '0')
  while (networkGroups.length > 0 && networkGroups.at(-1) === '0') networkGroups.pop()
  return `${networkGroups.join(':')}::`
}

/** The address as it may be stored: whole, its network (IPv4 /24, IPv6 /48, host bits 0), or null. */
export function truncateIpAddress(address: string | null, detail: IpAddressDetail): string | null {
  const plainAddress = normalizeIpAddress(address)
  if (plainAddress === null || detail === 'none') return null
  if (detail === 'full') return plainAddress
  return isIP(plainAddress) === 4 ? plainAddress.replace(/(?<!\d)\d+$/, '0') : formatNetwork48(plainAddress)
}
