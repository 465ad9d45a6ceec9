import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** The signature algorithms of mail: RSA of 2048 bits (RFC 6376, 3.3.1) or Ed25519 (RFC 8463). In the order of their headers. */
export const dkimAlgorithms = ['rsa-sha256', 'ed25519-sha256'] as const
export type DkimAlgorithm = (typeof dkimAlgorithms)[number]

/** A key that signs. */
export interface DkimSigningKey {
  algorithm: DkimAlgorithm
  /** The selector in the name of its record: `{selector}._domainkey.{domain}`. */
  selector: string
  key: KeyObject
}

/** A generated key. */
export interface NewDkimKey {
  /** PKCS #8 DER: a secret. */
  privateKey: Buffer
  /** The `p=` of its record. */
  publicKey: string
}

/** A raw Ed25519 key has 32 octets; in SPKI they are the last ones. */
const ED25519_OCTETS = 32

const generateKeys = promisify(generateKeyPair)

/** The `p=` of a record: SPKI for RSA (RFC 6376, 3.6.1), the raw key for Ed25519 (RFC 8463, 4.2). */
function encodePublicKey(algorithm: DkimAlgorithm, privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return (algorithm === 'rsa-sha256' ? spki : spki.subarray(-ED25519_OCTETS)).toString('base64')
}

/** Generates a key. RSA takes some tenths of a second, in a thread of the pool. */
export async function createDkimKey(algorithm: DkimAlgorithm): Promise<NewDkimKey> {
  const { privateKey } =
    algorithm === 'rsa-sha256' ? await generateKeys('rsa', { modulusLength: 2048 }) : await generateKeys('ed25519')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
    publicKey: encodePublicKey(algorithm, privateKey),
  }
}

/** The text of a key's record (RFC 6376, 3.6.1). */
export function formatDkimRecord(algorithm: DkimAlgorithm, publicKey: string): string {
  return `v=DKIM1; k=${algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${publicKey}`
}

/** The tags of a record (RFC 6376, 3.2): names as they are, values without blanks. */
function parseRecordTags(record: string): Map<string, string> {
  return new Map(
    record
      .split(';')
      .map((tag) => tag.split('='))
      .map(([name = '', ...value]) => [name.trim(), value.join('=').replace(/\s/g, '')]),
  )
}

/** Returns true if a published text allows a receiver to verify with this key, however its tags are ordered and spaced. */
export function isDkimKeyPublished(record: string, algorithm: DkimAlgorithm, publicKey: string): boolean {
  const tags = parseRecordTags(record)
  const isOfVersion = (tags.get('v') ?? 'DKIM1') === 'DKIM1'
  const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'
  const isForMail = (tags.get('s') ?? '*').split(':').some((service) => service === '*' || service === 'email')
  const takesHash = (tags.get('h') ?? 'sha256').split(':').includes('sha256')
  return isOfVersion && (tags.get('k') ?? 'rsa') === kind && tags.get('p') === publicKey && isForMail && takesHash
}
