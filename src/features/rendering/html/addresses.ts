import { domainToASCII } from 'node:url'
import type { TextEdit } from './edits.ts'

/** Kind of the address in a link, which determines its treatment. */
export type LinkAddressKind = 'web' | 'mirror' | 'unsubscribe' | 'unsafe' | 'other'

/** Schemes that a message must not carry: they run code or read local files at the recipient. */
const UNSAFE_SCHEME_PATTERN = /^(javascript|data|vbscript|file):/i
const WEB_SCHEME_PATTERN = /^https?:\/\//i

/**
 * Normalizes a decoded address like browsers do (URL Standard, 4.4): they ignore tabs and line ends anywhere in it, and control characters
 * and spaces around it. A no-break space is not ignored.
 */
export function normalizeLinkAddress(address: string): string {
  return address.replace(/[\t\n\r]/g, '').replace(/^[\u0000- ]+|(?<![\u0000- ])[\u0000- ]+$/g, '')
}

/** The kind of a decoded address, as browsers read it: else a line end would hide a scheme. */
export function detectLinkAddressKind(address: string): LinkAddressKind {
  const normalizedAddress = normalizeLinkAddress(address)
  if (WEB_SCHEME_PATTERN.test(normalizedAddress)) return 'web'
  if (UNSAFE_SCHEME_PATTERN.test(normalizedAddress)) return 'unsafe'
  const lowerCaseAddress = normalizedAddress.toLowerCase()
  return lowerCaseAddress === 'unsubscribe' ? 'unsubscribe' : lowerCaseAddress === 'mirrorpage' ? 'mirror' : 'other'
}

const SCHEME_PATTERN = /^[a-z][a-z0-9+.-]*:/i
/** A host with a port, which looks like a scheme. */
const HOST_AND_PORT_PATTERN = /^(?:[a-z0-9-]+\.)+[a-z0-9-]+:\d/i

/** True if a decoded address works only on a web page, such as `www.shop.example`, `//host/path`, `https:host`. */
export function isRelativeAddress(address: string): boolean {
  const normalizedAddress = normalizeLinkAddress(address)
  if (normalizedAddress === '' || normalizedAddress.startsWith('#')) return false
  if (/^https?:/i.test(normalizedAddress)) return !WEB_SCHEME_PATTERN.test(normalizedAddress)
  return !SCHEME_PATTERN.test(normalizedAddress) || HOST_AND_PORT_PATTERN.test(normalizedAddress)
}

const WEB_HOST_PATTERN = /^(https?:\/\/(?:[^/?#\\@]*@)?)([^/?#\\:@]+)/i
/** Hosts of letters in any script: punctuation that ends a sentence is not part of them. */
const HOST_IN_TEXT_PATTERN = /(https?:\/\/)([\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+)/giu
const NON_ASCII_PATTERN = /[^\0-\x7f]|%/

/** A host name in A-labels (RFC 5890); unchanged if it cannot be converted. */
function toAsciiHost(host: string): string {
  return NON_ASCII_PATTERN.test(host) && !host.includes('{') ? domainToASCII(host) || host : host
}

/** A decoded web address with its host in A-labels, which every mail reader can follow; other addresses are unchanged. */
export function toAsciiHostAddress(address: string): string {
  const normalizedAddress = normalizeLinkAddress(address)
  const [matchedPrefix = '', before = '', host = ''] = WEB_HOST_PATTERN.exec(normalizedAddress) ?? []
  const ascii = toAsciiHost(host)
  return ascii === host ? address : before + ascii + normalizedAddress.slice(matchedPrefix.length)
}

/** Edits that convert the hosts of web addresses in a text to A-labels. */
export function findNonAsciiHosts(text: string): TextEdit[] {
  return [...text.matchAll(HOST_IN_TEXT_PATTERN)].flatMap(({ 1: scheme = '', 2: host = '', index }) => {
    const ascii = toAsciiHost(host)
    const start = index + scheme.length
    return ascii === host ? [] : [{ start, end: start + host.length, text: ascii }]
  })
}
