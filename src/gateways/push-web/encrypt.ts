import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

/** Keys of a browser: its public point (65 bytes) and its secret (16 bytes). */
export interface BrowserPushKeys {
  p256dh: Buffer
  auth: Buffer
}

const CURVE_NAME = 'prime256v1'
const RECORD_BYTES = 4096

function deriveKey(salt: Buffer, secret: Buffer, info: Buffer | string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

function generateKeyPair(): ECDH {
  const pair = createECDH(CURVE_NAME)
  pair.generateKeys()
  return pair
}

/**
 * Encrypts a message for a browser (RFC 8291) as one record of `aes128gcm` (RFC 8188). `pair` and `salt` are new ones for
 * each message; they are given for the example of the standard alone.
 */
export function encryptForBrowser(
  text: string,
  { p256dh, auth }: BrowserPushKeys,
  { pair = generateKeyPair(), salt = randomBytes(16) }: { pair?: ECDH; salt?: Buffer } = {},
): Buffer {
  const publicKey = pair.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey])
  const secret = deriveKey(auth, pair.computeSecret(p256dh), info, 32)
  const key = deriveKey(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = deriveKey(salt, secret, 'Content-Encoding: nonce\0', 12)
  const sizeHeader = Buffer.alloc(5)
  sizeHeader.writeUInt32BE(RECORD_BYTES)
  sizeHeader.writeUInt8(publicKey.length, 4)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // 2 delimits the last record.
  const encryptedRecord = [
    cipher.update(text, 'utf8'),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]
  return Buffer.concat([salt, sizeHeader, publicKey, ...encryptedRecord])
}
