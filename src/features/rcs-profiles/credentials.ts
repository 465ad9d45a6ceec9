import { createPrivateKey, type KeyObject } from 'node:crypto'
import { fingerprintSecret } from '../../lib/crypto/credentials/fingerprint.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'

/** The stored part of the JSON of a Google service account. */
export interface RcsServiceAccount {
  client_email: string
  /** PEM of PKCS #8. */
  private_key: string
  private_key_id?: string
}

const MIN_KEY_BITS = 2048
const CREDENTIALS_POINTER = '/provider/credentials'
const PKCS8_HEADER = /^\s*-----BEGIN PRIVATE KEY-----\s/

function credentialsProblem(detail: string) {
  return badRequestProblem(CREDENTIALS_POINTER, detail)
}

/** The cause is not passed on: messages of parsers quote what they read. */
function parseCredentials(credentialsInput: string | object): Record<string, unknown> {
  if (typeof credentialsInput === 'object') return { ...credentialsInput }
  let value: unknown
  try {
    value = JSON.parse(credentialsInput)
  } catch {
    throw credentialsProblem('must be the JSON of a service account')
  }
  if (!isJsonObject(value)) throw credentialsProblem('must be the JSON object of a service account')
  return value
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    return PKCS8_HEADER.test(pem) ? createPrivateKey({ key: pem, format: 'pem' }) : undefined
  } catch {
    return undefined
  }
}

function assertPrivateKey(pem: string): void {
  const key = parsePrivateKey(pem)
  if (!key) throw credentialsProblem('private_key must be a private key in PKCS #8 (PEM, BEGIN PRIVATE KEY)')
  if (key.asymmetricKeyType !== 'rsa') throw credentialsProblem('private_key must be an RSA key')
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < MIN_KEY_BITS)
    throw credentialsProblem(`private_key must have ${MIN_KEY_BITS} bits or more`)
}

/** Reads the JSON of a service account, given as object or text. Throws 400 that repeats nothing of it. */
export function parseRcsServiceAccount(credentialsInput: string | object): RcsServiceAccount {
  const { client_email: email, private_key: key, private_key_id: keyId } = parseCredentials(credentialsInput)
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 320)
    throw credentialsProblem('client_email is required, the address of the service account')
  if (typeof key !== 'string') throw credentialsProblem('private_key is required')
  assertPrivateKey(key)
  const keyIdMember = typeof keyId === 'string' && /^[\w-]{1,200}$/.test(keyId) ? { private_key_id: keyId } : {}
  return { client_email: email, private_key: key, ...keyIdMember }
}

/** Tells which credentials are kept without showing them. */
export function fingerprintCredentials({ client_email: email, private_key: key }: RcsServiceAccount): string {
  return fingerprintSecret(`${email}\n${key}`)
}
