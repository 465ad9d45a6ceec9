import { createPrivateKey, type KeyObject } from 'node:crypto'
import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'

/** What is kept of the JSON of a Google service account. */
export interface RcsServiceAccount {
  client_email: string
  /** PEM of PKCS #8. */
  private_key: string
  private_key_id?: string
}

const MIN_BITS = 2048
const POINTER = '/provider/credentials'
const PKCS8 = /^\s*-----BEGIN PRIVATE KEY-----\s/

function refuse(detail: string) {
  return badRequestProblem(POINTER, detail)
}

/** The cause is not passed on: messages of parsers quote what they read. */
function parsed(given: string | object): Record<string, unknown> {
  if (typeof given === 'object') return { ...given }
  let value: unknown
  try {
    value = JSON.parse(given)
  } catch {
    throw refuse('must be the JSON of a service account')
  }
  if (!isJsonObject(value)) throw refuse('must be the JSON object of a service account')
  return value
}

function keyOf(pem: string): KeyObject | undefined {
  try {
    return PKCS8.test(pem) ? createPrivateKey({ key: pem, format: 'pem' }) : undefined
  } catch {
    return undefined
  }
}

function checkKey(pem: string): void {
  const key = keyOf(pem)
  if (!key) throw refuse('private_key must be a private key in PKCS #8 (PEM, BEGIN PRIVATE KEY)')
  if (key.asymmetricKeyType !== 'rsa') throw refuse('private_key must be an RSA key')
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_BITS)
    throw refuse(`private_key must have ${MIN_BITS} bits or more`)
}

/** Reads the JSON of a service account, given as object or text. Throws 400 that repeats nothing of it. */
export function parseRcsServiceAccount(given: string | object): RcsServiceAccount {
  const { client_email: email, private_key: key, private_key_id: keyId } = parsed(given)
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320)
    throw refuse('client_email is required, the address of the service account')
  if (typeof key !== 'string') throw refuse('private_key is required')
  checkKey(key)
  const known = typeof keyId === 'string' && /^[\w-]{1,200}$/.test(keyId) ? { private_key_id: keyId } : {}
  return { client_email: email, private_key: key, ...known }
}

/** Tells which credentials are kept without showing them. */
export function fingerprintCredentials({ client_email: email, private_key: key }: RcsServiceAccount): string {
  return fingerprintSecret(`${email}\n${key}`)
}
