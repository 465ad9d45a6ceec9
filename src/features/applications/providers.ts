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

/** The settings of each type of provider that are not secret. */
interface ProviderSettings {
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

interface StoredProvider<Type extends PushProviderType> extends SealedProviderSecret {
  type: Type
  settings: ProviderSettings[Type]
  /** Expiry of a certificate. */
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
export type StoredPushProvider = { [Type in PushProviderType]: StoredProvider<Type> }[PushProviderType]

/** Input of a change of providers: their application, the keys that seal secrets, and the addresses that requests may reach. */
export interface PushProviderChange {
  application: string
  masterKeys: MasterKeys
  reach: OutboundPolicy
}

/** One provider of a request: the stored one of its type, and where it stands in the body. */
interface ProviderInput<Body, Type extends PushProviderType> extends PushProviderChange {
  before: StoredProvider<Type> | undefined
  body: Body
  pointer: string
}

const noSecret = { secret: null, fingerprint: null, expiresAt: null }

function keepSecret<Type extends PushProviderType>(
  before: StoredProvider<Type> | undefined,
): SealedProviderSecret & { expiresAt: Date | null } {
  const { secret, fingerprint, expiresAt } = before ?? noSecret
  return { secret, fingerprint, expiresAt }
}

/** An absent member retains its value; otherwise it becomes null. */
function resolveChange<T>(newValue: T | null | undefined, before: T | null | undefined): T | null {
  return newValue === undefined ? (before ?? null) : newValue
}

function requireValue<T>(value: T | null | undefined, pointer: string): T {
  if (value == null) throw badRequestProblem(pointer, 'is required')
  return value
}

async function mergeFirebase(
  part: ProviderInput<FirebaseProviderBody, 'firebase'>,
): Promise<StoredProvider<'firebase'>> {
  const { before: storedProvider, body, pointer, reach: outboundPolicy, masterKeys } = part
  const settings = {
    sender: resolveChange(body.sender, storedProvider?.settings.sender),
    baseUrl: resolveChange(body.baseUrl, storedProvider?.settings.baseUrl),
    tokenUrl: resolveChange(body.tokenUrl, storedProvider?.settings.tokenUrl),
  }
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, outboundPolicy)
  await assertCallableBaseUrl(body.tokenUrl, `${pointer}/tokenUrl`, outboundPolicy)
  if (body.key == null) return { type: 'firebase', settings, ...keepSecret(storedProvider) }
  const key = typeof body.key === 'string' ? body.key : JSON.stringify(body.key)
  const { projectId } = parseServiceAccountKey(key, `${pointer}/key`)
  if (projectId === undefined && settings.sender === null)
    throw badRequestProblem(`${pointer}/sender`, 'is required: the key does not contain a project')
  return {
    type: 'firebase',
    settings,
    ...sealProviderSecrets(masterKeys, resolveSealTarget(part), { key }, key),
    expiresAt: null,
  }
}

function resolveSealTarget<Body extends PushProviderBody>({ application, body }: { application: string; body: Body }) {
  return { application, type: body.type } as { application: string; type: Body['type'] }
}

type ApnsCertificate = ProviderSettings['apns']['certificate']

function mergeCertificate(
  body: ApnsCertificateBody | undefined,
  before: ApnsCertificate | undefined,
  at: string,
): ApnsCertificate {
  const type = requireValue(body?.type ?? before?.type, at)
  if (type === 'p12') return { type }
  const storedKey = before?.type === 'p8' ? before : undefined
  const requiredKeyId = requireValue(body?.keyId ?? storedKey?.keyId, `${at}/keyId`)
  return { type, keyId: requiredKeyId, teamId: requireValue(body?.teamId ?? storedKey?.teamId, `${at}/teamId`) }
}

/** A key in the form it is kept in, after it was read. */
function parseApnsSecret(
  body: ApnsCertificateBody,
  at: string,
): { secrets: PushProviderSecrets['apns']; expiresAt: Date | null } {
  const value = requireValue(body.value, `${at}/value`)
  if (body.type === 'p8') {
    parseP8SigningKey(value, `${at}/value`)
    return { secrets: { value }, expiresAt: null }
  }
  const password = body.password ?? ''
  const { expiresAt } = parseP12Certificate(value, password, at)
  return { secrets: { value, password }, expiresAt }
}

async function mergeApns(part: ProviderInput<ApnsProviderBody, 'apns'>): Promise<StoredProvider<'apns'>> {
  const { before: storedProvider, body, pointer, reach: outboundPolicy, masterKeys } = part
  const certificatePointer = `${pointer}/certificate`
  const settings = {
    certificate: mergeCertificate(body.certificate, storedProvider?.settings.certificate, certificatePointer),
    bundle: requireValue(body.bundle ?? storedProvider?.settings.bundle, `${pointer}/bundle`),
    environment: body.environment ?? storedProvider?.settings.environment ?? 'production',
    baseUrl: resolveChange(body.baseUrl, storedProvider?.settings.baseUrl),
  }
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, outboundPolicy)
  if (body.certificate?.value == null) {
    if (body.certificate?.password != null)
      throw badRequestProblem(`${certificatePointer}/value`, 'is required with a password')
    const isSameType = storedProvider?.settings.certificate.type === settings.certificate.type
    return { type: 'apns', settings, ...(isSameType ? keepSecret(storedProvider) : noSecret) }
  }
  const { secrets, expiresAt } = parseApnsSecret(body.certificate, certificatePointer)
  return {
    type: 'apns',
    settings,
    ...sealProviderSecrets(masterKeys, resolveSealTarget(part), secrets, secrets.value),
    expiresAt,
  }
}

