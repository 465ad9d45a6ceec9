import { isIP } from 'node:net'

/** The first 64 bits of an IPv6 address in full groups: what one household has. IPv4 addresses stay. */
export function toNetworkPrefix(address: string): string {
  if (isIP(address) !== 6) return address
  const [leadingText = '', trailingText] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const leadingGroups = leadingText.split(':').filter((group) => group !== '')
  const trailingGroups = (trailingText ?? '').split(':').filter((group) => group !== '')
  const zeroGroups =
    trailingText === undefined ? [] : new Array<string>(8 - leadingGroups.length - trailingGroups.length).fill('0')
  return [...leadingGroups, ...zeroGroups, ...trailingGroups].slice(0, 4).join(':')
}
