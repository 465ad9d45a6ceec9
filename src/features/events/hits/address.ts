import { isIP } from 'node:net'

/** How much of an address is kept: the account's setting `ip`. */
export type IpAddressDetail = 'full' | 'truncated' | 'none'

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An address as sockets give it, without the IPv6 form of an IPv4 address and without a zone; null when it is none. */
export function normalizeIpAddress(address: string | null | undefined): string | null {
  const bare = (address ?? '').replace(/%.*$/s, '')
  const plain = IPV4_IN_IPV6.exec(bare)?.[1] ?? bare
  return isIP(plain) === 0 ? null : plain.toLowerCase()
}

/** The first 48 bits of an IPv6 address, shortened (RFC 5952): `2001:db8:5::`. */
function network48(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::', 1)[0]!.split(':')
  const kept = groups.slice(0, 3).map((group) => group || '0')
  while (kept.length > 0 && kept.at(-1) === '0') kept.pop()
  return `${kept.join(':')}::`
}

/** The address as it may be stored: whole, its network (IPv4 /24, IPv6 /48, host bits 0), or null. */
export function truncateIpAddress(address: string | null, detail: IpAddressDetail): string | null {
  const plain = normalizeIpAddress(address)
  if (plain === null || detail === 'none') return null
  if (detail === 'full') return plain
  return isIP(plain) === 4 ? plain.replace(/(?<!\d)\d+$/, '0') : network48(plain)
}
