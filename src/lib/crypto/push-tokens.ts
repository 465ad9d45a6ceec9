import { timingSafeEqual } from 'node:crypto'
import { formatUuid, writeUuidBytes } from '../ids.ts'
import { type HmacKey, padHmacInput, writeHmac } from './hmac.ts'
import type { AccountTokenKey, AccountTokenKeys } from './tokens.ts'

/** What an app reports of a push message. */
export const pushReportKinds = ['impression', 'redirection', 'dismiss', 'optout.global', 'optout.channel'] as const

export type PushReportKind = (typeof pushReportKinds)[number]

/** The push message of one device. `contact` is 0 for a device without one. */
export interface PushMessageToken {
  account: number
  notification: number
  version: string
  subscription: string
  contact: number
  stamp: string
  test: boolean
  /** Of a preview: it is answered, and nothing is recorded. */
  silent: boolean
}

/** Whose messages they are, as their addresses name it. */
export interface PushTokenOwner {
  agency: string
  customer: string
}

/** The path of what an app reports with, and the token of each sign. */
export interface PushReportAddress {
  /** `/hit/ACME/001/.../link/`. */
  path: string
  tokens: Record<PushReportKind, string>
}

const LAYOUT = 2
const BODY_BYTES = 64
const MAC_BYTES = 16
const MESSAGE = /^[A-Za-z0-9_-]{107}$/

const SIGN_BYTES = 1
const SIGN_MAC_BYTES = 8
const SIGN = /^[A-Za-z0-9_-]{12}$/

const TEST = 1
const SILENT = 2

/** What is under the MACs of push messages and no others; the account as the path names it is, too. */
function domainOf({ agency, customer }: PushTokenOwner): Buffer {
  return Buffer.from(`push ${agency.toUpperCase()}/${customer.toUpperCase()} `)
}

function bytesOf(token: PushMessageToken, number: number): Buffer {
  const bytes = Buffer.alloc(BODY_BYTES + MAC_BYTES)
  bytes[0] = (LAYOUT << 4) | number
  bytes[1] = (token.test ? TEST : 0) | (token.silent ? SILENT : 0)
  bytes.writeUInt32BE(token.account, 2)
  bytes.writeUInt32BE(token.notification, 6)
  writeUuidBytes(token.version, bytes, 10)
  writeUuidBytes(token.subscription, bytes, 26)
  bytes.writeUIntBE(token.contact, 42, 6)
  writeUuidBytes(token.stamp, bytes, 48)
  return bytes
}

function signBytes(key: HmacKey, domain: Buffer, message: Buffer, sign: PushReportKind): Buffer {
  const bytes = Buffer.alloc(SIGN_BYTES + SIGN_MAC_BYTES)
  bytes[0] = pushReportKinds.indexOf(sign) + 1
  writeHmac(key, padHmacInput(domain, message, bytes.subarray(0, SIGN_BYTES)), bytes, SIGN_BYTES)
  return bytes
}

/** Where the app of a device reports what becomes of a message. */
export function buildPushReportAddress(
  { number, key }: AccountTokenKey,
  owner: PushTokenOwner,
  token: PushMessageToken,
): PushReportAddress {
  const domain = domainOf(owner)
  const message = bytesOf(token, number)
  writeHmac(key, padHmacInput(domain, message.subarray(0, BODY_BYTES)), message, BODY_BYTES)
  const tokens = pushReportKinds.map((sign) => [sign, signBytes(key, domain, message, sign).toString('base64url')])
  return {
    path: `/hit/${owner.agency}/${owner.customer}/${message.toString('base64url')}/link/`,
    tokens: Object.fromEntries(tokens) as PushReportAddress['tokens'],
  }
}

/** Text of base64url; undefined when bits are left over that no encoder sets. */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/**
 * Reads the message and the token of a path, with the account that it names. Undefined for anything invalid: length, alphabet, layout,
 * key, kind, account, or a MAC.
 */
export function parsePushReportAddress(
  keys: AccountTokenKeys,
  owner: PushTokenOwner,
  texts: { message: string; token: string },
): { token: PushMessageToken; sign: PushReportKind } | undefined {
  if (!MESSAGE.test(texts.message) || !SIGN.test(texts.token)) return undefined
  const [message, given] = [decoded(texts.message), decoded(texts.token)]
  if (!message || !given) return undefined
  const [first = 0, flags = 0] = message
  const account = message.readUInt32BE(2)
  const key = first >> 4 === LAYOUT ? keys.verifying(first & 15, account)?.key : undefined
  const sign = pushReportKinds[(given[0] ?? 0) - 1]
  if (key === undefined || sign === undefined) return undefined
  const domain = domainOf(owner)
  const expected = Buffer.alloc(MAC_BYTES)
  writeHmac(key, padHmacInput(domain, message.subarray(0, BODY_BYTES)), expected, 0)
  const isMessage = timingSafeEqual(expected, message.subarray(BODY_BYTES))
  if (!timingSafeEqual(signBytes(key, domain, message, sign), given) || !isMessage) return undefined
  return {
    sign,
    token: {
      account,
      notification: message.readUInt32BE(6),
      version: formatUuid(message.subarray(10, 26)),
      subscription: formatUuid(message.subarray(26, 42)),
      contact: message.readUIntBE(42, 6),
      stamp: formatUuid(message.subarray(48, 64)),
      test: (flags & TEST) !== 0,
      silent: (flags & SILENT) !== 0,
    },
  }
}
