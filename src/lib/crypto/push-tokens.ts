import { timingSafeEqual } from 'node:crypto'
import { formatUuid, writeUuidBytes } from '../ids.ts'
import { type HmacKey, padHmacInput, writeHmac } from './hmac.ts'
import type { AccountTokenKey, AccountTokenKeys } from './tokens.ts'

/** The events that an app reports about a push message. */
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
  /** True for a preview: it is answered, and nothing is recorded. */
  silent: boolean
}

/** The owner of the messages, as their addresses name it. */
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

const TOKEN_LAYOUT = 2
const BODY_BYTES = 64
const MAC_BYTES = 16
const MESSAGE_PATTERN = /^[A-Za-z0-9_-]{107}$/

const REPORT_BYTES = 1
const REPORT_MAC_BYTES = 8
const REPORT_PATTERN = /^[A-Za-z0-9_-]{12}$/

const TEST_FLAG = 1
const SILENT_FLAG = 2

/** The domain separator of the MACs of push messages, which no other token uses. It includes the account as the path names it. */
function buildMacDomain({ agency, customer }: PushTokenOwner): Buffer {
  return Buffer.from(`push ${agency.toUpperCase()}/${customer.toUpperCase()} `)
}

function encodeMessageToken(token: PushMessageToken, number: number): Buffer {
  const bytes = Buffer.alloc(BODY_BYTES + MAC_BYTES)
  bytes[0] = (TOKEN_LAYOUT << 4) | number
  bytes[1] = (token.test ? TEST_FLAG : 0) | (token.silent ? SILENT_FLAG : 0)
  bytes.writeUInt32BE(token.account, 2)
  bytes.writeUInt32BE(token.notification, 6)
  writeUuidBytes(token.version, bytes, 10)
  writeUuidBytes(token.subscription, bytes, 26)
  bytes.writeUIntBE(token.contact, 42, 6)
  writeUuidBytes(token.stamp, bytes, 48)
  return bytes
}

function encodeReportToken(key: HmacKey, domain: Buffer, message: Buffer, sign: PushReportKind): Buffer {
  const bytes = Buffer.alloc(REPORT_BYTES + REPORT_MAC_BYTES)
  bytes[0] = pushReportKinds.indexOf(sign) + 1
  writeHmac(key, padHmacInput(domain, message, bytes.subarray(0, REPORT_BYTES)), bytes, REPORT_BYTES)
  return bytes
}

/** The address to which the app of a device reports events about a message. */
export function buildPushReportAddress(
  { number, key }: AccountTokenKey,
  owner: PushTokenOwner,
  token: PushMessageToken,
): PushReportAddress {
  const domain = buildMacDomain(owner)
  const messageBytes = encodeMessageToken(token, number)
  writeHmac(key, padHmacInput(domain, messageBytes.subarray(0, BODY_BYTES)), messageBytes, BODY_BYTES)
  const tokens = pushReportKinds.map((sign) => [
    sign,
    encodeReportToken(key, domain, messageBytes, sign).toString('base64url'),
  ])
  return {
    path: `/hit/${owner.agency}/${owner.customer}/${messageBytes.toString('base64url')}/link/`,
    tokens: Object.fromEntries(tokens) as PushReportAddress['tokens'],
  }
}

/** Text of base64url; undefined when bits are left over that no encoder sets. */
function decodeBase64url(text: string): Buffer | undefined {
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
  if (!MESSAGE_PATTERN.test(texts.message) || !REPORT_PATTERN.test(texts.token)) return undefined
  const [messageBytes, reportBytes] = [decodeBase64url(texts.message), decodeBase64url(texts.token)]
  if (!messageBytes || !reportBytes) return undefined
  const [layoutByte = 0, flags = 0] = messageBytes
  const account = messageBytes.readUInt32BE(2)
  const key = layoutByte >> 4 === TOKEN_LAYOUT ? keys.verifying(layoutByte & 15, account)?.key : undefined
  const reportKind = pushReportKinds[(reportBytes[0] ?? 0) - 1]
  if (key === undefined || reportKind === undefined) return undefined
  const domain = buildMacDomain(owner)
  const expectedMac = Buffer.alloc(MAC_BYTES)
  writeHmac(key, padHmacInput(domain, messageBytes.subarray(0, BODY_BYTES)), expectedMac, 0)
  const isMessage = timingSafeEqual(expectedMac, messageBytes.subarray(BODY_BYTES))
  if (!timingSafeEqual(encodeReportToken(key, domain, messageBytes, reportKind), reportBytes) || !isMessage)
    return undefined
  return {
    sign: reportKind,
    token: {
      account,
      notification: messageBytes.readUInt32BE(6),
      version: formatUuid(messageBytes.subarray(10, 26)),
      subscription: formatUuid(messageBytes.subarray(26, 42)),
      contact: messageBytes.readUIntBE(42, 6),
      stamp: formatUuid(messageBytes.subarray(48, 64)),
      test: (flags & TEST_FLAG) !== 0,
      silent: (flags & SILENT_FLAG) !== 0,
    },
  }
}
