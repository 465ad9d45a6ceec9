import { createECDH } from 'node:crypto'
import { badRequestProblem } from '../../errors/problem.ts'

/** Keys of Web Push (RFC 8292) in base64url: the uncompressed point, 65 bytes, and the scalar, 32 bytes. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

const CURVE = 'prime256v1'
const PRIVATE_BYTES = 32

/** Makes a pair of keys. */
export function createVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys('base64url')
  // Leading zeros belong to a scalar.
  const scalar = pair.getPrivateKey()
  const padded = Buffer.concat([Buffer.alloc(PRIVATE_BYTES - scalar.length), scalar])
  return { publicKey, privateKey: padded.toString('base64url') }
}

/** Bytes of base64url, or of base64 with or without padding; undefined for other text. */
export function parseBase64url(text: string): Buffer | undefined {
  const plain = text
    .replace(/(?<!=)=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
  return /^[\w-]+$/.test(plain) ? Buffer.from(plain, 'base64url') : undefined
}

/** Whether 65 bytes are an uncompressed point of P-256. */
export function isP256Point(bytes: Buffer | undefined): bytes is Buffer {
  if (bytes?.length !== 65 || bytes[0] !== 4) return false
  try {
    const other = createECDH(CURVE)
    other.generateKeys()
    other.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}

function publicOf(privateKey: Buffer): Buffer | undefined {
  try {
    const pair = createECDH(CURVE)
    pair.setPrivateKey(privateKey)
    return pair.getPublicKey()
  } catch {
    return undefined
  }
}

/**
 * Reads a pair of keys; a missing public key is computed. Throws badRequestProblem that repeats nothing of the private one, when
 * one is malformed or they do not belong together. `pointer`: of the object that has both.
 */
export function parseVapidKeys(publicKey: string | undefined, privateKey: string, pointer: string): VapidKeys {
  const secret = parseBase64url(privateKey)
  const point = secret?.length === PRIVATE_BYTES ? publicOf(secret) : undefined
  if (!secret || !point)
    throw badRequestProblem(`${pointer}/privateKey`, 'must be a P-256 private key: 32 bytes in base64url')
  if (publicKey !== undefined && !parseBase64url(publicKey)?.equals(point))
    throw badRequestProblem(`${pointer}/publicKey`, 'must be the public key of privateKey: 65 bytes in base64url')
  return { publicKey: point.toString('base64url'), privateKey: secret.toString('base64url') }
}
