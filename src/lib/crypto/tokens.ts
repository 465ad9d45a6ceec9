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

/** The purpose of a token; each kind is valid on one public path only. */
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

/** One link of one message. `link` is its number in the version's link table; 0 if it has no number. */
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
const TOKEN_LAYOUT = 1
/**
 * The layout of redirections whose target is not sent in addition to the token: the links of a message differ in their number alone, and
 * share one HMAC of the body with the number 0. Its first half and the number times its second half make the MAC of each. Anybody who
 * knows several links of a message could forge others of the same message, which lead to the same targets as its other links.
 */
const LINK_LAYOUT = 2
/** The layout of links that were sent before there were sources other than actions; they remain readable for ever. */
const LEGACY_LAYOUT = 0
const ADDRESS_LAYOUT = 0
const BODY_BYTES = 38
const MAC_BYTES = 16
const MAC_WORDS = MAC_BYTES / 4
/** The offset of the link number in a body. */
const LINK_OFFSET = 36
/** The words of a padded body that hold its kind, and its link with the first bit of the padding behind it. */
const KIND_WORD = 0
const LINK_WORD = 9
const PADDING_BIT = 0x8000
const TOKEN_LENGTH = 72
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{72}$/

const ADDRESS_BODY_BYTES = 21
const ADDRESS_MAC_BYTES = 10
const ADDRESS_LENGTH = 50
const ADDRESS_PATTERN = /^[a-z2-7]{50}$/
/** The MAC covers the prefix, so that a bounce address cannot be turned into one that unsubscribes. */
const ADDRESS_PREFIXES = { bounce: Buffer.from('bounce'), unsub: Buffer.from('unsub'), stamp: Buffer.from('stamp') }

/** A scratch buffer for signing an address: nothing in it outlives a call. */
const addressBuffer = Buffer.alloc(ADDRESS_BODY_BYTES + ADDRESS_MAC_BYTES)
const addressBody = addressBuffer.subarray(0, ADDRESS_BODY_BYTES)
const letterBuffer = Buffer.alloc(ADDRESS_LENGTH)

const KIND_CODES: Record<LinkTokenKind, number> = {
  open: 1,
  redirection: 2,
  mirror: 3,
  unsubscribe: 4,
  form: 5,
  honeypot: 6,
}
const TEST_FLAG = 16
const SILENT_FLAG = 32
const SOURCE_SHIFT = 6

/** Derives the keys of accounts (HKDF-SHA256, RFC 5869) and caches those that sign. */
export function createAccountTokenKeys(master: MasterKeys): AccountTokenKeys {
  const [newestKey] = master
  if (newestKey === undefined) throw new Error('There is no master key.')
  const derivedKeys = new Map<number, AccountTokenKey>()

  return {
    signing(account) {
      let key = derivedKeys.get(account)
      if (key === undefined) derivedKeys.set(account, (key = deriveKey(newestKey, account)))
      return key
    },
    verifying(number, account) {
      if (number === newestKey.number && derivedKeys.has(account)) return derivedKeys.get(account)
      const masterKey = master.find((candidate) => candidate.number === number)
      return masterKey && deriveKey(masterKey, account)
    },
  }
}

function deriveKey({ number, key }: MasterKey, account: number): AccountTokenKey {
  return { number, key: createHmacKey(Buffer.from(hkdfSync('sha256', key, '', `token ${account}`, 32))) }
}

/** A token of 72 base64url characters. A `target` that is sent in addition to it, as base64url, is covered by its MAC. */
export function signLinkToken(keys: AccountTokenKeys, token: MessageLinkToken, target?: string): string {
  return createMessageSigner(keys.signing(token.account), token).sign(token.kind, token.link, target)
}

/**
 * Signs many links of one message: the bytes they share are laid out once, and so are the words of their MACs, in which only
 * those of the kind and of the link change.
 */
