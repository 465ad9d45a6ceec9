import { X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { badRequestProblem } from '../../errors/problem.ts'

/** A certificate with its key, as a push service is shown it. */
export interface ClientCertificate {
  /** PKCS #12. */
  pfx: Buffer
  password: string
  expiresAt: Date
}

function loadCertificate(pfx: Buffer, passphrase: string): SecureContext | Error {
  try {
    return createSecureContext({ pfx, passphrase })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** The fault in a file that does not load. Messages of the library reveal nothing of the file. */
function describeLoadFault({ message }: Error): [member: 'password' | 'value', detail: string] {
  if (/mac verify|bad decrypt/i.test(message)) return ['password', 'does not open the certificate']
  if (/unsupported/i.test(message))
    return ['value', 'uses outdated encryption: export it again with AES (openssl pkcs12 -legacy, then -export)']
  return ['value', 'must be a PKCS #12 file (.p12) with a certificate and its key, in base64']
}

/**
 * Reads a PKCS #12 file (base64) with a certificate and its key. Throws badRequestProblem that repeats nothing of it; `pointer`:
 * of the object with `value` and `password`.
 */
export function parseP12Certificate(value: string, password: string, pointer: string): ClientCertificate {
  const pfx = Buffer.from(value, 'base64')
  const loadedContext = loadCertificate(pfx, password)
  if (loadedContext instanceof Error) {
    const [member, detail] = describeLoadFault(loadedContext)
    throw badRequestProblem(`${pointer}/${member}`, detail)
  }
  // Of the context that TLS uses, so that what is shown is what is sent.
  const certificateDer: Buffer | null = loadedContext.context.getCertificate()
  if (!certificateDer?.length) throw badRequestProblem(`${pointer}/value`, 'contains no certificate')
  return { pfx, password, expiresAt: new Date(new X509Certificate(certificateDer).validTo) }
}
