import { validateHeaderName, validateHeaderValue } from 'node:http'
import { NoAnswerError, RefusedAddressError } from '../../lib/net/guarded-client.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { fillSecretPlaceholders, fillSecretsInValue, hasSecretPlaceholder } from './secrets.ts'

/** The second argument of `http.fetch`, as a script gives it. */
export interface ScriptFetchOptions {
  method?: unknown
  headers?: unknown
  /** A text as it is; any other JSON as its text. */
  body?: unknown
  timeoutMs?: unknown
}

/** A request with its secrets filled in. */
export interface ScriptFetchRequest {
  method: string
  headers: Record<string, string>
  body: string | undefined
  timeoutMs: number
  /** Headers that go to the first host alone. */
  credentials: ReadonlySet<string>
  /** Its body holds a secret, and goes to the first host alone. */
  isBodySecret: boolean
}

/** The request itself is not well formed: no server was asked. */
export class MalformedFetchRequest extends NoAnswerError {}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const REFUSED = /^(?:host|connection|content-length|transfer-encoding|proxy-.*|upgrade|expect|te|trailer|keep-alive)$/
const CREDENTIALS = ['authorization', 'cookie', 'x-api-key']
const MAX_BODY_BYTES = 256 * 1024
const MAX_HEADERS_BYTES = 16 * 1024
const TIMEOUT_MS = { usual: 10_000, most: 30_000 }

function methodOf(method: unknown): string {
  if (method === undefined || method === null) return 'GET'
  const upper = String(method).toUpperCase()
  if (!METHODS.includes(upper)) throw new MalformedFetchRequest(`the method must be one of ${METHODS.join(', ')}`)
  return upper
}

function headersOf(given: unknown, secrets: ReadonlyMap<string, string>) {
  const headers: Record<string, string> = {}
  const credentials = new Set(CREDENTIALS)
  let bytes = 0
  for (const [name, value] of Object.entries(isJsonObject(given) ? given : {})) {
    const lower = name.toLowerCase()
    if (REFUSED.test(lower)) throw new RefusedAddressError(`may not be given the header "${lower}"`)
    const filled = fillSecretPlaceholders(String(value), secrets)
    if (hasSecretPlaceholder(String(value))) credentials.add(lower)
    try {
      validateHeaderName(lower)
      validateHeaderValue(lower, filled)
    } catch {
      throw new MalformedFetchRequest(`the header "${lower.slice(0, 100)}" is not well formed`)
    }
    bytes += lower.length + filled.length
    headers[lower] = filled
  }
  if (bytes > MAX_HEADERS_BYTES)
    throw new MalformedFetchRequest(`the headers have more than ${MAX_HEADERS_BYTES} bytes`)
  return { headers, credentials }
}

function bodyOf(body: unknown, secrets: ReadonlyMap<string, string>): { text: string | undefined; isJson: boolean } {
  if (body === undefined || body === null) return { text: undefined, isJson: false }
  const isJson = typeof body !== 'string'
  const text = isJson ? JSON.stringify(fillSecretsInValue(body, secrets)) : fillSecretPlaceholders(body, secrets)
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new MalformedFetchRequest(`the request has more than ${MAX_BODY_BYTES} bytes`)
  return { text, isJson }
}

function timeoutOf(timeoutMs: unknown): number {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return TIMEOUT_MS.usual
  return Math.min(timeoutMs, TIMEOUT_MS.most)
}

/** Reads what a script asks for, and fills its secrets in. Throws MalformedFetchRequest, RefusedAddressError and UnknownSecretError. */
export function parseFetchRequest(options: unknown, secrets: ReadonlyMap<string, string>): ScriptFetchRequest {
  const { method, headers: given, body, timeoutMs }: ScriptFetchOptions = isJsonObject(options) ? options : {}
  const { headers, credentials } = headersOf(given, secrets)
  const { text, isJson } = bodyOf(body, secrets)
  if (isJson) headers['content-type'] ??= 'application/json'
  const isBodySecret = body !== undefined && hasSecretPlaceholder(JSON.stringify(body) ?? '')
  return {
    ...{ method: methodOf(method), headers, body: text, timeoutMs: timeoutOf(timeoutMs), credentials, isBodySecret },
  }
}
