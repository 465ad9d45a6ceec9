import { parseP8SigningKey } from '../../lib/crypto/credentials/p8.ts'
import { parseP12Certificate } from '../../lib/crypto/credentials/p12.ts'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { createVapidKeys, parseVapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { createWebhookSecret, isWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { assertCallableBaseUrl, assertCallableUrl } from '../../lib/given-address.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import type {
  ApnsCertificateBody,
  ApnsProviderBody,
  apnsEnvironments,
  FirebaseProviderBody,
  HttpProviderBody,
  PushProviderBody,
  PushProviderType,
  WebPushProviderBody,
} from './application-schemas.ts'
import { type PushProviderSecrets, type SealedProviderSecret, sealProviderSecrets } from './provider-secrets.ts'

/** What is not secret of each type of provider. */
interface Settings {
  firebase: { sender: string | null; baseUrl: string | null; tokenUrl: string | null }
  apns: {
    certificate: { type: 'p12' } | { type: 'p8'; keyId: string; teamId: string }
    bundle: string
    environment: (typeof apnsEnvironments)[number]
    baseUrl: string | null
  }
  http: { url: string }
  webpush: { publicKey: string | null; subject: string; baseUrl: string | null }
}

interface Stored<Type extends PushProviderType> extends SealedProviderSecret {
  type: Type
  settings: Settings[Type]
  /** Of a certificate. */
  expiresAt: Date | null
  /** A secret that was made just now, which is shown this once. */
  made?: string
  /** Since when nothing leaves through it; absent or null: it does not rest. */
  restedAt?: Date | null
  /** Rests in a row after refused credentials, and until when the last of them is; absent or null: they are taken. */
  refusedRests?: number | null
  refusedUntil?: Date | null
}

/** A provider as its row keeps it. */
export type StoredPushProvider = { [Type in PushProviderType]: Stored<Type> }[PushProviderType]

/** What a change of providers needs: whose they are, the keys that seal, and where addresses may lead. */
export interface PushProviderChange {
  application: string
  masterKeys: MasterKeys
  reach: OutboundPolicy
}

/** One provider of a request: the stored one of its type, and where it stands in the body. */
interface Part<Body, Type extends PushProviderType> extends PushProviderChange {
  before: Stored<Type> | undefined
  body: Body
  pointer: string
}

const none = { secret: null, fingerprint: null, expiresAt: null }

function kept<Type extends PushProviderType>(
  before: Stored<Type> | undefined,
): SealedProviderSecret & { expiresAt: Date | null } {
  const { secret, fingerprint, expiresAt } = before ?? none
  return { secret, fingerprint, expiresAt }
}

/** An absent member keeps its value, else it has none. */
function changed<T>(given: T | null | undefined, before: T | null | undefined): T | null {
  return given === undefined ? (before ?? null) : given
}

function required<T>(value: T | null | undefined, pointer: string): T {
  if (value == null) throw badRequestProblem(pointer, 'is required')
  return value
}

async function firebase(part: Part<FirebaseProviderBody, 'firebase'>): Promise<Stored<'firebase'>> {
  const { before, body, pointer, reach, masterKeys } = part
  const settings = {
    sender: changed(body.sender, before?.settings.sender),
    baseUrl: changed(body.baseUrl, before?.settings.baseUrl),
    tokenUrl: changed(body.tokenUrl, before?.settings.tokenUrl),
  }
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, reach)
  await assertCallableBaseUrl(body.tokenUrl, `${pointer}/tokenUrl`, reach)
  if (body.key == null) return { type: 'firebase', settings, ...kept(before) }
  const key = typeof body.key === 'string' ? body.key : JSON.stringify(body.key)
  const { projectId } = parseServiceAccountKey(key, `${pointer}/key`)
  if (projectId === undefined && settings.sender === null)
    throw badRequestProblem(`${pointer}/sender`, 'is required: the key names no project')
  return {
    type: 'firebase',
    settings,
    ...sealProviderSecrets(masterKeys, sealedFor(part), { key }, key),
    expiresAt: null,
  }
}

function sealedFor<Body extends PushProviderBody>({ application, body }: { application: string; body: Body }) {
  return { application, type: body.type } as { application: string; type: Body['type'] }
}

type Certificate = Settings['apns']['certificate']

function certificateOf(
  body: ApnsCertificateBody | undefined,
  before: Certificate | undefined,
  at: string,
): Certificate {
  const type = required(body?.type ?? before?.type, at)
  if (type === 'p12') return { type }
  const known = before?.type === 'p8' ? before : undefined
  const keyId = required(body?.keyId ?? known?.keyId, `${at}/keyId`)
  return { type, keyId, teamId: required(body?.teamId ?? known?.teamId, `${at}/teamId`) }
}

/** A key in the form it is kept in, after it was read. */
function apnsSecret(
  body: ApnsCertificateBody,
  at: string,
): { secrets: PushProviderSecrets['apns']; expiresAt: Date | null } {
  const value = required(body.value, `${at}/value`)
  if (body.type === 'p8') {
    parseP8SigningKey(value, `${at}/value`)
    return { secrets: { value }, expiresAt: null }
  }
  const password = body.password ?? ''
  const { expiresAt } = parseP12Certificate(value, password, at)
  return { secrets: { value, password }, expiresAt }
}

