import { timingSafeEqual } from 'node:crypto'
import { formatUuid, writeUuidBytes } from '../ids.ts'
import { computeHmac, type HmacKey } from './hmac.ts'
import type { AccountTokenKeys } from './tokens.ts'

/** The content of a download; a token is only valid for its own kind. */
export type DownloadKind = 'archive' | 'export'

/** The content that a token grants access to, without a key. */
export interface DownloadGrant {
  account: number
  /** The uuid by which its kind finds it. */
  id: string
  /** Milliseconds; the token is not valid from then on. */
  expiresAt: number
}

const TOKEN_LAYOUT = 0
const BODY_BYTES = 27
/** With the body a multiple of three bytes, so that the text has no unused bits. */
const MAC_BYTES = 18
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{60}$/

/** A token of 60 base64url characters: layout and key number, account, id, expiry, MAC. */
export function signDownloadToken(
  keys: AccountTokenKeys,
  kind: DownloadKind,
  { account, id, expiresAt }: DownloadGrant,
): string {
  const { number: keyNumber, key } = keys.signing(account)
  const body = Buffer.alloc(BODY_BYTES)
  body[0] = (TOKEN_LAYOUT << 4) | keyNumber
  body.writeUInt32BE(account, 1)
  writeUuidBytes(id, body, 5)
  body.writeUIntBE(expiresAt, 21, 6)
  return Buffer.concat([body, computeMac(key, kind, body)]).toString('base64url')
}

/** Reads a token of a kind; undefined if it is malformed, was changed, or is void at `now` (milliseconds). */
export function parseDownloadToken(
  keys: AccountTokenKeys,
  kind: DownloadKind,
  text: string,
  now: number,
): DownloadGrant | undefined {
  if (!TOKEN_PATTERN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const body = bytes.subarray(0, BODY_BYTES)
  const [layoutByte = 0] = body
  const account = body.readUInt32BE(1)
  const key = keys.verifying(layoutByte & 15, account)?.key
  if (key === undefined || layoutByte >> 4 !== TOKEN_LAYOUT) return undefined
  if (!timingSafeEqual(computeMac(key, kind, body), bytes.subarray(BODY_BYTES))) return undefined
  const expiresAt = body.readUIntBE(21, 6)
  return expiresAt > now ? { account, id: formatUuid(body.subarray(5, 21)), expiresAt } : undefined
}

/** The MAC covers the kind, in letters that no other token of the account begins with. */
function computeMac(key: HmacKey, kind: DownloadKind, body: Buffer): Buffer {
  return computeHmac(key, Buffer.concat([Buffer.from(kind), body])).subarray(0, MAC_BYTES)
}
