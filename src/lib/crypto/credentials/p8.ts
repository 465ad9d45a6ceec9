import { createPrivateKey, type KeyObject } from 'node:crypto'
import { badRequestProblem } from '../../errors/problem.ts'

function parsePrivateKey(keyText: string): KeyObject | undefined {
  try {
    return keyText.includes('-----BEGIN')
      ? createPrivateKey(keyText.trim())
      : createPrivateKey({ key: Buffer.from(keyText, 'base64'), format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

/** A base64 text of a whole PEM file is how browsers give a file. */
function unwrapPem(rawText: string): string {
  const text = rawText.includes('-----BEGIN') ? '' : Buffer.from(rawText, 'base64').toString('latin1')
  return text.startsWith('-----BEGIN') ? text : rawText
}

/**
 * Reads a key of the push service of Apple: PKCS #8 of an EC key on P-256 (ES256), as PEM, or base64 of its PEM or DER.
 * Throws badRequestProblem that repeats nothing of it; `pointer`: where it stands.
 */
export function parseP8SigningKey(rawKey: string, pointer: string): KeyObject {
  const key = parsePrivateKey(unwrapPem(rawKey))
  if (key === undefined)
    throw badRequestProblem(pointer, 'must be a private key in PKCS #8: the .p8 file as PEM or base64')
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw badRequestProblem(pointer, 'must be an EC key on the curve P-256')
  return key
}
