import type { AccountTokenKeys } from '../../lib/crypto/tokens.ts'
import type { DisplayTarget } from './destinations.ts'
import { type DisplayTag, parseVisitorIdentity, signVisitorIdentity, VISITOR_COOKIE_MS } from './tokens.ts'

/** The parts of a request that identify its visitor. */
export interface VisitorRequest {
  /** The Cookie header (RFC 6265, 5.4). */
  cookies: string | undefined
  /** The query holds `consent=1`. */
  hasConsent: boolean
}

/** The contact who sees a display, and the Set-Cookie header of the answer, if any. */
export interface IdentifiedVisitor {
  contact: number | null
  cookie: string | undefined
}

const COOKIE_NAME = 'mid'
const COOKIE_PATTERN = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}="?([A-Za-z0-9_-]+)"?\\s*(?=;|$)`)

/** A host-only cookie that scripts cannot read (RFC 6265, 4.1). */
function buildIdentityCookie(value: string): string {
  return `${COOKIE_NAME}=${value}; Max-Age=${VISITOR_COOKIE_MS / 1000}; Path=/d/; HttpOnly; Secure; SameSite=Lax`
}

/** Identifies the visitor: the contact of the tag, else that of the cookie if the account allows it. `now`: milliseconds. */
export function identifyVisitor(
  keys: AccountTokenKeys,
  { account, contact }: DisplayTag,
  { cookies = '', hasConsent }: VisitorRequest,
  { identity, isContact }: Pick<DisplayTarget, 'identity' | 'isContact'>,
  now: number,
): IdentifiedVisitor {
  const isAllowed = identity === 'always' || (identity === 'consent' && hasConsent)
  if (contact !== null) {
    const isCookieAllowed = isAllowed && isContact
    return {
      contact,
      cookie: isCookieAllowed ? buildIdentityCookie(signVisitorIdentity(keys, { account, contact }, now)) : undefined,
    }
  }
  const visitor = isAllowed ? parseVisitorIdentity(keys, COOKIE_PATTERN.exec(cookies)?.[1] ?? '', now) : undefined
  return { contact: visitor?.account === account ? visitor.contact : null, cookie: undefined }
}
