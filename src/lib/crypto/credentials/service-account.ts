import { createPrivateKey } from 'node:crypto'
import { badRequestProblem } from '../../errors/problem.ts'
import { isJsonObject } from '../../objects.ts'

/** The members of a service account that are needed to sign in. */
export interface ServiceAccountKey {
  clientEmail: string
  /** PEM, PKCS #8. */
  privateKey: string
  keyId: string | undefined
  /** The project it belongs to. */
  projectId: string | undefined
}

const MIN_KEY_BITS = 2048

function isLongRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_KEY_BITS
  } catch {
    return false
  }
}

function parseJsonObject(rawValue: unknown): Record<string, unknown> | undefined {
  try {
    const value: unknown = typeof rawValue === 'string' ? JSON.parse(rawValue) : rawValue
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads a service account, as object or as JSON text. Throws badRequestProblem that repeats nothing of it; `pointer`: where it stands. */
export function parseServiceAccountKey(rawValue: unknown, pointer = '/credentials'): ServiceAccountKey {
  const account = parseJsonObject(rawValue)
  if (account === undefined) throw badRequestProblem(pointer, 'must be the JSON of a service account')
  const { client_email: clientEmail, private_key: privateKey, private_key_id: keyId, project_id: projectId } = account
  if (typeof clientEmail !== 'string' || !/^[^\s@]{1,200}@[^\s@]{1,200}$/.test(clientEmail))
    throw badRequestProblem(`${pointer}/client_email`, 'must be the address of a service account')
  const isPkcs8 = typeof privateKey === 'string' && /^\s*-----BEGIN PRIVATE KEY-----/.test(privateKey)
  if (!isPkcs8 || !isLongRsaKey(privateKey))
    throw badRequestProblem(
      `${pointer}/private_key`,
      `must be an RSA key of ${MIN_KEY_BITS} bits or more, PKCS #8 in PEM`,
    )
  return {
    clientEmail,
    privateKey,
    keyId: typeof keyId === 'string' ? keyId : undefined,
    projectId: typeof projectId === 'string' && projectId !== '' ? projectId : undefined,
  }
}
