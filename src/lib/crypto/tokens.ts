import { hkdfSync, timingSafeEqual } from 'node:crypto'
import { formatUuid, parseUuid, writeUuidBytes } from '../ids.ts'
import { type SentSourceKind, type SentSourceNumber, sentSourceKinds } from '../sources.ts'
import { createHmacKey, type HmacKey, padHmacInput, writeHmac } from './hmac.ts'

/** One master key: a number from 0 to 15, which what it signed or sealed carries, and 32 secret bytes. */
export interface MasterKey {
  number: number
  key: Buffer
}

/** At most sixteen keys, newest first. The first one signs and seals; all of them verify and open. */
export type MasterKeys = readonly MasterKey[]

/** The key of one account, derived from the master key of that number. May be handed to another thread. */
export interface AccountTokenKey {
  number: number
  key: HmacKey
}

/** What a token is for; each kind is good on one public path only. */
export type LinkTokenKind = 'open' | 'redirection' | 'mirror' | 'unsubscribe' | 'form' | 'honeypot'

/** The members of a token that every link of one message shares. `contact` is 0 for a message to an address without a contact. */
export interface MessageToken extends SentSourceNumber {
  account: number
  version: number
  contact: number
  stamp: string
  test: boolean
  silent: boolean
}

/** One link of one message. `link` is its number in the version's link table, 0 when it has none. */
export interface MessageLinkToken extends MessageToken {
  kind: LinkTokenKind
  link: number
}

/** The prefixes of mail addresses (and of the X-Stamp header) that carry a stamp. */
export type StampAddressPrefix = 'bounce' | 'unsub' | 'stamp'

/** Signs the links and addresses of one message. */
export interface MessageSigner {
  sign(kind: LinkTokenKind, link: number, target?: string): string
  address(prefix: StampAddressPrefix): string
}

/** The keys of accounts, derived from the master keys on demand. Created once per process or thread. */
export interface AccountTokenKeys {
  /** The newest key of an account, derived once and cached; for signing. */
  signing(account: number): AccountTokenKey
  /** Its key under any master key; undefined for an unknown number. Not cached, so that forged account numbers cannot fill memory. */
  verifying(number: number, account: number): AccountTokenKey | undefined
}

/** Bits 6 and 7 of the second byte name the kind of source. */
const LAYOUT = 1
/**
 * The same, of redirections whose target does not travel beside them: the links of a message differ in their number alone, and share
 * one HMAC of the body with the number 0. Its first half and the number times its second half make the MAC of each. Who knows several
 * links of a message could make others of the same message, which lead where its other links do.
 */
const LINKS_LAYOUT = 2
/** Of links that were sent before there were other sources than actions; they are read for ever. */
const ACTIONS_LAYOUT = 0
const ADDRESS_LAYOUT = 0
const BODY_BYTES = 38
const MAC_BYTES = 16
const MAC_WORDS = MAC_BYTES / 4
/** Where the number of the link is in a body. */
const LINK_AT = 36
/** The words of a padded body that hold its kind, and its link with the first bit of the padding behind it. */
const KIND_WORD = 0
const LINK_WORD = 9
const PADDING = 0x8000
const TOKEN_LENGTH = 72
const TOKEN = /^[A-Za-z0-9_-]{72}$/

const ADDRESS_BODY_BYTES = 21
const ADDRESS_MAC_BYTES = 10
const ADDRESS_LENGTH = 50
const ADDRESS = /^[a-z2-7]{50}$/
/** The MAC covers the prefix, so that a bounce address cannot be turned into one that unsubscribes. */
const PREFIXES = { bounce: Buffer.from('bounce'), unsub: Buffer.from('unsub'), stamp: Buffer.from('stamp') }

/** A scratch buffer for signing an address: nothing in it outlives a call. */
const addressBytes = Buffer.alloc(ADDRESS_BODY_BYTES + ADDRESS_MAC_BYTES)
const addressBody = addressBytes.subarray(0, ADDRESS_BODY_BYTES)
const letters = Buffer.alloc(ADDRESS_LENGTH)

const KINDS: Record<LinkTokenKind, number> = {
  open: 1,
  redirection: 2,
  mirror: 3,
  unsubscribe: 4,
  form: 5,
  honeypot: 6,
}
const TEST = 16
const SILENT = 32
const SOURCE_SHIFT = 6

