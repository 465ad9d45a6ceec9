import { domainToASCII } from 'node:url'

const MOST_OCTETS = 254
const MOST_LOCAL_OCTETS = 64
const DOMAIN = String.raw`(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"

/** What nearly every address is: ASCII. */
const PLAIN = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@${DOMAIN}$`, 'i')
const ASCII_DOMAIN = new RegExp(`^${DOMAIN}$`)
/** Dot-atom or quoted string of RFC 5321, 4.1.2, with the letters of RFC 6531 beside ASCII. */
const LOCAL = /^(?:[^\s\p{C}"(),.:;<>@[\\\]]+(?:\.[^\s\p{C}"(),.:;<>@[\\\]]+)*|"(?:[^\p{C}"\\]|\\[ -~])*")$/u

function isShort(local: string, whole: string): boolean {
  return Buffer.byteLength(local) <= MOST_LOCAL_OCTETS && Buffer.byteLength(whole) <= MOST_OCTETS
}

/** The A-label form (RFC 5890, 2.3.2.1) of a domain with a dot; undefined when it is none. */
function asciiDomain(domain: string): string | undefined {
  // Only letters beyond ASCII are left to the URL parser: it would read an IPv4 address or an escape into the rest.
  if (/[^a-z0-9.\u0080-\uffff-]/i.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  return ASCII_DOMAIN.test(ascii) ? ascii : undefined
}

/**
 * Reads a bare e-mail address: the domain in lower case and in its ASCII form, the local part as given.
 * Undefined when it is none: a display name, a domain without dot or in brackets, over 254 octets or 64 before the @.
 */
export function readEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (text.length <= MOST_OCTETS && PLAIN.test(text)) {
    if (at > MOST_LOCAL_OCTETS) return undefined
    const lower = domain.toLowerCase()
    return lower === domain ? text : `${local}@${lower}`
  }
  if (at < 1 || text.length > MOST_OCTETS || !LOCAL.test(local)) return undefined
  const ascii = asciiDomain(domain)
  const address = `${local}@${ascii}`
  return ascii !== undefined && isShort(local, address) ? address : undefined
}
