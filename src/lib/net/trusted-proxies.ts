import { isIP, isIPv4 } from 'node:net'

/** Ranges that have names: those of this machine, of the link and of private networks. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

function isAddressRange(entry: string): boolean {
  const [address = '', prefixLength, ...extraParts] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || extraParts.length > 0) return false
  if (prefixLength === undefined) return true
  if (isIPv4(address) && isIPv4(prefixLength)) return true
  return (
    /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) >= 1 && Number(prefixLength) <= (family === 4 ? 32 : 128)
  )
}

/** Checks a list of proxies separated by commas: addresses, ranges (CIDR, or with a netmask), or names of ranges. Throws an Error. */
export function parseTrustedProxies(text: string): string {
  const invalidEntry = text
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !NAMED_RANGES.includes(entry) && !isAddressRange(entry))
  if (invalidEntry !== undefined)
    throw new Error(`must be addresses or ranges such as 10.0.0.0/8, but "${invalidEntry}" is neither`)
  return text
}
