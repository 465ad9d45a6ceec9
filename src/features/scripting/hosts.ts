import { type Flaw, flaw } from './flaws.ts'

/** Whether an address may be called by an entry such as `api.shop.test`, `*.shop.test:8443` or `http://host`. */
function allows(entry: string, { protocol, hostname, port }: URL): boolean {
  const isPlain = entry.startsWith('http://')
  if (protocol !== (isPlain ? 'http:' : 'https:')) return false
  const [host = '', listedPort = isPlain ? '80' : '443'] = entry.replace('http://', '').split(':')
  if ((port || (isPlain ? '80' : '443')) !== listedPort) return false
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}

/** Whether an address is on the list of hosts that may be called. */
export function isAllowed(address: URL, allowed: readonly string[]): boolean {
  return allowed.some((entry) => allows(entry, address))
}

/** What is wrong with an address that is written in a definition. */
export function checkAddress(text: string, path: string, allowed: readonly string[]): Flaw[] {
  const address = URL.parse(text)
  if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:'))
    return [flaw('type-mismatch', path, 'This must be an address with https.')]
  if (isAllowed(address, allowed)) return []
  return [flaw('forbidden-host', path, `${address.host} is not in scripting.environment.http.allow.`)]
}
