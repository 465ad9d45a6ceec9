import { createHash } from 'node:crypto'
import { isP256Point, parseBase64url } from '../../lib/crypto/credentials/vapid.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { isWebPushAddress } from '../../lib/net/push-hosts.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { ContactLookup } from '../contacts/records/find.ts'
import { pushProviderTypes } from './subscription-schemas.ts'

/** Through what a device is reached. */
export interface DeviceAddress {
  type: (typeof pushProviderTypes)[number]
  /** For webpush, the endpoint. */
  token: string
  digest: Buffer
  keys: { p256dh: string; auth: string } | null
}

/** A subscription as it is put. Undefined members are kept. */
export interface SubscriptionPut {
  id: string | undefined
  application: string
  address: DeviceAddress
  /** Undefined: the contact is kept; null: the device is detached, as at a logout. */
  contact: ContactLookup | null | undefined
  /** The token with which a device proves that it belongs to its contact. */
  proof: string | undefined
  culture: string | null | undefined
  protocol: string | null | undefined
}

/** The origin of a put: for devices, null means absent. `pushHosts`: allowed hosts of endpoints. */
export interface SubscriptionPutSource {
  isDevice: boolean
  pushHosts: readonly string[]
}

type RequestBody = Record<string, unknown>

const MAX_TOKEN_LENGTH = 4096
const MAX_ENDPOINT_LENGTH = 4096
const AUTH_BYTES = 16

function requireUuid(rawUuid: unknown, pointer: string): string {
  const id = typeof rawUuid === 'string' ? parseUuid(rawUuid) : undefined
  if (id === undefined) throw badRequestProblem(pointer, rawUuid == null ? 'is required' : 'must be a UUID')
  return id
}

function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, 16)
}

function parseToken(type: DeviceAddress['type'], rawToken: unknown, at: string): DeviceAddress {
  const pointer = `${at}/token`
  if (typeof rawToken !== 'string' || rawToken.length === 0 || rawToken.length > MAX_TOKEN_LENGTH)
    throw badRequestProblem(pointer, `must be a text of 1 to ${MAX_TOKEN_LENGTH} characters`)
  if (type === 'apns' && !/^([0-9a-f]{2})+$/i.test(rawToken))
    throw badRequestProblem(pointer, 'must be hexadecimal digits')
  const token = type === 'apns' ? rawToken.toLowerCase() : rawToken
  return { type, token, digest: digestToken(token), keys: null }
}

function parseBrowserAddress({ endpoint, keys }: RequestBody, at: string, pushHosts: readonly string[]): DeviceAddress {
  if (typeof endpoint !== 'string' || endpoint.length > MAX_ENDPOINT_LENGTH || !isWebPushAddress(endpoint, pushHosts))
    throw badRequestProblem(`${at}/endpoint`, 'must be an https address on a push host of this installation')
  const { p256dh, auth } = isJsonObject(keys) ? keys : {}
  const publicKeyPoint = typeof p256dh === 'string' ? parseBase64url(p256dh) : undefined
  if (!isP256Point(publicKeyPoint))
    throw badRequestProblem(`${at}/keys/p256dh`, 'must be a P-256 public key: 65 bytes in base64url')
  const secret = typeof auth === 'string' ? parseBase64url(auth) : undefined
  if (secret?.length !== AUTH_BYTES)
    throw badRequestProblem(`${at}/keys/auth`, `must be ${AUTH_BYTES} bytes in base64url`)
  const browserKeys = { p256dh: publicKeyPoint.toString('base64url'), auth: secret.toString('base64url') }
  return { type: 'webpush', token: endpoint, digest: digestToken(endpoint), keys: browserKeys }
}

