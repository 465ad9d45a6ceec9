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

const ALLOWED_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const REFUSED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|proxy-.*|upgrade|expect|te|trailer|keep-alive)$/
const CREDENTIAL_HEADERS = ['authorization', 'cookie', 'x-api-key']
const MAX_BODY_BYTES = 256 * 1024
const MAX_HEADERS_BYTES = 16 * 1024
const REQUEST_TIMEOUTS_MS = { usual: 10_000, most: 30_000 }

function parseMethod(method: unknown): string {
  if (method === undefined || method === null) return 'GET'
  const upperMethod = String(method).toUpperCase()
  if (!ALLOWED_METHODS.includes(upperMethod))
    throw new MalformedFetchRequest(`the method must be one of ${ALLOWED_METHODS.join(', ')}`)
  return upperMethod
}

function parseHeaders(rawHeaders: unknown, secrets: ReadonlyMap<string, string>) {
  const headers: Record<string, string> = {}
  const credentials = new Set(CREDENTIAL_HEADERS)
  let headerBytes = 0
  for (const [name, value] of Object.entries(isJsonObject(rawHeaders) ? rawHeaders : {})) {
    const headerName = name.toLowerCase()
    if (REFUSED_HEADERS.test(headerName)) throw new RefusedAddressError(`the header "${headerName}" is not allowed`)
    const filledValue = fillSecretPlaceholders(String(value), secrets)
    if (hasSecretPlaceholder(String(value))) credentials.add(headerName)
    try {
      validateHeaderName(headerName)
      validateHeaderValue(headerName, filledValue)
    } catch {
      throw new MalformedFetchRequest(`the header "${headerName.slice(0, 100)}" is not well formed`)
    }
    headerBytes += headerName.length + filledValue.length
    headers[headerName] = filledValue
  }
  if (headerBytes > MAX_HEADERS_BYTES)
    throw new MalformedFetchRequest(`the headers have more than ${MAX_HEADERS_BYTES} bytes`)
  return { headers, credentials }
}

function parseBody(body: unknown, secrets: ReadonlyMap<string, string>): { text: string | undefined; isJson: boolean } {
  if (body === undefined || body === null) return { text: undefined, isJson: false }
  const isJson = typeof body !== 'string'
  const text = isJson ? JSON.stringify(fillSecretsInValue(body, secrets)) : fillSecretPlaceholders(body, secrets)
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw new MalformedFetchRequest(`the request has more than ${MAX_BODY_BYTES} bytes`)
  return { text, isJson }
}

function parseTimeout(timeoutMs: unknown): number {
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return REQUEST_TIMEOUTS_MS.usual
  return Math.min(timeoutMs, REQUEST_TIMEOUTS_MS.most)
}

/** Reads what a script asks for, and fills its secrets in. Throws MalformedFetchRequest, RefusedAddressError and UnknownSecretError. */
export function parseFetchRequest(options: unknown, secrets: ReadonlyMap<string, string>): ScriptFetchRequest {
  const { method, headers: rawHeaders, body, timeoutMs }: ScriptFetchOptions = isJsonObject(options) ? options : {}
  const { headers, credentials } = parseHeaders(rawHeaders, secrets)
  const { text, isJson } = parseBody(body, secrets)
  if (isJson) headers['content-type'] ??= 'application/json'
  const isBodySecret = body !== undefined && hasSecretPlaceholder(JSON.stringify(body) ?? '')
  return {
    method: parseMethod(method),
    headers,
    body: text,
    timeoutMs: parseTimeout(timeoutMs),
    credentials,
    isBodySecret,
  }
}
