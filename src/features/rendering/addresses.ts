/** What an address in a link is, and so what becomes of it. */
export type AddressKind = 'web' | 'mirror' | 'unsubscribe' | 'unsafe' | 'other'

/** Schemes that a message must not carry: they run code or read local files at the recipient. */
const UNSAFE_SCHEME = /^(javascript|data|vbscript|file):/i
const WEB_SCHEME = /^https?:\/\//i

/**
 * A decoded address as browsers read it (URL Standard, 4.4): they pass over tabs and line ends anywhere in it, and over
 * control characters and blanks around it. A no-break space is none of these.
 */
export function plainAddress(address: string): string {
  return address.replace(/[\t\n\r]/g, '').replace(/^[\u0000- ]+|(?<![\u0000- ])[\u0000- ]+$/g, '')
}

/** The kind of a decoded address, as browsers read it: else a line end would hide a scheme. */
export function addressKind(address: string): AddressKind {
  const plain = plainAddress(address)
  if (WEB_SCHEME.test(plain)) return 'web'
  if (UNSAFE_SCHEME.test(plain)) return 'unsafe'
  const word = plain.toLowerCase()
  return word === 'unsubscribe' ? 'unsubscribe' : word === 'mirrorpage' ? 'mirror' : 'other'
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** A host with a port, which looks like a scheme. */
const HOST_AND_PORT = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+:\d/i

/** Whether a decoded address leads somewhere only from a web page, as `www.shop.example`, `//host/path`, `https:host` do. */
export function isRelativeAddress(address: string): boolean {
  const plain = plainAddress(address)
  if (plain === '' || plain.startsWith('#')) return false
  if (/^https?:/i.test(plain)) return !WEB_SCHEME.test(plain)
  return !SCHEME.test(plain) || HOST_AND_PORT.test(plain)
}