/** Derives the keys of accounts (HKDF-SHA256, RFC 5869) and caches those that sign. */
export function createAccountTokenKeys(master: MasterKeys): AccountTokenKeys {
  const [newest] = master
  if (newest === undefined) throw new Error('There is no master key.')
  const kept = new Map<number, AccountTokenKey>()

  return {
    signing(account) {
      let key = kept.get(account)
      if (key === undefined) kept.set(account, (key = deriveKey(newest, account)))
      return key
    },
    verifying(number, account) {
      if (number === newest.number && kept.has(account)) return kept.get(account)
      const used = master.find((candidate) => candidate.number === number)
      return used && deriveKey(used, account)
    },
  }
}

function deriveKey({ number, key }: MasterKey, account: number): AccountTokenKey {
  return { number, key: createHmacKey(Buffer.from(hkdfSync('sha256', key, '', `token ${account}`, 32))) }
}

/** A token of 72 base64url characters. A `target` that travels beside it, as base64url, is under its MAC. */
export function signLinkToken(keys: AccountTokenKeys, token: MessageLinkToken, target?: string): string {
  return createMessageSigner(keys.signing(token.account), token).sign(token.kind, token.link, target)
}

/**
 * Signs many links of one message: the bytes they share are laid out once, and so are the words of their MACs, in which only
 * those of the kind and of the link change.
 */
export function createMessageSigner({ number, key }: AccountTokenKey, message: MessageToken): MessageSigner {
  const source = sentSourceKinds.indexOf(message.sourceKind) << SOURCE_SHIFT
  const flags = source | (message.test ? TEST : 0) | (message.silent ? SILENT : 0)
  const bytes = Buffer.alloc(BODY_BYTES + MAC_BYTES)
  bytes.writeUInt32BE(message.account, 2)
  bytes.writeUInt32BE(message.source, 6)
  bytes.writeUInt32BE(message.version, 10)
  bytes.writeUIntBE(message.contact, 14, 6)
  writeUuidBytes(message.stamp, bytes, 20)
  const body = bytes.subarray(0, BODY_BYTES)
  const words = padHmacInput(body)
  let shared: Buffer | undefined

  return {
    sign(kind, link, target) {
      body[1] = KINDS[kind] | flags
      if (kind === 'redirection' && target === undefined) {
        body[0] = (LINKS_LAYOUT << 4) | number
        shared ??= sharedMac(key, body)
        body.writeUInt16BE(link, LINK_AT)
        linkMac(shared, link, bytes)
        return bytes.toString('base64url')
      }
      body[0] = (LAYOUT << 4) | number
      body.writeUInt16BE(link, LINK_AT)
      words[KIND_WORD] = body.readInt32BE(0)
      words[LINK_WORD] = (link << 16) | PADDING
      const signed = target === undefined ? words : padHmacInput(body, Buffer.from(target))
      writeHmac(key, signed, bytes, BODY_BYTES)
      return bytes.toString('base64url')
    },
    address(prefix) {
      addressBytes[0] = (ADDRESS_LAYOUT << 4) | number
      addressBytes.writeUInt32BE(message.account, 1)
      bytes.copy(addressBytes, 5, 20, 36)
      writeHmac(key, padHmacInput(PREFIXES[prefix], addressBody), addressBytes, ADDRESS_BODY_BYTES)
      return toBase32(addressBytes)
    },
  }
}

/** The HMAC that redirections of a message share: 32 bytes, over its body with no number. */
function sharedMac(key: HmacKey, body: Buffer): Buffer {
  const whole = Buffer.alloc(2 * MAC_BYTES)
  const words = padHmacInput(body)
  words[LINK_WORD] = PADDING
  writeHmac(key, words, whole, 0)
  return whole
}

/** Writes the MAC of one link behind the body of its token: no two numbers have the same. */
function linkMac(shared: Buffer, link: number, bytes: Buffer): void {
  for (let n = 0; n < MAC_WORDS; n++) {
    const factor = shared.readInt32BE(MAC_BYTES + 4 * n) | 1
    bytes.writeInt32BE(shared.readInt32BE(4 * n) ^ Math.imul(factor, link), BODY_BYTES + 4 * n)
  }
}

/** Whether a token of that layout has the MAC of its link, compared in constant time. */
function hasLinkMac(bytes: Buffer, key: HmacKey): boolean {
  const expected = Buffer.from(bytes)
  linkMac(sharedMac(key, bytes.subarray(0, BODY_BYTES)), bytes.readUInt16BE(LINK_AT), expected)
  return timingSafeEqual(expected, bytes)
}

/**
 * Reads a token that came on the path of `kind`, with the decoded `target` that came beside it, if any.
 * Undefined for anything invalid: length, alphabet, layout, key, kind, MAC, or a target that is not the signed one.
 */