async function mergeHttp(part: ProviderInput<HttpProviderBody, 'http'>): Promise<StoredProvider<'http'>> {
  const { before: storedProvider, body, pointer, reach: outboundPolicy, masterKeys } = part
  const settings = { url: requireValue(body.url ?? storedProvider?.settings.url, `${pointer}/url`) }
  await assertCallableUrl(body.url, `${pointer}/url`, outboundPolicy)
  if (body.secret == null && storedProvider?.secret) return { type: 'http', settings, ...keepSecret(storedProvider) }
  const createdSecret = body.secret == null ? { made: createWebhookSecret() } : {}
  const secret = createdSecret.made ?? body.secret ?? ''
  if (!isWebhookSecret(secret))
    throw badRequestProblem(`${pointer}/secret`, 'must be whsec_ and the base64 of 24 to 64 bytes')
  const sealedSecret = sealProviderSecrets(masterKeys, resolveSealTarget(part), { secret }, secret)
  return { type: 'http', settings, ...sealedSecret, expiresAt: null, ...createdSecret }
}

function parseVapidSubject(subjectUrl: string, pointer: string): string {
  const { protocol, pathname = '' } = URL.parse(subjectUrl) ?? {}
  if (protocol !== 'https:' && !(protocol === 'mailto:' && /^[^@\s]+@[^@\s]+$/.test(pathname)))
    throw badRequestProblem(pointer, 'must be a mailto: or https: address')
  return subjectUrl
}

async function mergeWebPush(part: ProviderInput<WebPushProviderBody, 'webpush'>): Promise<StoredProvider<'webpush'>> {
  const { before: storedProvider, body, pointer, reach: outboundPolicy, masterKeys } = part
  const storedSettings = storedProvider?.settings
  const subject = parseVapidSubject(
    requireValue(body.subject ?? storedSettings?.subject, `${pointer}/subject`),
    `${pointer}/subject`,
  )
  const baseUrl = resolveChange(body.baseUrl, storedSettings?.baseUrl)
  await assertCallableBaseUrl(body.baseUrl, `${pointer}/baseUrl`, outboundPolicy)
  const publicKey = body.publicKey ?? undefined
  const isKeyRetained = body.privateKey == null && (storedProvider?.secret != null || publicKey !== undefined)
  if (isKeyRetained) {
    const settings = { publicKey: storedSettings?.publicKey ?? publicKey ?? null, subject, baseUrl }
    if (publicKey !== undefined && publicKey !== settings.publicKey)
      throw badRequestProblem(`${pointer}/privateKey`, 'is required with another public key')
    return { type: 'webpush', settings, ...keepSecret(storedProvider) }
  }
  const vapidKeys = body.privateKey == null ? createVapidKeys() : parseVapidKeys(publicKey, body.privateKey, pointer)
  const { privateKey } = vapidKeys
  const sealedSecret = sealProviderSecrets(masterKeys, resolveSealTarget(part), { privateKey }, privateKey)
  return {
    type: 'webpush',
    settings: { publicKey: vapidKeys.publicKey, subject, baseUrl },
    ...sealedSecret,
    expiresAt: null,
  }
}

type ProviderMergers = {
  [Type in PushProviderType]: (
    part: ProviderInput<PushProviderBody & { type: Type }, Type>,
  ) => Promise<StoredProvider<Type>>
}
const providerMergers: ProviderMergers = {
  firebase: mergeFirebase,
  apns: mergeApns,
  http: mergeHttp,
  webpush: mergeWebPush,
}

/**
 * The providers after a change, in the order given: of each, absent members and absent or null secrets are those of the
 * stored one of its type. What is not given is removed. Throws 400 with the pointer.
 */
export async function mergePushProviders(
  before: readonly StoredPushProvider[],
  requestedProviders: readonly PushProviderBody[],
  change: PushProviderChange,
): Promise<StoredPushProvider[]> {
  const storedByType = new Map(before.map((provider) => [provider.type, provider]))
  const seenTypes = new Set<PushProviderType>()
  return Promise.all(
    requestedProviders.map((body, index) => {
      const pointer = `/providers/${index}`
      if (seenTypes.has(body.type)) throw badRequestProblem(`${pointer}/type`, `${body.type} is listed twice`)
      seenTypes.add(body.type)
      // Each type has its own reader: the table above says so, the compiler cannot see it from here.
      const mergeProvider = providerMergers[body.type] as (
        part: ProviderInput<PushProviderBody, PushProviderType>,
      ) => Promise<StoredPushProvider>
      return mergeProvider({ ...change, before: storedByType.get(body.type), body, pointer })
    }),
  )
}
