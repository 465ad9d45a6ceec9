import { isAscii } from 'node:buffer'
import { domainToASCII, domainToUnicode } from 'node:url'
import { normalizeAddressCase } from './fold.ts'
import { stripInvisibleCharacters } from './invisible.ts'

/** RFC 5321, 4.5.3.1: 256 octets with the angle brackets, 64 before the @. */
const MAX_ADDRESS_OCTETS = 254
const MAX_LOCAL_OCTETS = 64

/** The common forms of addresses, matched at once: as they are given, and as they go out. */
const PLAIN_GIVEN =
  /^[\w+=/-]+(?:\.[\w+=/-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const PLAIN_ADDRESS = /^[\w+=/.-]+@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*$/

/** A local part (RFC 5321, 4.1.2; beyond ASCII: RFC 6531, 3.3). Dots anywhere: such mailboxes exist. */
const DOT_STRING = /^[^\s\p{C}"(),:;<>@[\\\]]+$/u
const QUOTED_STRING = /^"(?:[^\p{C}"\\]|\\[\x20-\x7e])*"$/u
const STRAY_DOT = /^\.|\.\.|\.$/
const LITERAL = /^\[[0-9A-Za-z:.-]+\]$/
/** A prefix that spreadsheets and links write before an address. */
const BEFORE = /^(?:['\u2019]|mailto:)/i
/** Names that may be converted to A-labels: the conversion would drop line ends and decode percent signs. */
const UNICODE_NAME = /^[0-9A-Za-z._\-\u{a1}-\u{10ffff}]+$/u
const A_LABEL = /(?:^|\.)xn--/i
const HOST_NAME = /^[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/
/** The name of a host with a dot (RFC 1123, 2.1). */
const DOTTED_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

interface Address {
  local: string
  /** In A-labels (RFC 5890), or an address literal. */
  domain: string
}

/** Of an address with one @. */
function isShort(address: string): boolean {
  return address.length <= MAX_ADDRESS_OCTETS && address.indexOf('@') <= MAX_LOCAL_OCTETS
}

/** The halves of an address; undefined when it is none, or too long. */
function split(address: string): Address | undefined {
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > MAX_ADDRESS_OCTETS) return undefined
  const local = address.slice(0, at)
  const given = address.slice(at + 1)
  if (!DOT_STRING.test(local) && !QUOTED_STRING.test(local)) return undefined
  const isPlain = LITERAL.test(given) || HOST_NAME.test(given)
  const domain = isPlain || !UNICODE_NAME.test(given) ? given : domainToASCII(given)
  if (!LITERAL.test(domain) && !HOST_NAME.test(domain)) return undefined
  const octets = Buffer.byteLength(local)
  return octets <= MAX_LOCAL_OCTETS && octets + 1 + domain.length <= MAX_ADDRESS_OCTETS ? { local, domain } : undefined
}

/**
 * A domain in lower case and in A-labels (RFC 5890), by WHATWG's domain to ASCII; '' when it is none. A plain name is
 * returned as it is: its last label begins with a letter, so that it is not read as an IPv4 address.
 */
export function toALabelDomain(domain: string): string {
  return DOTTED_NAME.test(domain) && !domain.includes('xn--') ? domain : domainToASCII(domain)
}

/** A name in U-labels; as it is where it has none, or one that is no name. */
function inULabels(domain: string): string {
  // Without a label of that kind it would read numbers as an IPv4 address.
  const name = A_LABEL.test(domain) ? domainToUnicode(domain) : ''
  return UNICODE_NAME.test(name) ? name : domain
}

/**
 * The address as it goes out, in envelopes and headers: its domain in A-labels, but in U-labels (RFC 5890) where the
 * local part is beyond ASCII, for then only a peer with SMTPUTF8 gets it. Undefined when it is none, or has more than 64
 * octets before the @ or 254 in all. The result holds nothing that could end a command or a header line.
 */
export function toWireMailAddress(address: string): string | undefined {
  if (isShort(address) && PLAIN_ADDRESS.test(address)) return address
  const halves = split(address)
  if (halves === undefined) return undefined
  const { local, domain } = halves
  const wire = isAscii(Buffer.from(local)) ? domain : inULabels(domain)
  const whole = `${local}@${wire}`
  return Buffer.byteLength(whole) <= MAX_ADDRESS_OCTETS ? whole : `${local}@${domain}`
}

/**
 * Reads a bare e-mail address as it was given: the domain in lower case and in A-labels, the local part as it is.
 * Undefined for anything else: a display name, a domain without a dot or in brackets, stray dots, more
 * than 64 octets before the @ or 254 in all.
 */
export function parseMailAddress(text: string): string | undefined {
  if (isShort(text) && PLAIN_GIVEN.test(text)) return text
  const halves = split(stripInvisibleCharacters(text).trim().replace(BEFORE, ''))
  if (halves === undefined) return undefined
  const domain = halves.domain.toLowerCase()
  const isStray = STRAY_DOT.test(halves.local) && !halves.local.startsWith('"')
  return DOTTED_NAME.test(domain) && !isStray ? `${halves.local}@${domain}` : undefined
}

/** The form in which a mail address is compared: the domain in A-labels, all in lower case after NFC. Any text has one. */
export function toMailAddressKey(address: string): string {
  const at = address.lastIndexOf('@') + 1
  if (at === 0) return normalizeAddressCase(address)
  const domain = address.slice(at)
  return normalizeAddressCase(address.slice(0, at)) + (toALabelDomain(domain) || normalizeAddressCase(domain))
}
