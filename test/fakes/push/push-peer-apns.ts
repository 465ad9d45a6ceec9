import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto'
import { type PushAnswer, type PushPeer, type PushPeerOptions, type PushRequest, startPushPeer } from './push-peer.ts'

/** A key of a team, as Apple gives it. */
export interface AppleKey {
  /** PKCS #8 in PEM: the content of a .p8 file. */
  p8: string
  publicKey: KeyObject
  keyId: string
  teamId: string
}

export function makeAppleKey(): AppleKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const p8 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { p8, publicKey: createPublicKey(privateKey), keyId: 'K3Y1D00042', teamId: 'TEAM000042' }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const read = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

/** Why a token is not taken; undefined: it is. */
export function tokenFault(authorization: string | undefined, key: AppleKey, now = Date.now()): string | undefined {
  const token = /^bearer (\S+)$/.exec(authorization ?? '')?.[1]
  if (token === undefined) return 'MissingProviderToken'
  const [head, claims, signature] = token.split('.')
  const signed = { key: key.publicKey, dsaEncoding: 'ieee-p1363' as const }
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature ?? '', 'base64url'))
  if (!isSigned || read(head).alg !== 'ES256' || read(head).kid !== key.keyId) return 'InvalidProviderToken'
  const { iss, iat, ...rest } = read(claims)
  if (iss !== key.teamId || Object.keys(rest).length > 0) return 'InvalidProviderToken'
  const age = now / 1000 - iat
  return age > 3600 || age < -60 ? 'ExpiredProviderToken' : undefined
}

function headersFault(headers: PushRequest['headers'], bundle: string): string | undefined {
  if (headers['apns-topic'] !== bundle) return 'BadTopic'
  if (headers['apns-push-type'] !== 'alert') return 'InvalidPushType'
  if (headers['apns-priority'] !== '5' && headers['apns-priority'] !== '10') return 'BadPriority'
  if (!/^\d{1,10}$/.test(String(headers['apns-expiration']))) return 'BadExpirationDate'
  if (!UUID.test(String(headers['apns-id']))) return 'BadMessageId'
  return Buffer.byteLength(String(headers['apns-collapse-id'] ?? '')) > 64 ? 'BadCollapseId' : undefined
}

/** An error as APNs gives it. */
export function apnsError(status: number, reason: string, more: object = {}): PushAnswer {
  return { status, headers: { 'apns-id': randomUUID() }, body: JSON.stringify({ reason, ...more }) }
}

export interface ApnsPeerOptions extends Omit<PushPeerOptions, 'answer'> {
  bundle?: string
  /** Whose tokens are taken. Absent: a certificate is asked for. */
  key?: AppleKey
}

/** The push service of Apple: strict about headers, and about tokens or certificates. */
export function startApnsPeer({ bundle = 'example.orchard.app', key, ...options }: ApnsPeerOptions): Promise<PushPeer> {
  function answer(request: PushRequest, fault: (text: string) => PushAnswer): PushAnswer {
    const { method, path, headers, body, hasCertificate } = request
    if (method !== 'POST') return apnsError(405, 'MethodNotAllowed')
    if (!/^\/3\/device\/[0-9a-f]{2,}$/.test(path)) return apnsError(400, 'BadDeviceToken')
    const unknown =
      key === undefined ? (hasCertificate ? undefined : 'BadCertificate') : tokenFault(headers.authorization, key)
    if (unknown !== undefined) return apnsError(403, unknown)
    if (key === undefined && headers.authorization !== undefined) return fault('a token beside a certificate')
    const wrong = headersFault(headers, bundle)
    if (wrong !== undefined) {
      fault(wrong)
      return apnsError(400, wrong)
    }
    if (body.length > 4096) return apnsError(413, 'PayloadTooLarge')
    const { aps, meta, tracking, ...rest } = JSON.parse(body.toString())
    if (typeof aps?.alert?.title !== 'string' || Object.keys(rest).length > 0) return fault('another payload')
    if (typeof meta?.redirection !== 'string' || meta.redirection === '' || typeof tracking !== 'object')
      return fault('meta or tracking is wrong')
    return { headers: { 'apns-id': String(headers['apns-id']) } }
  }
  return startPushPeer({
    ...options,
    answer,
  })
}