export function createMessageSigner({ number, key }: AccountTokenKey, message: MessageToken): MessageSigner {
  const sourceBits = sentSourceKinds.indexOf(message.sourceKind) << SOURCE_SHIFT
  const flags = sourceBits | (message.test ? TEST_FLAG : 0) | (message.silent ? SILENT_FLAG : 0)
  const bytes = Buffer.alloc(BODY_BYTES + MAC_BYTES)
  bytes.writeUInt32BE(message.account, 2)
  bytes.writeUInt32BE(message.source, 6)
  bytes.writeUInt32BE(message.version, 10)
  bytes.writeUIntBE(message.contact, 14, 6)
  writeUuidBytes(message.stamp, bytes, 20)
  const body = bytes.subarray(0, BODY_BYTES)
  const words = padHmacInput(body)
  let sharedMacBytes: Buffer | undefined

  return {
    sign(kind, link, target) {
      body[1] = KIND_CODES[kind] | flags
      if (kind === 'redirection' && target === undefined) {
        body[0] = (LINK_LAYOUT << 4) | number
        sharedMacBytes ??= computeSharedMac(key, body)
        body.writeUInt16BE(link, LINK_OFFSET)
        writeLinkMac(sharedMacBytes, link, bytes)
        return bytes.toString('base64url')
      }
      body[0] = (TOKEN_LAYOUT << 4) | number
      body.writeUInt16BE(link, LINK_OFFSET)
      words[KIND_WORD] = body.readInt32BE(0)
      words[LINK_WORD] = (link << 16) | PADDING_BIT
      const inputWords = target === undefined ? words : padHmacInput(body, Buffer.from(target))
      writeHmac(key, inputWords, bytes, BODY_BYTES)
      return bytes.toString('base64url')
    },
    address(prefix) {
      addressBuffer[0] = (ADDRESS_LAYOUT << 4) | number
      addressBuffer.writeUInt32BE(message.account, 1)
      bytes.copy(addressBuffer, 5, 20, 36)
      writeHmac(key, padHmacInput(ADDRESS_PREFIXES[prefix], addressBody), addressBuffer, ADDRESS_BODY_BYTES)
      return encodeBase32(addressBuffer)
    },
  }
}

/** The HMAC that redirections of a message share: 32 bytes, over its body with no number. */
function computeSharedMac(key: HmacKey, body: Buffer): Buffer {
  const macBytes = Buffer.alloc(2 * MAC_BYTES)
  const words = padHmacInput(body)
  words[LINK_WORD] = PADDING_BIT
  writeHmac(key, words, macBytes, 0)
  return macBytes
}

/** Writes the MAC of one link behind the body of its token: no two numbers have the same. */
function writeLinkMac(shared: Buffer, link: number, bytes: Buffer): void {
  for (let wordIndex = 0; wordIndex < MAC_WORDS; wordIndex++) {
    const linkFactor = shared.readInt32BE(MAC_BYTES + 4 * wordIndex) | 1
    bytes.writeInt32BE(shared.readInt32BE(4 * wordIndex) ^ Math.imul(linkFactor, link), BODY_BYTES + 4 * wordIndex)
  }
}

/** Returns true if a token of that layout has the MAC of its link. The comparison takes constant time. */
function hasLinkMac(bytes: Buffer, key: HmacKey): boolean {
  const expectedBytes = Buffer.from(bytes)
  writeLinkMac(computeSharedMac(key, bytes.subarray(0, BODY_BYTES)), bytes.readUInt16BE(LINK_OFFSET), expectedBytes)
  return timingSafeEqual(expectedBytes, bytes)
}

/**
 * Reads a token that came on the path of `kind`, with the decoded `target` that came in addition to it, if any. Returns undefined for
 * anything invalid: length, alphabet, layout, key, kind, MAC, or a target other than the signed one.
 */
