import { BlockList, isIP } from 'node:net'

/** Ranges that are not public: IANA's special-purpose registries (RFC 6890) and multicast. */
const specialRangesV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** With every form that carries an IPv4 address inside: mapped, compatible, NAT64, 6to4, Teredo. */
const specialRangesV6 = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

function buildBlockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const blockList = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    blockList.addSubnet(network, Number(bits), family)
  }
  return blockList
}

// Separate lists: one list would match an IPv6 address by the IPv4 address that it seems to hold.
const specialAddresses = { 4: buildBlockList('ipv4', specialRangesV4), 6: buildBlockList('ipv6', specialRangesV6) }

/** Returns true if an address (text, without brackets or zone) is public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialAddresses[4].check(address, 'ipv4')
  return family === 6 && !address.includes('%') && !specialAddresses[6].check(address, 'ipv6')
}