function parseAddress(body: RequestBody, pushHosts: readonly string[]): DeviceAddress {
  const name = body['provider'] == null ? 'gateway' : 'provider'
  const rawAddress = body[name]
  if (rawAddress == null) throw badRequestProblem('/provider', 'is required')
  const type = isJsonObject(rawAddress)
    ? pushProviderTypes.find((supportedType) => supportedType === rawAddress['type'])
    : undefined
  if (!isJsonObject(rawAddress) || type === undefined)
    throw badRequestProblem(
      `/${name}/type`,
      `must be one of ${pushProviderTypes.map((supportedType) => `"${supportedType}"`).join(', ')}`,
    )
  return type === 'webpush'
    ? parseBrowserAddress(rawAddress, `/${name}`, pushHosts)
    : parseToken(type, rawAddress['token'], `/${name}`)
}

/** An empty value names nobody: old libraries of iOS send one at every start. */
function isEmptyContact(rawContact: unknown): boolean {
  const value = isJsonObject(rawContact) ? rawContact['value'] : undefined
  return value === '' || (Array.isArray(value) && value.every((part) => part === ''))
}

function parseUnicity(value: unknown, pointer: string): string | string[] {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) return value
  throw badRequestProblem(pointer, 'must be a text or an array of texts, one for each unicity field')
}

function parseLookup(rawLookup: unknown, at: string, isDevice: boolean): ContactLookup {
  const { type, value, id } = isJsonObject(rawLookup) ? rawLookup : {}
  if (type === 'unicity') return { type, value: parseUnicity(value, `${at}/value`) }
  if (type === 'footprint' && !isDevice) {
    if (typeof id !== 'string') throw badRequestProblem(`${at}/id`, 'is required')
    return { type: 'id', value: id }
  }
  if (type !== 'id' && type !== 'hash') throw badRequestProblem(`${at}/type`, 'must be one of "id", "unicity", "hash"')
  if (typeof value !== 'string') throw badRequestProblem(`${at}/value`, 'must be a text')
  if (type === 'hash' && !/^[0-9a-f]{32}$/i.test(value))
    throw badRequestProblem(`${at}/value`, 'must be 32 hexadecimal digits')
  return { type, value }
}

function parseContact(body: RequestBody, isDevice: boolean): Pick<SubscriptionPut, 'contact' | 'proof'> {
  const { contact, linked } = body
  if (contact === null && !isDevice) return { contact: null, proof: undefined }
  const name = contact == null ? 'linked' : 'contact'
  const rawContact = body[name]
  const isNobody = rawContact == null || isEmptyContact(rawContact)
  if (isDevice && body['detach'] === true) {
    if (!isNobody) throw badRequestProblem('/detach', `cannot be combined with ${name}`)
    return { contact: null, proof: undefined }
  }
  if (rawContact == null || (isEmptyContact(rawContact) && (isDevice || linked === rawContact)))
    return { contact: undefined, proof: undefined }
  const proof = isJsonObject(rawContact) && typeof rawContact['proof'] === 'string' ? rawContact['proof'] : undefined
  return { contact: parseLookup(rawContact, `/${name}`, isDevice), proof }
}

function parseShortText(body: RequestBody, name: string, most: number, isDevice: boolean): string | null | undefined {
  const rawText = body[name]
  if (rawText === undefined || (rawText === null && isDevice)) return undefined
  if (rawText !== null && (typeof rawText !== 'string' || rawText.length > most))
    throw badRequestProblem(`/${name}`, `must be a text of at most ${most} characters`)
  return rawText
}

/** Reads a subscription in the words of the interface, or in those of installed apps. Throws 400 with the pointer. */
export function parseSubscriptionPut(body: unknown, { isDevice, pushHosts }: SubscriptionPutSource): SubscriptionPut {
  if (!isJsonObject(body)) throw badRequestProblem('', 'must be an object')
  return {
    id: body['id'] == null && !isDevice ? undefined : requireUuid(body['id'], '/id'),
    application: requireUuid(body['application'], '/application'),
    address: parseAddress(body, pushHosts),
    ...parseContact(body, isDevice),
    culture: parseShortText(body, 'culture', 35, isDevice),
    protocol: parseShortText(body, 'protocol', 20, isDevice),
  }
}