export function parseLinkToken(
  keys: AccountTokenKeys,
  text: string,
  kind: LinkTokenKind,
  target?: string,
): MessageLinkToken | undefined {
  if (text.length !== TOKEN_LENGTH || !TOKEN_PATTERN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const [layoutByte = 0, kindByte = 0] = bytes
  const account = bytes.readUInt32BE(2)
  const key = keys.verifying(layoutByte & 15, account)?.key
  const body = bytes.subarray(0, BODY_BYTES)
  if (key === undefined) return undefined
  const isLinkLayout = layoutByte >> 4 === LINK_LAYOUT
  if (isLinkLayout && (kind !== 'redirection' || target !== undefined)) return undefined
  const words = target === undefined ? padHmacInput(body) : padHmacInput(body, Buffer.from(target))
  if (!(isLinkLayout ? hasLinkMac(bytes, key) : matchesMac(bytes, BODY_BYTES, key, words))) return undefined
  const sourceKind = getSourceKind(layoutByte >> 4, kindByte >> SOURCE_SHIFT)
  if (sourceKind === undefined || (kindByte & 15) !== KIND_CODES[kind]) return undefined
  return {
    kind,
    test: (kindByte & TEST_FLAG) !== 0,
    silent: (kindByte & SILENT_FLAG) !== 0,
    account,
    sourceKind,
    source: body.readUInt32BE(6),
    version: body.readUInt32BE(10),
    contact: body.readUIntBE(14, 6),
    stamp: formatUuid(body.subarray(20, 36)),
    link: body.readUInt16BE(LINK_OFFSET),
  }
}

/** The kind of source that a token of a layout names; undefined when either is unknown. */
function getSourceKind(layout: number, bits: number): SentSourceKind | undefined {
  if (layout === LEGACY_LAYOUT) return 'action'
  return layout === TOKEN_LAYOUT || layout === LINK_LAYOUT ? sentSourceKinds[bits] : undefined
}

/** The part after the `+` in `bounce+...` and `unsub+...`, and the X-Stamp header: 50 characters of base32, lower case. */
export function signStampAddress(
  keys: AccountTokenKeys,
  prefix: StampAddressPrefix,
  account: number,
  stamp: string,
): string {
  const actionSource = { sourceKind: 'action', source: 0 } as const
  const message = { account, ...actionSource, version: 0, contact: 0, stamp, test: false, silent: false }
  return createMessageSigner(keys.signing(account), message).address(prefix)
}

/** Reads an address signed for `prefix`, in either case; undefined for anything invalid. */
export function parseStampAddress(
  keys: AccountTokenKeys,
  prefix: StampAddressPrefix,
  text: string,
): { account: number; stamp: string } | undefined {
  const bytes = decodeBase32(text.toLowerCase())
  if (bytes === undefined) return undefined
  const [layoutByte = 0] = bytes
  const account = bytes.readUInt32BE(1)
  const key = keys.verifying(layoutByte & 15, account)?.key
  if (key === undefined || layoutByte >> 4 !== ADDRESS_LAYOUT) return undefined
  const words = padHmacInput(ADDRESS_PREFIXES[prefix], bytes.subarray(0, ADDRESS_BODY_BYTES))
  if (!matchesMac(bytes, ADDRESS_BODY_BYTES, key, words)) return undefined
  const stamp = parseUuid(formatUuid(bytes.subarray(5, ADDRESS_BODY_BYTES)))
  return stamp === undefined ? undefined : { account, stamp }
}

/** Returns true if the bytes from `from` on are the beginning of a MAC. The comparison takes constant time. */
function matchesMac(bytes: Buffer, from: number, key: HmacKey, words: Int32Array): boolean {
  const expectedMac = Buffer.alloc(bytes.length - from)
  writeHmac(key, words, expectedMac, 0)
  return timingSafeEqual(expectedMac, bytes.subarray(from))
}

const BASE32_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const BASE32_CODES = Buffer.from(BASE32_ALPHABET)

/** The bytes of an address in base32 (RFC 4648, 6), in lower case without padding. */
function encodeBase32(bytes: Buffer): string {
  let pendingBits = 0
  let bitCount = 0
  let writeIndex = 0
  for (let i = 0; i < bytes.length; i++) {
    pendingBits = ((pendingBits << 8) | bytes[i]!) & 0xfff
    for (bitCount += 8; bitCount >= 5; bitCount -= 5)
      letterBuffer[writeIndex++] = BASE32_CODES[(pendingBits >> (bitCount - 5)) & 31]!
  }
  letterBuffer[writeIndex] = BASE32_CODES[(pendingBits << (5 - bitCount)) & 31]!
  return letterBuffer.toString('latin1')
}

/** The bytes of an address; undefined when ill-formed, also when the two bits that are left over are set. */
function decodeBase32(text: string): Buffer | undefined {
  if (!ADDRESS_PATTERN.test(text)) return undefined
  const bytes = Buffer.alloc(ADDRESS_BODY_BYTES + ADDRESS_MAC_BYTES)
  let bitCount = 0
  let pendingBits = 0
  let writeIndex = 0
  for (const character of text) {
    pendingBits = ((pendingBits << 5) | BASE32_ALPHABET.indexOf(character)) & 0xfff
    bitCount += 5
    if (bitCount >= 8) bytes[writeIndex++] = (pendingBits >> (bitCount -= 8)) & 255
  }
  return (pendingBits & ((1 << bitCount) - 1)) === 0 ? bytes : undefined
}
