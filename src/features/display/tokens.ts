import { timingSafeEqual } from 'node:crypto'
import { computeHmac } from '../../lib/crypto/hmac.ts'
import type { AccountTokenKeys } from '../../lib/crypto/tokens.ts'

/** The purpose of a display token: the picture or the link of a tag, or the cookie that identifies a contact. */
export type DisplayTokenKind = 'impression' | 'redirection' | 'cookie'

/** The content, placement and contact of a tag. */
export interface DisplayTag {
  account: number
  /** Number of the content. */
  content: number
  /** Number of the placement. */
  placement: number
  /** Null when the tag names no contact. */
  contact: number | null
}

/** The contact of a cookie: one that a tag named before. */
export interface VisitorIdentity {
  account: number
  contact: number
}

const TOKEN_LAYOUT = 0
const HEADER_BYTES = 6
const TAG_BYTES = HEADER_BYTES + 4 + 4 + 6
const COOKIE_BYTES = HEADER_BYTES + 6 + 6
const MAC_BYTES = 16
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{1,100}$/

/** Counted from the end: those of links in messages count from 1. */
const KIND_CODES: Record<DisplayTokenKind, number> = { impression: 15, redirection: 14, cookie: 13 }

/** Thirteen months, in milliseconds and to the day. */
export const VISITOR_COOKIE_MS = 395 * 24 * 3600 * 1000

/**
 * The envelope of all tokens: layout and key, kind, account, what `write` adds, and 16 bytes of HMAC-SHA256 by a key of
 * the account. Its body is shorter than that of a link in a message, so that no MAC is valid for both.
 */
function sealToken(keys: AccountTokenKeys, kind: DisplayTokenKind, account: number, members: Buffer): string {
  const { number: keyNumber, key } = keys.signing(account)
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = (TOKEN_LAYOUT << 4) | keyNumber
  header[1] = KIND_CODES[kind]
  header.writeUInt32BE(account, 2)
  const body = Buffer.concat([header, members])
  return Buffer.concat([body, computeHmac(key, body).subarray(0, MAC_BYTES)]).toString('base64url')
}

/** The body of a token of that kind and length; undefined for an invalid one. */
function unsealToken(keys: AccountTokenKeys, kind: DisplayTokenKind, text: string, length: number): Buffer | undefined {
  const tokenBytes = TOKEN_PATTERN.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  // The text must be canonical: base64 has unused bits.
  if (tokenBytes.length !== length + MAC_BYTES || tokenBytes.toString('base64url') !== text) return undefined
  const body = tokenBytes.subarray(0, length)
  const [first = 0, second = 0] = body
  const key = keys.verifying(first & 15, body.readUInt32BE(2))?.key
  if (key === undefined || !timingSafeEqual(computeHmac(key, body).subarray(0, MAC_BYTES), tokenBytes.subarray(length)))
    return undefined
  return first >> 4 === TOKEN_LAYOUT && second === KIND_CODES[kind] ? body : undefined
}

/** The token of a tag's picture or link: 48 base64url characters. */
export function signDisplayTag(keys: AccountTokenKeys, kind: 'impression' | 'redirection', tag: DisplayTag): string {
  const memberBytes = Buffer.alloc(TAG_BYTES - HEADER_BYTES)
  memberBytes.writeUInt32BE(tag.content, 0)
  memberBytes.writeUInt32BE(tag.placement, 4)
  memberBytes.writeUIntBE(tag.contact ?? 0, 8, 6)
  return sealToken(keys, kind, tag.account, memberBytes)
}

/** Reads the token of a tag received on the path of `kind`; undefined for an invalid one. */
export function parseDisplayTag(
  keys: AccountTokenKeys,
  kind: 'impression' | 'redirection',
  text: string,
): DisplayTag | undefined {
  const body = unsealToken(keys, kind, text, TAG_BYTES)
  if (!body) return undefined
  return {
    account: body.readUInt32BE(2),
    content: body.readUInt32BE(HEADER_BYTES),
    placement: body.readUInt32BE(HEADER_BYTES + 4),
    contact: body.readUIntBE(HEADER_BYTES + 8, 6) || null,
  }
}

/** The value of the cookie, valid for 13 months from `now` (milliseconds). */
export function signVisitorIdentity(
  keys: AccountTokenKeys,
  { account, contact }: VisitorIdentity,
  now: number,
): string {
  const memberBytes = Buffer.alloc(COOKIE_BYTES - HEADER_BYTES)
  memberBytes.writeUIntBE(contact, 0, 6)
  memberBytes.writeUIntBE(now, 6, 6)
  return sealToken(keys, 'cookie', account, memberBytes)
}

/** Reads the value of a cookie; undefined when it is forged, or older than 13 months. */
export function parseVisitorIdentity(keys: AccountTokenKeys, text: string, now: number): VisitorIdentity | undefined {
  const body = unsealToken(keys, 'cookie', text, COOKIE_BYTES)
  if (!body || body.readUIntBE(HEADER_BYTES + 6, 6) + VISITOR_COOKIE_MS < now) return undefined
  return { account: body.readUInt32BE(2), contact: body.readUIntBE(HEADER_BYTES, 6) }
}