async function apns(part: Part<ApnsProviderBody, 'apns'>): Promise<Stored<'apns'>> {
  const { before, body, pointer, reach, masterKeys } = part
  const at = `${pointer}/certificate`
  const settings = {
    certificate: certificateOf(body.certificate, before?.settings.certificate, at),
    bundle: required(body.bundle ?? before?.settings.bundle, `${pointer}/bundle`),
    environment: body.environment ?? before?.settings.environment ?? 'production',
    baseUrl: changed(body.baseUrl, before?.settings.baseUrl),
  }
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, reach)
  if (body.certificate?.value == null) {
    if (body.certificate?.password != null) throw badRequestProblem(`${at}/value`, 'is required: its password is given')
    const isSame = before?.settings.certificate.type === settings.certificate.type
    return { type: 'apns', settings, ...(isSame ? kept(before) : none) }
  }
  const { secrets, expiresAt } = apnsSecret(body.certificate, at)
  return {
    type: 'apns',
    settings,
    ...sealProviderSecrets(masterKeys, sealedFor(part), secrets, secrets.value),
    expiresAt,
  }
}

async function http(part: Part<HttpProviderBody, 'http'>): Promise<Stored<'http'>> {
  const { before, body, pointer, reach, masterKeys } = part
  const settings = { url: required(body.url ?? before?.settings.url, `${pointer}/url`) }
  await assertCallableUrl(body.url, `${pointer}/url`, reach)
  if (body.secret == null && before?.secret) return { type: 'http', settings, ...kept(before) }
  const made = body.secret == null ? { made: createWebhookSecret() } : {}
  const secret = made.made ?? body.secret ?? ''
  if (!isWebhookSecret(secret))
    throw badRequestProblem(`${pointer}/secret`, 'must be whsec_ and the base64 of 24 to 64 bytes')
  const sealed = sealProviderSecrets(masterKeys, sealedFor(part), { secret }, secret)
  return { type: 'http', settings, ...sealed, expiresAt: null, ...made }
}

function subjectOf(given: string, pointer: string): string {
  const { protocol, pathname = '' } = URL.parse(given) ?? {}
  if (protocol !== 'https:' && !(protocol === 'mailto:' && /^[^@\s]+@[^@\s]+$/.test(pathname)))
    throw badRequestProblem(pointer, 'must be a mailto: or https: address')
  return given
}

async function webpush(part: Part<WebPushProviderBody, 'webpush'>): Promise<Stored<'webpush'>> {
  const { before, body, pointer, reach, masterKeys } = part
  const known = before?.settings
  const subject = subjectOf(required(body.subject ?? known?.subject, `${pointer}/subject`), `${pointer}/subject`)
  const baseUrl = changed(body.baseUrl, known?.baseUrl)
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, reach)
  const publicKey = body.publicKey ?? undefined
  const isKept = body.privateKey == null && (before?.secret != null || publicKey !== undefined)
  if (isKept) {
    const settings = { publicKey: known?.publicKey ?? publicKey ?? null, subject, baseUrl }
    if (publicKey !== undefined && publicKey !== settings.publicKey)
      throw badRequestProblem(`${pointer}/privateKey`, 'is required with another public key')
    return { type: 'webpush', settings, ...kept(before) }
  }
  const keys = body.privateKey == null ? createVapidKeys() : parseVapidKeys(publicKey, body.privateKey, pointer)
  const { privateKey } = keys
  const sealed = sealProviderSecrets(masterKeys, sealedFor(part), { privateKey }, privateKey)
  return { type: 'webpush', settings: { publicKey: keys.publicKey, subject, baseUrl }, ...sealed, expiresAt: null }
}

type Readers = {
  [Type in PushProviderType]: (part: Part<PushProviderBody & { type: Type }, Type>) => Promise<Stored<Type>>
}
const readers: Readers = { firebase, apns, http, webpush }

/**
 * The providers after a change, in the order given: of each, absent members and absent or null secrets are those of the
 * stored one of its type. What is not given is removed. Throws 400 with the pointer.
 */
export async function mergePushProviders(
  before: readonly StoredPushProvider[],
  given: readonly PushProviderBody[],
  change: PushProviderChange,
): Promise<StoredPushProvider[]> {
  const known = new Map(before.map((provider) => [provider.type, provider]))
  const seen = new Set<PushProviderType>()
  return Promise.all(
    given.map((body, index) => {
      const pointer = `/providers/${index}`
      if (seen.has(body.type)) throw badRequestProblem(`${pointer}/type`, `${body.type} stands there twice`)
      seen.add(body.type)
      // Each type has its own reader: the table above says so, the compiler cannot see it from here.
      const read = readers[body.type] as (part: Part<PushProviderBody, PushProviderType>) => Promise<StoredPushProvider>
      return read({ ...change, before: known.get(body.type), body, pointer })
    }),
  )
}
