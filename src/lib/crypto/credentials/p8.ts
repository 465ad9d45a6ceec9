import { createPrivateKey, type KeyObject } from 'node:crypto'
import { badRequestProblem } from '../../errors/problem.ts'

function parse(given: string): KeyObject | undefined {
  try {
    return given.includes('-----BEGIN')
      ? createPrivateKey(given.trim())
      : createPrivateKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

/** A base64 text of a whole PEM file is how browsers give a file. */
function unwrapped(given: string): string {
  const text = given.includes('-----BEGIN') ? '' : Buffer.from(given, 'base64').toString('latin1')
  return text.startsWith('-----BEGIN') ? text : given
}

/**
 * Reads a key of the push service of Apple: PKCS #8 of an EC key on P-256 (ES256), as PEM, or base64 of its PEM or DER.
 * Throws badRequestProblem that repeats nothing of it; `pointer`: where it stands.
 */
export function parseP8SigningKey(given: string, pointer: string): KeyObject {
  const key = parse(unwrapped(given))
  if (key === undefined)
    throw badRequestProblem(pointer, 'must be a private key in PKCS #8: the .p8 file as PEM or base64')
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw badRequestProblem(pointer, 'must be an EC key on the curve P-256')
  return key
}