export function parseLinkToken(
  keys: AccountTokenKeys,
  text: string,
  kind: LinkTokenKind,
  target?: string,
): MessageLinkToken | undefined {
  if (text.length !== TOKEN_LENGTH || !TOKEN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const [first = 0, second = 0] = bytes
  const account = bytes.readUInt32BE(2)
  const key = keys.verifying(first & 15, account)?.key
  const body = bytes.subarray(0, BODY_BYTES)
  if (key === undefined) return undefined
  const isLink = first >> 4 === LINKS_LAYOUT
  if (isLink && (kind !== 'redirection' || target !== undefined)) return undefined
  const words = target === undefined ? padHmacInput(body) : padHmacInput(body, Buffer.from(target))
  if (!(isLink ? hasLinkMac(bytes, key) : hasMac(bytes, BODY_BYTES, key, words))) return undefined
  const sourceKind = sourceKindOf(first >> 4, second >> SOURCE_SHIFT)
  if (sourceKind === undefined || (second & 15) !== KINDS[kind]) return undefined
  return {
    kind,
    test: (second & TEST) !== 0,
    silent: (second & SILENT) !== 0,
    account,
    sourceKind,
    source: body.readUInt32BE(6),
    version: body.readUInt32BE(10),
    contact: body.readUIntBE(14, 6),
    stamp: formatUuid(body.subarray(20, 36)),
    link: body.readUInt16BE(LINK_AT),
  }
}

/** The kind of source that a token of a layout names; undefined when either is unknown. */
function sourceKindOf(layout: number, bits: number): SentSourceKind | undefined {
  if (layout === ACTIONS_LAYOUT) return 'action'
  return layout === LAYOUT || layout === LINKS_LAYOUT ? sentSourceKinds[bits] : undefined
}

/** What follows the `+` in `bounce+...` and `unsub+...`, and the X-Stamp header: 50 characters of base32, lower case. */
export function signStampAddress(
  keys: AccountTokenKeys,
  prefix: StampAddressPrefix,
  account: number,
  stamp: string,
): string {
  const source = { sourceKind: 'action', source: 0 } as const
  const message = { account, ...source, version: 0, contact: 0, stamp, test: false, silent: false }
  return createMessageSigner(keys.signing(account), message).address(prefix)
}

/** Reads an address signed for `prefix`, in either case; undefined for anything invalid. */
export function parseStampAddress(
  keys: AccountTokenKeys,
  prefix: StampAddressPrefix,
  text: string,
): { account: number; stamp: string } | undefined {
  const bytes = fromBase32(text.toLowerCase())
  if (bytes === undefined) return undefined
  const [first = 0] = bytes
  const account = bytes.readUInt32BE(1)
  const key = keys.verifying(first & 15, account)?.key
  if (key === undefined || first >> 4 !== ADDRESS_LAYOUT) return undefined
  const words = padHmacInput(PREFIXES[prefix], bytes.subarray(0, ADDRESS_BODY_BYTES))
  if (!hasMac(bytes, ADDRESS_BODY_BYTES, key, words)) return undefined
  const stamp = parseUuid(formatUuid(bytes.subarray(5, ADDRESS_BODY_BYTES)))
  return stamp === undefined ? undefined : { account, stamp }
}

/** Whether the bytes from `from` on are the beginning of a MAC, compared in constant time. */
function hasMac(bytes: Buffer, from: number, key: HmacKey, words: Int32Array): boolean {
  const expected = Buffer.alloc(bytes.length - from)
  writeHmac(key, words, expected, 0)
  return timingSafeEqual(expected, bytes.subarray(from))
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BASE32_CODES = Buffer.from(BASE32)

/** The bytes of an address in base32 (RFC 4648, 6), in lower case without padding. */
function toBase32(bytes: Buffer): string {
  let held = 0
  let bits = 0
  let at = 0
  for (let i = 0; i < bytes.length; i++) {
    held = ((held << 8) | bytes[i]!) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) letters[at++] = BASE32_CODES[(held >> (bits - 5)) & 31]!
  }
  letters[at] = BASE32_CODES[(held << (5 - bits)) & 31]!
  return letters.toString('latin1')
}

/** The bytes of an address; undefined when ill-formed, also when the two bits that are left over are set. */
function fromBase32(text: string): Buffer | undefined {
  if (!ADDRESS.test(text)) return undefined
  const bytes = Buffer.alloc(ADDRESS_BODY_BYTES + ADDRESS_MAC_BYTES)
  let bits = 0
  let held = 0
  let at = 0
  for (const character of text) {
    held = ((held << 5) | BASE32.indexOf(character)) & 0xfff
    bits += 5
    if (bits >= 8) bytes[at++] = (held >> (bits -= 8)) & 255
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
