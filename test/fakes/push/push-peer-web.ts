import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { type PushAnswer, type PushPeer, type PushPeerOptions, type PushRequest, startPushPeer } from './push-peer.ts'

/** A browser that subscribed: what it tells, and what it reads pushes with. */
export interface Browser {
  keys: { p256dh: string; auth: string }
  read(body: Buffer): unknown
}

const derive = (salt: Buffer, secret: Buffer, info: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

export function makeBrowser(): Browser {
  const pair = createECDH('prime256v1')
  const point = pair.generateKeys()
  const auth = randomBytes(16)

  function read(body: Buffer): unknown {
    const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)]
    const sender = body.subarray(21, 21 + length)
    const record = body.subarray(21 + length)
    if (length !== 65 || record.length > size) throw new Error('is no single record')
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender])
    const secret = derive(auth, pair.computeSecret(sender), info, 32)
    const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce)
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    const end = padded.lastIndexOf(2)
    if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('has no delimiter')
    return JSON.parse(padded.subarray(0, end).toString())
  }

  return { keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') }, read }
}

const part = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString())

/** Why a sender is not known by RFC 8292; undefined: it is. */
function vapidFault(authorization: string | undefined, publicKey: string, audience: string): string | undefined {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization ?? '') ?? []
  if (key !== publicKey) return 'names another key'
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicJwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [head, claims, signature = ''] = token.split('.')
  const signed = { key: publicJwk, dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')))
    return 'is signed wrongly'
  const { aud, exp, sub } = part(claims)
  if (part(head).alg !== 'ES256' || aud !== audience) return `has another audience: ${aud}`
  const left = exp - Date.now() / 1000
  if (left <= 0 || left > 86_400) return 'lives too long'
  return /^(mailto:|https:)/.test(sub) ? undefined : 'has no subject'
}

export interface WebPeerOptions extends Omit<PushPeerOptions, 'answer'> {
  /** Of the sender, in base64url. */
  publicKey: string
  browser: Browser
}

export interface WebPeer extends PushPeer {
  /** What the browser read. */
  read: unknown[]
}

/** A push service of browsers, and the browser. */
export async function startWebPeer({ publicKey, browser, ...options }: WebPeerOptions): Promise<WebPeer> {
  const read: unknown[] = []
  function answer({ headers, body, path }: PushRequest, fault: (text: string) => PushAnswer): PushAnswer {
    if (!path.startsWith('/push/')) return fault(`another path: ${path}`)
    const unknown = vapidFault(headers.authorization, publicKey, peer.url)
    if (unknown !== undefined) {
      fault(unknown)
      return { status: 401 }
    }
    if (headers['content-encoding'] !== 'aes128gcm') return fault('another encoding')
    if (!/^\d+$/.test(String(headers['ttl']))) return fault('no TTL')
    if (!/^[\w-]{1,32}$/.test(String(headers['topic']))) return fault('another topic')
    if (!['high', 'normal'].includes(String(headers['urgency']))) return fault('another urgency')
    if (body.length > 4096) return { status: 413 }
    read.push(browser.read(body))
    return { status: 201, headers: { location: `${peer.url}/message/${read.length}` } }
  }
  const peer = await startPushPeer({ ...options, answer })
  return Object.assign(peer, { read })
}
