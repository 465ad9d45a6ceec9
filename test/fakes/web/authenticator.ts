import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** An authenticator with one passkey (WebAuthn Level 2): ES256, no attestation. */
export interface Authenticator {
  /** Answers `navigator.credentials.create`. */
  create(options: PublicKeyOptions): object
  /** Answers `navigator.credentials.get`. */
  get(options: PublicKeyOptions): object
  /** Whether it asked for a PIN or a finger. */
  isVerifying: boolean
  /** The page that asks it. */
  origin: string
}

interface PublicKeyOptions {
  challenge: string
  rpId?: string
  rp?: { id?: string }
}

const [UP, UV, AT] = [0x01, 0x04, 0x40]

function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.of((major << 5) | n)
  return n < 256 ? Buffer.of((major << 5) | 24, n) : Buffer.of((major << 5) | 25, n >> 8, n & 255)
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** CBOR (RFC 8949) of what an attestation needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])])
}

/** The public key as COSE has it (RFC 9053). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const members: [number, Cbor][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map<number | string, Cbor>(members))
}

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credential = randomBytes(32)
  let counter = 0
  const id = credential.toString('base64url')
  const own: Authenticator = { isVerifying: true, origin, create, get }

  function authData(party: string, attested: Buffer): Buffer {
    const flags = UP | (own.isVerifying ? UV : 0) | (attested.length > 0 ? AT : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([createHash('sha256').update(party).digest(), Buffer.of(flags), count, attested])
  }

  function clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: own.origin, crossOrigin: false }))
  }

  function create({ challenge, rp }: PublicKeyOptions): object {
    const length = Buffer.of(0, credential.length)
    const data = authData(rp?.id ?? '', Buffer.concat([Buffer.alloc(16), length, credential, coseKey(publicKey)]))
    const attestation = new Map<number | string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', data],
    ])
    const response = {
      clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    }
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  function get({ challenge, rpId = '' }: PublicKeyOptions): object {
    const data = authData(rpId, Buffer.alloc(0))
    const client = clientData('webauthn.get', challenge)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, privateKey).toString('base64url'),
    }
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  return own
}
