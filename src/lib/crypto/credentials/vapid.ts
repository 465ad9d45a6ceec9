import { createECDH } from 'node:crypto'
import { badRequestProblem } from '../../errors/problem.ts'

/** Keys of Web Push (RFC 8292) in base64url: the uncompressed point, 65 bytes, and the scalar, 32 bytes. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

const CURVE = 'prime256v1'
const PRIVATE_KEY_BYTES = 32

/** Makes a pair of keys. */
export function createVapidKeys(): VapidKeys {
  const keyPair = createECDH(CURVE)
  const publicKey = keyPair.generateKeys('base64url')
  // Leading zeros belong to a scalar.
  const scalar = keyPair.getPrivateKey()
  const paddedKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - scalar.length), scalar])
  return { publicKey, privateKey: paddedKey.toString('base64url') }
}

/** Bytes of base64url, or of base64 with or without padding; undefined for other text. */
export function parseBase64url(text: string): Buffer | undefined {
  const unpaddedText = text
    .replace(/(?<!=)=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return /^[\w-]+$/.test(unpaddedText) ? Buffer.from(unpaddedText, 'base64url') : undefined
}

/** Returns true if 65 bytes are an uncompressed point of P-256. */
export function isP256Point(bytes: Buffer | undefined): bytes is Buffer {
  if (bytes?.length !== 65 || bytes[0] !== 4) return false
  try {
    const otherParty = createECDH(CURVE)
    otherParty.generateKeys()
    otherParty.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}

function derivePublicKey(privateKey: Buffer): Buffer | undefined {
  try {
    const keyPair = createECDH(CURVE)
    keyPair.setPrivateKey(privateKey)
    return keyPair.getPublicKey()
  } catch {
    return undefined
  }
}

/**
 * Reads a pair of keys; a missing public key is computed. Throws badRequestProblem that repeats nothing of the private one, when
 * one is malformed or they do not belong together. `pointer`: of the object that has both.
 */
export function parseVapidKeys(publicKey: string | undefined, privateKey: string, pointer: string): VapidKeys {
  const privateKeyBytes = parseBase64url(privateKey)
  const publicKeyBytes = privateKeyBytes?.length === PRIVATE_KEY_BYTES ? derivePublicKey(privateKeyBytes) : undefined
  if (!privateKeyBytes || !publicKeyBytes)
    throw badRequestProblem(`${pointer}/privateKey`, 'must be a P-256 private key: 32 bytes in base64url')
  if (publicKey !== undefined && !parseBase64url(publicKey)?.equals(publicKeyBytes))
    throw badRequestProblem(`${pointer}/publicKey`, 'must be the public key of privateKey: 65 bytes in base64url')
  return { publicKey: publicKeyBytes.toString('base64url'), privateKey: privateKeyBytes.toString('base64url') }
}
