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
  /** Of webpush the endpoint. */
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

/** Who puts: of a device null is absent. `pushHosts`: where endpoints may be. */
export interface SubscriptionPutSource {
  isDevice: boolean
  pushHosts: readonly string[]
}

type Body = Record<string, unknown>

const MAX_TOKEN = 4096
const MAX_ENDPOINT = 4096
const AUTH_BYTES = 16

function requireUuid(given: unknown, pointer: string): string {
  const id = typeof given === 'string' ? parseUuid(given) : undefined
  if (id === undefined) throw badRequestProblem(pointer, given == null ? 'is required' : 'must be a uuid')
  return id
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest().subarray(0, 16)
}

function readToken(type: DeviceAddress['type'], given: unknown, at: string): DeviceAddress {
  const pointer = `${at}/token`
  if (typeof given !== 'string' || given.length === 0 || given.length > MAX_TOKEN)
    throw badRequestProblem(pointer, `must be a text of 1 to ${MAX_TOKEN} characters`)
  if (type === 'apns' && !/^([0-9a-f]{2})+$/i.test(given))
    throw badRequestProblem(pointer, 'must be hexadecimal digits')
  const token = type === 'apns' ? given.toLowerCase() : given
  return { type, token, digest: digestOf(token), keys: null }
}

function readBrowser({ endpoint, keys }: Body, at: string, pushHosts: readonly string[]): DeviceAddress {
  if (typeof endpoint !== 'string' || endpoint.length > MAX_ENDPOINT || !isWebPushAddress(endpoint, pushHosts))
    throw badRequestProblem(`${at}/endpoint`, 'must be an https address on a push host of this installation')
  const { p256dh, auth } = isJsonObject(keys) ? keys : {}
  const point = typeof p256dh === 'string' ? parseBase64url(p256dh) : undefined
  if (!isP256Point(point))
    throw badRequestProblem(`${at}/keys/p256dh`, 'must be a P-256 public key: 65 bytes in base64url')
  const secret = typeof auth === 'string' ? parseBase64url(auth) : undefined
  if (secret?.length !== AUTH_BYTES)
    throw badRequestProblem(`${at}/keys/auth`, `must be ${AUTH_BYTES} bytes in base64url`)
  const read = { p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
  return { type: 'webpush', token: endpoint, digest: digestOf(endpoint), keys: read }
}

function readAddress(body: Body, pushHosts: readonly string[]): DeviceAddress {
  const name = body['provider'] == null ? 'gateway' : 'provider'
  const given = body[name]
  if (given == null) throw badRequestProblem('/provider', 'is required')
  const type = isJsonObject(given) ? pushProviderTypes.find((known) => known === given['type']) : undefined
  if (!isJsonObject(given) || type === undefined)
    throw badRequestProblem(
      `/${name}/type`,
      `must be one of ${pushProviderTypes.map((known) => `"${known}"`).join(', ')}`,
    )
  return type === 'webpush' ? readBrowser(given, `/${name}`, pushHosts) : readToken(type, given['token'], `/${name}`)
}

/** An empty value names nobody: old libraries of iOS send one at every start. */
function isEmpty(given: unknown): boolean {
  const value = isJsonObject(given) ? given['value'] : undefined
  return value === '' || (Array.isArray(value) && value.every((one) => one === ''))
}

function readUnicity(value: unknown, pointer: string): string | string[] {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')) return value
  throw badRequestProblem(pointer, 'must be a text, or texts: one for each unicity field')
}

function readSought(given: unknown, at: string, isDevice: boolean): ContactLookup {
  const { type, value, id } = isJsonObject(given) ? given : {}
  if (type === 'unicity') return { type, value: readUnicity(value, `${at}/value`) }
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

function readContact(body: Body, isDevice: boolean): Pick<SubscriptionPut, 'contact' | 'proof'> {
  const { contact, linked } = body
  if (contact === null && !isDevice) return { contact: null, proof: undefined }
  const name = contact == null ? 'linked' : 'contact'
  const given = body[name]
  const isNobody = given == null || isEmpty(given)
  if (isDevice && body['detach'] === true) {
    if (!isNobody) throw badRequestProblem('/detach', `must come without a ${name}`)
    return { contact: null, proof: undefined }
  }
  if (given == null || (isEmpty(given) && (isDevice || linked === given)))
    return { contact: undefined, proof: undefined }
  const proof = isJsonObject(given) && typeof given['proof'] === 'string' ? given['proof'] : undefined
  return { contact: readSought(given, `/${name}`, isDevice), proof }
}

function readShortText(body: Body, name: string, most: number, isDevice: boolean): string | null | undefined {
  const given = body[name]
  if (given === undefined || (given === null && isDevice)) return undefined
  if (given !== null && (typeof given !== 'string' || given.length > most))
    throw badRequestProblem(`/${name}`, `must be a text of at most ${most} characters`)
  return given
}

/** Reads a subscription in the words of the interface, or in those of installed apps. Throws 400 with the pointer. */
export function parseSubscriptionPut(body: unknown, { isDevice, pushHosts }: SubscriptionPutSource): SubscriptionPut {
  if (!isJsonObject(body)) throw badRequestProblem('', 'must be an object')
  return {
    id: body['id'] == null && !isDevice ? undefined : requireUuid(body['id'], '/id'),
    application: requireUuid(body['application'], '/application'),
    address: readAddress(body, pushHosts),
    ...readContact(body, isDevice),
    culture: readShortText(body, 'culture', 35, isDevice),
    protocol: readShortText(body, 'protocol', 20, isDevice),
  }
}
