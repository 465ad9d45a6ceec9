import { domainToASCII } from 'node:url'
import type { TextEdit } from './edits.ts'

/** What an address in a link is, and so what becomes of it. */
export type LinkAddressKind = 'web' | 'mirror' | 'unsubscribe' | 'unsafe' | 'other'

/** Schemes that a message must not carry: they run code or read local files at the recipient. */
const UNSAFE_SCHEME = /^(javascript|data|vbscript|file):/i
const WEB_SCHEME = /^https?:\/\//i

/**
 * A decoded address as browsers read it (URL Standard, 4.4): they pass over tabs and line ends anywhere in it, and over
 * control characters and blanks around it. A no-break space is none of these.
 */
export function normalizeLinkAddress(address: string): string {
  return address.replace(/[\t\n\r]/g, '').replace(/^[\u0000- ]+|(?<![\u0000- ])[\u0000- ]+$/g, '')
}

/** The kind of a decoded address, as browsers read it: else a line end would hide a scheme. */
export function detectLinkAddressKind(address: string): LinkAddressKind {
  const plain = normalizeLinkAddress(address)
  if (WEB_SCHEME.test(plain)) return 'web'
  if (UNSAFE_SCHEME.test(plain)) return 'unsafe'
  const word = plain.toLowerCase()
  return word === 'unsubscribe' ? 'unsubscribe' : word === 'mirrorpage' ? 'mirror' : 'other'
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** A host with a port, which looks like a scheme. */
const HOST_AND_PORT = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+:\d/i

/** True if a decoded address works only on a web page, such as `www.shop.example`, `//host/path`, `https:host`. */
export function isRelativeAddress(address: string): boolean {
  const plain = normalizeLinkAddress(address)
  if (plain === '' || plain.startsWith('#')) return false
  if (/^https?:/i.test(plain)) return !WEB_SCHEME.test(plain)
  return !SCHEME.test(plain) || HOST_AND_PORT.test(plain)
}

const WEB_HOST = /^(https?:\/\/(?:[^/?#\\@]*@)?)([^/?#\\:@]+)/i
/** Hosts of letters in any script: punctuation that ends a sentence is not part of them. */
const HOST_IN_TEXT = /(https?:\/\/)([\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+)/giu
const BEYOND_ASCII = /[^\0-\x7f]|%/

/** A host name in A-labels (RFC 5890); unchanged if it cannot be converted. */
function asciiHost(host: string): string {
  return BEYOND_ASCII.test(host) && !host.includes('{') ? domainToASCII(host) || host : host
}

/** A decoded web address with its host in A-labels, which every mail reader can follow; other addresses are unchanged. */
export function toAsciiHostAddress(address: string): string {
  const plain = normalizeLinkAddress(address)
  const [whole = '', before = '', host = ''] = WEB_HOST.exec(plain) ?? []
  const ascii = asciiHost(host)
  return ascii === host ? address : before + ascii + plain.slice(whole.length)
}

/** Edits that convert the hosts of web addresses in a text to A-labels. */
export function findNonAsciiHosts(text: string): TextEdit[] {
  return [...text.matchAll(HOST_IN_TEXT)].flatMap(({ 1: scheme = '', 2: host = '', index }) => {
    const ascii = asciiHost(host)
    const start = index + scheme.length
    return ascii === host ? [] : [{ start, end: start + host.length, text: ascii }]
  })
}
