import { isIP, isIPv4 } from 'node:net'

/** Ranges that have names: those of this machine, of the link and of private networks. */
const NAMED = ['loopback', 'linklocal', 'uniquelocal']

function isRange(entry: string): boolean {
  const [address = '', length, ...others] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || others.length > 0) return false
  if (length === undefined) return true
  if (isIPv4(address) && isIPv4(length)) return true
  return /^\d{1,3}$/.test(length) && Number(length) >= 1 && Number(length) <= (family === 4 ? 32 : 128)
}

/** Checks a list of proxies separated by commas: addresses, ranges (CIDR, or with a netmask), or names of ranges. Throws an Error. */
export function parseTrustedProxies(text: string): string {
  const wrong = text
    .split(',')
    .map((entry) => entry.trim())
    .find((entry) => !NAMED.includes(entry) && !isRange(entry))
  if (wrong !== undefined) throw new Error(`must be addresses or ranges such as 10.0.0.0/8, and "${wrong}" is neither`)
  return text
}
