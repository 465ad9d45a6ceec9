import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Resolver } from 'node:dns/promises'

/** Looks up the TXT records of a name; rejects when there are none. */
export type TxtResolver = (name: string) => Promise<string[][]>

/** An SMTP client waits for this lookup. */
const LOOKUP_TIMEOUT_MS = 1000

/** A resolver of the name servers of this machine. */
export function openTxtResolver(): TxtResolver {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 })
  return (name) => resolver.resolveTxt(name)
}

const MAX_SIGNATURES = 5
/** RFC 8301, 3.2: shorter keys prove nothing. */
const MIN_RSA_BITS = 1024

type DkimTags = ReadonlyMap<string, string>

interface RawHeader {
  name: string
  /** The whole field as it came, without the line end. */
  raw: string
}

/** The domains (`d=`, lower case) that signed a mail with DKIM (RFC 6376; RFC 8463), whose signatures are valid. */
export async function verifyDkimSigners(raw: Buffer, resolveTxt: TxtResolver, now: number): Promise<string[]> {
  const headerEnd = raw.indexOf('\r\n\r\n')
  if (headerEnd < 0) return []
  const headers = parseHeaders(raw.subarray(0, headerEnd).toString('latin1'))
  const body = raw.subarray(headerEnd + 4).toString('latin1')
  const signatures = headers.filter(({ name }) => name === 'dkim-signature').slice(0, MAX_SIGNATURES)
  const signerDomains = await Promise.all(
    signatures.map(async (signature) => {
      const tags = parseTags(signature.raw.slice(signature.raw.indexOf(':') + 1))
      const isGenuine =
        hasValidTags(tags, now) &&
        matchesBodyHash(tags, body) &&
        (await isSignatureValid(tags, { signature, headers, resolveTxt }))
      return isGenuine ? [(tags.get('d') ?? '').toLowerCase()] : []
    }),
  )
  return signerDomains.flat()
}

function parseHeaders(head: string): RawHeader[] {
  const fields = head.split(/\r\n(?![ \t])/)
  return fields.map((raw) => ({
    name: raw
      .slice(0, Math.max(raw.indexOf(':'), 0))
      .trim()
      .toLowerCase(),
    raw,
  }))
}

function parseTags(list: string): DkimTags {
  const pairs = list.split(';').flatMap((tag) => {
    const separator = tag.indexOf('=')
    return separator < 0
      ? []
      : [[tag.slice(0, separator).trim(), tag.slice(separator + 1).replace(/\s+/g, '')] as const]
  })
  return new Map(pairs)
}

/** True if the tags describe a signature that covers the sender and the whole body, and that has not expired. */
function hasValidTags(tags: DkimTags, now: number): boolean {
  const signedNames = (tags.get('h') ?? '').toLowerCase().split(':')
  const expires = tags.get('x')
  const isSupported = tags.get('v') === '1' && /^(?:rsa|ed25519)-sha256$/.test(tags.get('a') ?? '')
  // With l=, text could be appended to the signed body.
  return (
    isSupported &&
    signedNames.includes('from') &&
    !tags.has('l') &&
    (expires === undefined || Number(expires) * 1000 > now)
  )
}

function matchesBodyHash(tags: DkimTags, body: string): boolean {
  const isRelaxed = (tags.get('c') ?? '').split('/')[1] === 'relaxed'
  const lines = isRelaxed ? body.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n|$)/g, '') : body
  const text = trimTrailingLines(lines)
  // An empty body is one line end in simple, and nothing in relaxed canonicalisation (RFC 6376, 3.4.3, 3.4.4).
  const canonical = text === '' ? (isRelaxed ? '' : '\r\n') : `${text}\r\n`
  return createHash('sha256').update(canonical, 'latin1').digest('base64') === tags.get('bh')
}

function trimTrailingLines(text: string): string {
  let textEnd = text.length
  while (textEnd >= 2 && text.endsWith('\r\n', textEnd)) textEnd -= 2
  return text.slice(0, textEnd)
}

interface SignedInput {
  signature: RawHeader
  headers: readonly RawHeader[]
  resolveTxt: TxtResolver
}

async function isSignatureValid(tags: DkimTags, { signature, headers, resolveTxt }: SignedInput): Promise<boolean> {
  const isRelaxed = (tags.get('c') ?? '').startsWith('relaxed')
  const canonical = ({ raw }: RawHeader): string => (isRelaxed ? canonicalizeRelaxed(raw) : raw)
  const unusedHeaders = headers.toReversed()
  const signedHeaders = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((name) => {
      // The lowest unused header of that name; a missing one is signed as empty.
      const headerIndex = unusedHeaders.findIndex((header) => header.name === name)
      return headerIndex < 0 ? [] : unusedHeaders.splice(headerIndex, 1)
    })
  const signatureHeader = canonical({ ...signature, raw: signature.raw.replace(/([;:]\s*b\s*=)[^;]*/, '$1') })
  const data = Buffer.from([...signedHeaders.map(canonical), signatureHeader].join('\r\n'), 'latin1')
  try {
    const key = await loadPublicKey(tags, resolveTxt)
    return key !== undefined && verifySignature(tags, key, data)
  } catch {
    return false
  }
}

/** RFC 6376, 3.4.2. */
function canonicalizeRelaxed(raw: string): string {
  const colonIndex = raw.indexOf(':')
  const value = raw
    .slice(colonIndex + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
  return `${raw.slice(0, colonIndex).trim().toLowerCase()}:${value.trim()}`
}

/** The SPKI prefix of an Ed25519 key (RFC 8410, 4). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** The key at `selector._domainkey.domain`; undefined when it was revoked, or has another algorithm. */
async function loadPublicKey(tags: DkimTags, resolveTxt: TxtResolver): Promise<KeyObject | undefined> {
  const [record = []] = await resolveTxt(`${tags.get('s')}._domainkey.${tags.get('d')}`.toLowerCase())
  const keyTags = parseTags(record.join(''))
  const keyBytes = Buffer.from(keyTags.get('p') ?? '', 'base64')
  const keyType = keyTags.get('k') ?? 'rsa'
  if (keyBytes.length === 0 || !tags.get('a')?.startsWith(keyType)) return undefined
  const key = keyType === 'ed25519' ? Buffer.concat([ED25519_PREFIX, keyBytes]) : keyBytes
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function verifySignature(tags: DkimTags, key: KeyObject, data: Buffer): boolean {
  const signature = Buffer.from(tags.get('b') ?? '', 'base64')
  if (key.asymmetricKeyType === 'ed25519') {
    return verify(null, createHash('sha256').update(data).digest(), key, signature)
  }
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS && verify('sha256', data, key, signature)
}
