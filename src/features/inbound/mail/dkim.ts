import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Resolver } from 'node:dns/promises'

/** Looks up the TXT records of a name; rejects when there are none. */
export type TxtResolver = (name: string) => Promise<string[][]>

/** An SMTP client waits for this lookup. */
const LOOKUP_MS = 1000

/** A resolver of the name servers of this machine. */
export function openTxtResolver(): TxtResolver {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 })
  return (name) => resolver.resolveTxt(name)
}

const MAX_SIGNATURES = 5
/** RFC 8301, 3.2: shorter keys prove nothing. */
const MIN_RSA_BITS = 1024

type Tags = ReadonlyMap<string, string>

interface Header {
  name: string
  /** The whole field as it came, without the line end. */
  raw: string
}

/** The domains (`d=`, lower case) that signed a mail with DKIM (RFC 6376; RFC 8463), whose signatures are valid. */
export async function verifyDkimSigners(raw: Buffer, resolveTxt: TxtResolver, now: number): Promise<string[]> {
  const end = raw.indexOf('\r\n\r\n')
  if (end < 0) return []
  const headers = readHeaders(raw.subarray(0, end).toString('latin1'))
  const body = raw.subarray(end + 4).toString('latin1')
  const signatures = headers.filter(({ name }) => name === 'dkim-signature').slice(0, MAX_SIGNATURES)
  const domains = await Promise.all(
    signatures.map(async (signature) => {
      const tags = readTags(signature.raw.slice(signature.raw.indexOf(':') + 1))
      const isGenuine =
        isSound(tags, now) && hasBody(tags, body) && (await isSigned(tags, { signature, headers, resolveTxt }))
      return isGenuine ? [(tags.get('d') ?? '').toLowerCase()] : []
    }),
  )
  return domains.flat()
}

function readHeaders(head: string): Header[] {
  const fields = head.split(/\r\n(?![ \t])/)
  return fields.map((raw) => ({
    name: raw
      .slice(0, Math.max(raw.indexOf(':'), 0))
      .trim()
      .toLowerCase(),
    raw,
  }))
}

function readTags(list: string): Tags {
  const pairs = list.split(';').flatMap((tag) => {
    const at = tag.indexOf('=')
    return at < 0 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')] as const]
  })
  return new Map(pairs)
}

/** Whether the tags are of a signature that covers the sender and the whole body, and has not expired. */
function isSound(tags: Tags, now: number): boolean {
  const names = (tags.get('h') ?? '').toLowerCase().split(':')
  const expires = tags.get('x')
  const isKnown = tags.get('v') === '1' && /^(?:rsa|ed25519)-sha256$/.test(tags.get('a') ?? '')
  // With l=, text could be appended to the signed body.
  return isKnown && names.includes('from') && !tags.has('l') && (expires === undefined || Number(expires) * 1000 > now)
}

function hasBody(tags: Tags, body: string): boolean {
  const isRelaxed = (tags.get('c') ?? '').split('/')[1] === 'relaxed'
  const lines = isRelaxed ? body.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n|$)/g, '') : body
  const text = withoutLastLines(lines)
  // An empty body is one line end in simple, and nothing in relaxed canonicalisation (RFC 6376, 3.4.3, 3.4.4).
  const canonical = text === '' ? (isRelaxed ? '' : '\r\n') : `${text}\r\n`
  return createHash('sha256').update(canonical, 'latin1').digest('base64') === tags.get('bh')
}

function withoutLastLines(text: string): string {
  let end = text.length
  while (end >= 2 && text.endsWith('\r\n', end)) end -= 2
  return text.slice(0, end)
}

interface Signed {
  signature: Header
  headers: readonly Header[]
  resolveTxt: TxtResolver
}

async function isSigned(tags: Tags, { signature, headers, resolveTxt }: Signed): Promise<boolean> {
  const isRelaxed = (tags.get('c') ?? '').startsWith('relaxed')
  const canonical = ({ raw }: Header): string => (isRelaxed ? relaxed(raw) : raw)
  const left = headers.toReversed()
  const chosen = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((name) => {
      // The lowest unused header of that name; a missing one is signed as empty.
      const at = left.findIndex((header) => header.name === name)
      return at < 0 ? [] : left.splice(at, 1)
    })
  const own = canonical({ ...signature, raw: signature.raw.replace(/([;:]\s*b\s*=)[^;]*/, '$1') })
  const data = Buffer.from([...chosen.map(canonical), own].join('\r\n'), 'latin1')
  try {
    const key = await publicKey(tags, resolveTxt)
    return key !== undefined && isValid(tags, key, data)
  } catch {
    return false
  }
}

/** RFC 6376, 3.4.2. */
function relaxed(raw: string): string {
  const at = raw.indexOf(':')
  const value = raw
    .slice(at + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
  return `${raw.slice(0, at).trim().toLowerCase()}:${value.trim()}`
}

/** The SPKI prefix of an Ed25519 key (RFC 8410, 4). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** The key at `selector._domainkey.domain`; undefined when it was revoked, or has another algorithm. */
async function publicKey(tags: Tags, resolveTxt: TxtResolver): Promise<KeyObject | undefined> {
  const [record = []] = await resolveTxt(`${tags.get('s')}._domainkey.${tags.get('d')}`.toLowerCase())
  const found = readTags(record.join(''))
  const bytes = Buffer.from(found.get('p') ?? '', 'base64')
  const kind = found.get('k') ?? 'rsa'
  if (bytes.length === 0 || !tags.get('a')?.startsWith(kind)) return undefined
  const key = kind === 'ed25519' ? Buffer.concat([ED25519_PREFIX, bytes]) : bytes
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function isValid(tags: Tags, key: KeyObject, data: Buffer): boolean {
  const signature = Buffer.from(tags.get('b') ?? '', 'base64')
  if (key.asymmetricKeyType === 'ed25519') {
    return verify(null, createHash('sha256').update(data).digest(), key, signature)
  }
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS && verify('sha256', data, key, signature)
}
