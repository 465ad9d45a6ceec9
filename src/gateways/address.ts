import { domainToASCII } from 'node:url'

/** RFC 5321, 4.5.3.1.3: 256 octets with the angle brackets. */
const LONGEST_ADDRESS = 254

/** Most addresses, in one look. */
const PLAIN_ADDRESS = /^[\w+=/-]+(?:\.[\w+=/-]+)*@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+$/

/** A local part (RFC 5321, 4.1.2; beyond ASCII: RFC 6531, 3.3). Dots anywhere: such mailboxes exist. */
const DOT_STRING = /^[^\s\x00-\x20\x7f-\x9f"(),:;<>@[\\\]]+$/
const QUOTED_STRING = /^"(?:[^\x00-\x1f\x7f-\x9f"\\]|\\[\x20-\x7e])*"$/
const LITERAL = /^\[[0-9A-Za-z:.-]+\]$/
/** What may be asked for A-labels: the conversion would drop line ends and read percent signs. */
const UNICODE_NAME = /^[0-9A-Za-z._\-\u{a1}-\u{10ffff}]+$/u
const HOST_NAME = /^[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+)*$/

/**
 * The address as it goes out, in envelopes and headers: its domain in A-labels (RFC 5890). Undefined when it is none,
 * or has more than 254 octets. What comes back holds nothing that could end a command or a header line; only its local
 * part may be beyond ASCII.
 */
export function wireAddress(address: string): string | undefined {
  if (address.length <= LONGEST_ADDRESS && PLAIN_ADDRESS.test(address)) return address
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const given = address.slice(at + 1)
  if (at < 1 || !local.isWellFormed() || !(DOT_STRING.test(local) || QUOTED_STRING.test(local))) return undefined
  const literal = LITERAL.test(given) || HOST_NAME.test(given)
  const domain = literal || !UNICODE_NAME.test(given) ? given : domainToASCII(given)
  if (!LITERAL.test(domain) && !HOST_NAME.test(domain)) return undefined
  const whole = `${local}@${domain}`
  return Buffer.byteLength(whole) <= LONGEST_ADDRESS ? whole : undefined
}
