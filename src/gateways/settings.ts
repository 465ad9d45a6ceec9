import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { badRequestProblem, invalidRequestProblem } from '../lib/errors/problem.ts'
import { findNearestWord } from '../lib/text/nearest.ts'
import { singularizeAfterOne } from '../lib/text/nouns.ts'
import type { GatewayRemote } from './remote.ts'

/** A time in a gateway's settings, 1 ms to 1 h. */
export const MillisecondsSetting = (fallback: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_600_000, default: fallback, description })

/** The address of an interface, in place of its own. */
export const ApiAddressSetting = (description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength: 2000 }), Type.Null()], { default: null, description })

/** TLS verification settings, common to all gateways that use TLS. */
export const tlsSettings = {
  verify: Type.Boolean({ default: true, description: 'Verify the certificate of the server. Default: true.' }),
  ca: Type.Optional(Type.String({ description: 'Certificates to trust in place of the default ones, in PEM format.' })),
}

/** Settings as they are stored, with what is absent filled in. Throws invalid with a pointer per fault. */
export function readGatewaySettings<Schema extends TSchema>(schema: Schema, storedValue: unknown): Static<Schema> {
  const value = Value.Default(schema, Value.Clone(storedValue))
  if (Value.Check(schema, value)) return value
  const faults = Value.Errors(schema, value)
  throw invalidRequestProblem(
    faults.map(({ instancePath, message }) => ({ pointer: instancePath, detail: singularizeAfterOne(message) })),
  )
}

/** Secrets as they were unsealed; undefined when there are none. Throws invalid. */
export function readGatewaySecrets<Schema extends TSchema>(
  schema: Schema,
  storedValue: unknown,
): Static<Schema> | undefined {
  return storedValue === undefined || storedValue === null ? undefined : readGatewaySettings(schema, storedValue)
}

/** Secrets of a kind that cannot do without. `secretsDescription`: the member that must be there, in words. Throws invalid, badRequestProblem. */
export function requireGatewaySecrets<Schema extends TSchema>(
  schema: Schema,
  storedValue: unknown,
  secretsDescription: string,
): Static<Schema> {
  const secrets = readGatewaySecrets(schema, storedValue)
  if (secrets === undefined) throw badRequestProblem('/secrets', `must contain ${secretsDescription}`)
  return secrets
}

/** Throws badRequestProblem unless it is null, or the address of an interface: http or https, without credentials and query. */
export function assertApiAddress(pointer: string, address: string | null): void {
  if (address === null) return
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequestProblem(pointer, 'must be an https address')
  if (url.username !== '' || url.password !== '')
    throw badRequestProblem(pointer, 'must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') throw badRequestProblem(pointer, 'must not have a query or a fragment')
}

/** The addresses among settings, by the names of these. */
export function listSettingAddresses(settings: Readonly<Record<string, string | null>>): GatewayRemote[] {
  return Object.entries(settings).flatMap(([name, url]) => (url === null ? [] : [{ pointer: `/${name}`, url }]))
}

/** A value of a query as the type its setting has; what does not fit is left for the schema to refuse. */
function readQueryValue(schema: TObject, name: string, text: string): unknown {
  const { type, items } = schema.properties[name] as { type?: string; items?: { type?: string } }
  if (type === 'boolean') return { true: true, yes: true, '1': true, false: false, no: false, '0': false }[text] ?? text
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : text
  if (type === 'array')
    return text.split(',').map((listItem) => (items?.type === 'integer' ? Number(listItem) : listItem))
  return text
}

export interface GatewayAddress {
  settings: Record<string, unknown>
  credentials: { username: string; password: string } | undefined
}

/** Form of a gateway address: the settings that each scheme implies, and an example for the error message. */
export interface AddressForm {
  schema: TObject
  schemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  example: string
}

/**
 * Reads `scheme://account:password@host:port?setting=value`; every setting may stand in the query. The result is
 * still to be checked by readSettings. Throws badRequestProblem `url`, without ever repeating the password.
 */
export function parseGatewayAddress(address: string, { schema, schemes, example }: AddressForm): GatewayAddress {
  const url = URL.parse(address)
  const schemeSettings = url && Object.hasOwn(schemes, url.protocol) ? schemes[url.protocol] : undefined
  if (!url || !schemeSettings || url.hostname === '') throw badRequestProblem('url', `must be like ${example}`)
  if (url.pathname !== '' && url.pathname !== '/') throw badRequestProblem('url', 'must not have a path after the host')

  const knownSettings = Object.keys(schema.properties)
  const settings: Record<string, unknown> = { ...schemeSettings, host: url.hostname.replace(/^\[|\]$/g, '') }
  if (url.port !== '') settings['port'] = Number(url.port)
  for (const [name, text] of url.searchParams) {
    if (!knownSettings.includes(name)) {
      const nearestName = findNearestWord(name, knownSettings)
      throw badRequestProblem(
        'url',
        `"${name}" is not a setting; did you mean ${nearestName}? Known: ${knownSettings.join(', ')}`,
      )
    }
    settings[name] = readQueryValue(schema, name, text)
  }
  const { username, password } = url
  return {
    settings,
    credentials:
      username === '' ? undefined : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
  }
}
