import { isIP } from 'node:net'
import { RefusedAddressError } from '../../lib/net/guarded-client.ts'

/** One entry of an allow list. */
interface AllowedHost {
  isPlain: boolean
  /** True for `*.shop.test`: subdomains only. */
  isWild: boolean
  host: string
  /** Null: the port of the scheme. */
  port: string | null
}

const ENTRY_PATTERN =
  /^(http:\/\/)?(\*\.)?([a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)*)(?::(\d{1,5}))?$/

/** Parses `api.shop.test`, `*.shop.test:8443` or `http://host`. Returns `undefined` for an invalid entry. */
export function parseAllowedHost(entry: string): AllowedHost | undefined {
  const [, scheme, wildcard, host = '', port] = ENTRY_PATTERN.exec(entry.toLowerCase()) ?? []
  if (host === '' || URL.parse(`http://${host}/`) === null) return undefined
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  return {
    isPlain: scheme !== undefined,
    isWild: wildcard !== undefined,
    host,
    port: port ? String(Number(port)) : null,
  }
}

function matchesAllowedHost({ isPlain, isWild, host, port }: AllowedHost, url: URL): boolean {
  const isHostMatch = isWild ? url.hostname.endsWith(`.${host}`) : url.hostname === host
  const scheme = isPlain ? 'http:' : 'https:'
  const defaultPort = isPlain ? '80' : '443'
  const urlPort = url.port || (url.protocol === 'http:' ? '80' : '443')
  return isHostMatch && url.protocol === scheme && urlPort === (port ?? defaultPort)
}

/**
 * Reads an address that a script or a node calls. Its host must be on the list, and a name: one in digits is never called. Throws
 * RefusedAddressError.
 */
export function requireAllowedAddress(text: string, list: readonly string[]): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RefusedAddressError('is not an https address')
  if (url.username !== '' || url.password !== '')
    throw new RefusedAddressError('must not contain a user name or password')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new RefusedAddressError('has an IP address as its host')
  if (url.hostname.endsWith('.')) throw new RefusedAddressError('ends with a dot')
  const isListed = list.some((entry) => {
    const allowed = parseAllowedHost(entry)
    return allowed !== undefined && matchesAllowedHost(allowed, url)
  })
  if (!isListed) throw new RefusedAddressError('is not on the list of allowed hosts')
  return url
}
