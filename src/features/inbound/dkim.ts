import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { Resolver } from 'node:dns/promises'

/** Asks the domain name system for the texts of a name; rejects when there are none. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** Nobody who hands over a mail is kept waiting for longer. */
const LOOKUP_MS = 1000

/** Asks the name servers of this machine. */
export function openTxtResolver(): ResolveTxt {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 1 })
  return (name) => resolver.resolveTxt(name)
}

const MOST_SIGNATURES = 5
/** RFC 8301, 3.2: shorter keys are no proof. */
const SHORTEST_RSA_BITS = 1024

type Tags = ReadonlyMap<string, string>

interface Header {
  name: string
  /** The whole field as it came, without the line end. */
  raw: string
}

/** The domains (`d=`, lower case) that signed a mail with DKIM (RFC 6376; RFC 8463), of those whose signatures hold. */
export async function signingDomains(raw: Buffer, resolveTxt: ResolveTxt, now: number): Promise<string[]> {
  const end = raw.indexOf('\r\n\r\n')
  if (end < 0) return []
  const headers = readHeaders(raw.subarray(0, end).toString('latin1'))
  const body = raw.subarray(end + 4).toString('latin1')
  const signatures = headers.filter(({ name }) => name === 'dkim-signature').slice(0, MOST_SIGNATURES)
  const domains = await Promise.all(
    signatures.map(async (signature) => {
      const tags = readTags(signature.raw.slice(signature.raw.indexOf(':') + 1))
      const holds =
        isSound(tags, now) && hasBody(tags, body) && (await isSigned(tags, { signature, headers, resolveTxt }))
      return holds ? [(tags.get('d') ?? '').toLowerCase()] : []
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

/** Whether the tags are those of a signature that covers the sender and the whole body, and is still in force. */
function isSound(tags: Tags, now: number): boolean {
  const names = (tags.get('h') ?? '').toLowerCase().split(':')
  const expires = tags.get('x')
  const isKnown = tags.get('v') === '1' && /^(?:rsa|ed25519)-sha256$/.test(tags.get('a') ?? '')
  // A body that is signed in part can be gone on with.
  return isKnown && names.includes('from') && !tags.has('l') && (expires === undefined || Number(expires) * 1000 > now)
}

function hasBody(tags: Tags, body: string): boolean {
  const isRelaxed = (tags.get('c') ?? '').split('/')[1] === 'relaxed'
  const lines = isRelaxed ? body.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n|$)/g, '') : body
  const text = withoutLastLines(lines)
  // An empty body is one line end when it is taken as it is, and nothing when it is relaxed (RFC 6376, 3.4.3, 3.4.4).
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
  resolveTxt: ResolveTxt
}

async function isSigned(tags: Tags, { signature, headers, resolveTxt }: Signed): Promise<boolean> {
  const isRelaxed = (tags.get('c') ?? '').startsWith('relaxed')
  const canonical = ({ raw }: Header): string => (isRelaxed ? relaxed(raw) : raw)
  const left = headers.toReversed()
  const chosen = (tags.get('h') ?? '')
    .toLowerCase()
    .split(':')
    .flatMap((name) => {
      // The lowest of that name that is not yet taken; one that is not there is signed as nothing.
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

/** What stands before the 32 bytes of an Ed25519 key in its usual form (RFC 8410, 4). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** The key at `selector._domainkey.domain`; undefined when it was revoked, or is of another kind. */
async function publicKey(tags: Tags, resolveTxt: ResolveTxt): Promise<KeyObject | undefined> {
  const [record = []] = await resolveTxt(`${tags.get('s')}._domainkey.${tags.get('d')}`.toLowerCase())
  const found = readTags(record.join(''))
  const bytes = Buffer.from(found.get('p') ?? '', 'base64')
  const kind = found.get('k') ?? 'rsa'
  if (bytes.length === 0 || !tags.get('a')?.startsWith(kind)) return undefined
  const key = kind === 'ed25519' ? Buffer.concat([ED25519, bytes]) : bytes
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function isValid(tags: Tags, key: KeyObject, data: Buffer): boolean {
  const signature = Buffer.from(tags.get('b') ?? '', 'base64')
  if (key.asymmetricKeyType === 'ed25519') {
    return verify(null, createHash('sha256').update(data).digest(), key, signature)
  }
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST_RSA_BITS && verify('sha256', data, key, signature)
}
