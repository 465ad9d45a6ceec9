import { isIP } from 'node:net'
import { RefusedAddressError } from '../../lib/net/guarded-client.ts'

/** One entry of an allow list. */
interface Allowed {
  isPlain: boolean
  /** Of `*.shop.test`: subdomains only. */
  isWild: boolean
  host: string
  /** Null: the port of the scheme. */
  port: string | null
}

const ENTRY =
  /^(http:\/\/)?(\*\.)?([a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)*)(?::(\d{1,5}))?$/

/** Reads `api.shop.test`, `*.shop.test:8443` or `http://host`; undefined when it is none. */
export function parseAllowedHost(entry: string): Allowed | undefined {
  const [, scheme, wild, host = '', port] = ENTRY.exec(entry.toLowerCase()) ?? []
  if (host === '' || URL.parse(`http://${host}/`) === null) return undefined
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined
  return { isPlain: scheme !== undefined, isWild: wild !== undefined, host, port: port ? String(Number(port)) : null }
}

function allows({ isPlain, isWild, host, port }: Allowed, url: URL): boolean {
  const isHost = isWild ? url.hostname.endsWith(`.${host}`) : url.hostname === host
  const scheme = isPlain ? 'http:' : 'https:'
  const usual = isPlain ? '80' : '443'
  const asked = url.port || (url.protocol === 'http:' ? '80' : '443')
  return isHost && url.protocol === scheme && asked === (port ?? usual)
}

/**
 * Reads an address that a script or a node calls. Its host must be on the list, and a name: one in digits is never called. Throws
 * RefusedAddressError.
 */
export function requireAllowedAddress(text: string, list: readonly string[]): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RefusedAddressError('is not an https address')
  if (url.username !== '' || url.password !== '') throw new RefusedAddressError('may hold no user name or password')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new RefusedAddressError('is an address in digits')
  if (url.hostname.endsWith('.')) throw new RefusedAddressError('ends with a dot')
  const isListed = list.some((entry) => {
    const allowed = parseAllowedHost(entry)
    return allowed !== undefined && allows(allowed, url)
  })
  if (!isListed) throw new RefusedAddressError('is not on the list of allowed hosts')
  return url
}
