import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { MasterKey, MasterKeys } from '../../../lib/crypto/tokens.ts'

/** Content of a token: members of the items that it runs, and its validity. */
export interface SealedTokenContent {
  data: Record<string, unknown> | null
  variables: readonly { key: string; value?: unknown }[] | null
  receiver: unknown
  /** Milliseconds since 1970; null: it does not expire. */
  expires: number | null
  minted: number
  /** Number of the key that made it, or uuid of the person. */
  maker: number | string
}

const TOKEN_LAYOUT = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_INFO = 'webtask-cipher-v1'
/** Maximum size of the content of a token, as JSON. */
export const MAX_TOKEN_CONTENT_BYTES = 8 * 1024

/** Bytes in base64url: 22 characters for the 16 of the webtask, at least 38 for nonce and tag. */
const TOKEN_PATTERN = /^v1\.(0|[1-9]\d?)\.([\w-]{22})\.([\w-]{38,})$/

/** A key of one webtask (HKDF-SHA-256). */
function deriveKey({ key }: MasterKey, cipherId: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, cipherId, KEY_INFO, 32))
}

/** Decodes base64url; `undefined` if the text is not the canonical encoding of its bytes. */
function decodeBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Makes a token (AES-256-GCM, a random nonce). Undefined when it would hold more than 8 KB. `cipherId`: 16 bytes of the webtask. */
export function sealWebtaskToken(keys: MasterKeys, cipherId: Buffer, sealed: SealedTokenContent): string | undefined {
  const [newestKey] = keys
  if (newestKey === undefined) throw new Error('There is no master key.')
  const { data: d, variables: v, receiver: r, expires: e, minted: i, maker: k } = sealed
  const text = Buffer.from(JSON.stringify({ d, v, r, e, i, k }))
  if (text.length > MAX_TOKEN_CONTENT_BYTES) return undefined
  const tokenHead = `${TOKEN_LAYOUT}.${newestKey.number}.${cipherId.toString('base64url')}`
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(newestKey, cipherId), nonce).setAAD(Buffer.from(tokenHead))
  const body = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
  return `${tokenHead}.${body.toString('base64url')}`
}

/**
 * Cipher id of the webtask that a token names; `undefined` if the text does not have the form of a token. It does not prove that the token
 * is valid.
 */
export function findTokenCipherId(token: string): Buffer | undefined {
  return decodeBase64Url(TOKEN_PATTERN.exec(token)?.[2] ?? '-')
}

/** Content of a webtask's token; `undefined` if the token is invalid or was changed. Its expiry is not checked. */
export function openWebtaskToken(keys: MasterKeys, cipherId: Buffer, token: string): SealedTokenContent | undefined {
  const [, number, id = '', text = ''] = TOKEN_PATTERN.exec(token) ?? []
  const key = keys.find((masterKey) => String(masterKey.number) === number)
  const bytes = decodeBase64Url(text)
  if (key === undefined || bytes === undefined || id !== cipherId.toString('base64url')) return undefined
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(key, cipherId), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(token.slice(0, token.lastIndexOf('.'))))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  let opened: Buffer
  try {
    opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
  const { d, v, r, e, i, k } = JSON.parse(opened.toString())
  return { data: d, variables: v, receiver: r, expires: e, minted: i, maker: k }
}
