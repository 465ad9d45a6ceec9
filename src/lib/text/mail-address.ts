import { isAscii } from 'node:buffer'
import { domainToASCII, domainToUnicode } from 'node:url'
import { normalizeAddressCase } from './fold.ts'
import { stripInvisibleCharacters } from './invisible.ts'

/** RFC 5321, 4.5.3.1: 256 octets with the angle brackets, 64 before the @. */
const MAX_ADDRESS_OCTETS = 254
const MAX_LOCAL_OCTETS = 64

/** The common forms of addresses, matched at once: as they are given, and as they go out. */
const PLAIN_INPUT =
  /^[\w+=/-]+(?:\.[\w+=/-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const PLAIN_ADDRESS = /^[\w+=/.-]+@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/

/** A local part (RFC 5321, 4.1.2; beyond ASCII: RFC 6531, 3.3). Dots anywhere: such mailboxes exist. */
const DOT_STRING_PATTERN = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u
const QUOTED_STRING_PATTERN = /^"(?:[^\p{C}"\\]|\\[\x20-\x7e])*"$/u
const STRAY_DOT = /^\.|\.\.|\.$/
const ADDRESS_LITERAL = /^\[[0-9A-Za-z:.-]+\]$/
/** A prefix that spreadsheets and links write before an address. */
const ADDRESS_PREFIX = /^(?:['\u2019]|mailto:)/i
/** Names that may be converted to A-labels: the conversion would drop line ends and decode percent signs. */
const UNICODE_NAME = /^[0-9A-Za-z._\-\u{a1}-\u{10ffff}]+$/u
const A_LABEL = /(?:^|\.)xn--/i
const HOST_NAME = /^[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/
/** The name of a host with a dot (RFC 1123, 2.1). */
const DOTTED_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

interface AddressHalves {
  local: string
  /** In A-labels (RFC 5890), or an address literal. */
  domain: string
}

/** Checks the length of an address with one @. */
function isWithinLimits(address: string): boolean {
  return address.length <= MAX_ADDRESS_OCTETS && address.indexOf('@') <= MAX_LOCAL_OCTETS
}

/** The halves of an address; undefined if it is invalid or too long. */
function splitAddress(address: string): AddressHalves | undefined {
  const atIndex = address.lastIndexOf('@')
  if (atIndex < 1 || address.length > MAX_ADDRESS_OCTETS) return undefined
  const localPart = address.slice(0, atIndex)
  const rawDomain = address.slice(atIndex + 1)
  if (!DOT_STRING_PATTERN.test(localPart) && !QUOTED_STRING_PATTERN.test(localPart)) return undefined
  const isPlain = ADDRESS_LITERAL.test(rawDomain) || HOST_NAME.test(rawDomain)
  const domain = isPlain || !UNICODE_NAME.test(rawDomain) ? rawDomain : domainToASCII(rawDomain)
  if (!ADDRESS_LITERAL.test(domain) && !HOST_NAME.test(domain)) return undefined
  const localOctets = Buffer.byteLength(localPart)
  return localOctets <= MAX_LOCAL_OCTETS && localOctets + 1 + domain.length <= MAX_ADDRESS_OCTETS
    ? { local: localPart, domain }
    : undefined
}

/**
 * A domain in lower case and in A-labels (RFC 5890), by WHATWG's domain to ASCII; '' if it is invalid. A plain name is returned unchanged:
 * its last label begins with a letter, so that it is not read as an IPv4 address.
 */
export function toALabelDomain(domain: string): string {
  return DOTTED_NAME.test(domain) && !domain.includes('xn--') ? domain : domainToASCII(domain)
}

/** A name in U-labels. It is returned unchanged if it has no A-labels or is invalid. */
function toULabels(domain: string): string {
  // Without a label of that kind it would read numbers as an IPv4 address.
  const name = A_LABEL.test(domain) ? domainToUnicode(domain) : ''
  return UNICODE_NAME.test(name) ? name : domain
}

/**
 * The address as it is sent in envelopes and headers. Its domain is in A-labels, but in U-labels (RFC 5890) if the local part is beyond
 * ASCII, because then only a peer with SMTPUTF8 receives it. Undefined if it is invalid, or has more than 64 octets before the @ or 254 in
 * all. The result holds nothing that could end a command or a header line.
 */
export function toWireMailAddress(address: string): string | undefined {
  if (isWithinLimits(address) && PLAIN_ADDRESS.test(address)) return address
  const halves = splitAddress(address)
  if (halves === undefined) return undefined
  const { local, domain } = halves
  const wireDomain = isAscii(Buffer.from(local)) ? domain : toULabels(domain)
  const wireAddress = `${local}@${wireDomain}`
  return Buffer.byteLength(wireAddress) <= MAX_ADDRESS_OCTETS ? wireAddress : `${local}@${domain}`
}

/**
 * Reads a bare e-mail address as it was given: the domain in lower case and in A-labels, the local part as it is.
 * Undefined for anything else: a display name, a domain without a dot or in brackets, stray dots, more
 * than 64 octets before the @ or 254 in all.
 */
export function parseMailAddress(text: string): string | undefined {
  if (isWithinLimits(text) && PLAIN_INPUT.test(text)) return text
  const halves = splitAddress(stripInvisibleCharacters(text).trim().replace(ADDRESS_PREFIX, ''))
  if (halves === undefined) return undefined
  const domain = halves.domain.toLowerCase()
  const hasStrayDot = STRAY_DOT.test(halves.local) && !halves.local.startsWith('"')
  return DOTTED_NAME.test(domain) && !hasStrayDot ? `${halves.local}@${domain}` : undefined
}

/** The form in which a mail address is compared: the domain in A-labels, all in lower case after NFC. Any text has one. */
export function toMailAddressKey(address: string): string {
  const domainIndex = address.lastIndexOf('@') + 1
  if (domainIndex === 0) return normalizeAddressCase(address)
  const domain = address.slice(domainIndex)
  return normalizeAddressCase(address.slice(0, domainIndex)) + (toALabelDomain(domain) || normalizeAddressCase(domain))
}
