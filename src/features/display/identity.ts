import type { TokenKeys } from '../../lib/tokens.ts'
import type { Destination } from './destinations.ts'
import { COOKIE_MS, readVisitorIdentity, signVisitorIdentity, type Tag } from './tokens.ts'

/** What a request says of who makes it. */
export interface Asked {
  /** The Cookie header (RFC 6265, 5.4). */
  cookies: string | undefined
  /** `consent=1` stands in the query. */
  hasConsent: boolean
}

/** Who sees a display, and the Set-Cookie header of the answer, if any. */
export interface Identified {
  contact: number | null
  cookie: string | undefined
}

const NAME = 'mid'

function valueIn(cookies: string): string | undefined {
  return new RegExp(`(?:^|;)\\s*${NAME}="?([A-Za-z0-9_-]+)"?\\s*(?=;|$)`).exec(cookies)?.[1]
}

/** A cookie of the host alone that scripts do not see (RFC 6265, 4.1). */
function cookieOf(value: string): string {
  return `${NAME}=${value}; Max-Age=${COOKIE_MS / 1000}; Path=/d/; HttpOnly; Secure; SameSite=Lax`
}

/** Who sees a display: whom the tag names, or else, where the account allows it, the contact of the cookie. `now`: milliseconds. */
export function identify(
  keys: TokenKeys,
  { account, contact }: Tag,
  { cookies = '', hasConsent }: Asked,
  { identity, isContact }: Pick<Destination, 'identity' | 'isContact'>,
  now: number,
): Identified {
  const isAllowed = identity === 'always' || (identity === 'consent' && hasConsent)
  if (contact !== null) {
    const isKept = isAllowed && isContact
    return { contact, cookie: isKept ? cookieOf(signVisitorIdentity(keys, { account, contact }, now)) : undefined }
  }
  const known = isAllowed ? readVisitorIdentity(keys, valueIn(cookies) ?? '', now) : undefined
  return { contact: known?.account === account ? known.contact : null, cookie: undefined }
}
