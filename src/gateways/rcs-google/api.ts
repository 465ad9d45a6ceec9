import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { trimTrailingSlashes } from '../../lib/net/base-url.ts'
import type { OutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import {
  GOOGLE_TOKEN_URL,
  GoogleTokenRefused,
  GoogleTokenUnavailable,
  shareGoogleTokenSource,
} from '../google/token-endpoint.ts'
import { type HttpTransport, openHttpTransport } from '../http2/transport.ts'
import type { RcsRegion } from '../rcs.ts'
import { createSharedTokenSources, type SharedTokenSources, type TokenSource } from '../requests/tokens.ts'
import type { RcsGoogleSecrets, RcsGoogleSettings } from './settings.ts'

/** OAuth scope of the token. */
export const GOOGLE_RCS_SCOPE = 'https://www.googleapis.com/auth/rcsbusinessmessaging'

/** From the call to the last octet of the answer. */
export const RCS_ANSWER_TIMEOUT_MS = 10_000

const MAX_ANSWER_BYTES = 2 * 1024 * 1024
const MAX_REPLY_LENGTH = 2000

/** The interface of one service account. */
export interface GoogleRcsApi {
  transport: HttpTransport
  tokens: TokenSource
  hostOf(region: RcsRegion | null): string
  region: RcsRegion | null
  answerMs: number
}

/** One call of the interface. `region`: whose host takes it, in place of the one of the settings. */
export interface GoogleRcsCall {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  body?: string
  region?: RcsRegion
}

/**
 * The result of a call. `refused`: the token endpoint gives no token. `unanswered`: no connection, no answer in time, or
 * half an answer.
 */
export type GoogleRcsReply =
  | {
      kind: 'answered'
      status: number
      /** The far side's word for the status: `OK`, `NOT_FOUND`; '' when it said none. */
      word: string
      /** Text of the answer, one line. */
      said: string
      retryAfter: string | undefined
      body: unknown
    }
  | { kind: 'refused'; reason: string }
  | { kind: 'unanswered'; reason: string; retryAfter?: string | undefined }

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The status word and the message of an error as Google's interfaces give it. */
function extractError(body: unknown): { word: string; message: string } {
  const { status, message } = (isObject(body) && isObject(body['error']) ? body['error'] : {}) as Record<
    string,
    unknown
  >
  return {
    word: typeof status === 'string' && /^[A-Z_]{1,60}$/.test(status) ? status : '',
    message: typeof message === 'string' ? message.replace(/[\x00-\x1f\x7f]+/g, ' ') : '',
  }
}

function buildCallUrl(
  api: GoogleRcsApi,
  { path, query = {}, region = api.region ?? undefined }: GoogleRcsCall,
): string {
  const parameters = new URLSearchParams(query).toString()
  return `${api.hostOf(region ?? null)}${path}${parameters === '' ? '' : `?${parameters}`}`
}

async function callWithToken(api: GoogleRcsApi, call: GoogleRcsCall, token: string): Promise<GoogleRcsReply> {
  const { method, body } = call
  const headers: Record<string, string> = { authorization: `Bearer ${token}`, accept: 'application/json' }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(body))
  }
  const request = { method, headers, ...(body !== undefined && { body }) }
  const limits = { timeoutMs: api.answerMs, maxBytes: MAX_ANSWER_BYTES }
  try {
    const answer = await api.transport.call({ ...request, ...limits, url: buildCallUrl(api, call) })
    const parsedBody = parseBody(answer.body)
    const { word: errorWord, message } = extractError(parsedBody)
    const statusWord = errorWord === '' && answer.status === 200 ? 'OK' : errorWord
    const replyText = [answer.status, statusWord, message].filter((part) => part !== '').join(' ')
    const retryAfter = answer.headers['retry-after']
    return {
      kind: 'answered',
      status: answer.status,
      word: statusWord,
      said: replyText.slice(0, MAX_REPLY_LENGTH),
      retryAfter,
      body: parsedBody,
    }
  } catch (error) {
    return { kind: 'unanswered', reason: formatErrorReason(error) }
  }
}

function toTokenFailure(error: unknown): GoogleRcsReply {
  if (error instanceof GoogleTokenUnavailable)
    return { kind: 'unanswered', reason: error.message, retryAfter: error.retryAfter }
  if (error instanceof GoogleTokenRefused) return { kind: 'refused', reason: error.message }
  return { kind: 'unanswered', reason: 'no token could be requested' }
}

/** Makes one call with the token that is kept; after a 401 once more with a new one. Never throws. */
export async function callGoogleRcs(api: GoogleRcsApi, call: GoogleRcsCall): Promise<GoogleRcsReply> {
  try {
    const token = await api.tokens.current()
    const reply = await callWithToken(api, call, token)
    if (reply.kind !== 'answered' || reply.status !== 401) return reply
    return await callWithToken(api, call, await api.tokens.renewed(token))
  } catch (error) {
    return toTokenFailure(error)
  }
}

/** The host of a region; null: the one of all regions. */
export function getGoogleRcsHost(region: RcsRegion | null): string {
  return `https://${region === null ? '' : `${region}-`}rcsbusinessmessaging.googleapis.com`
}

/** Services of the program that a gateway of rich messages uses. */
export interface GoogleRcsApiContext {
  clock: Clock
  reach: OutboundPolicy
  /** Shares tokens with other gateways of the same service account. Absent: the gateway has its own. */
  tokens?: SharedTokenSources
}

/** Opens the interface; nothing is connected yet. Throws badRequestProblem when the credentials cannot be used. */
export function openGoogleRcsApi(
  { settings, secrets }: { settings: RcsGoogleSettings; secrets: RcsGoogleSecrets },
  { clock, reach, tokens = createSharedTokenSources() }: GoogleRcsApiContext,
  answerMs = RCS_ANSWER_TIMEOUT_MS,
): GoogleRcsApi {
  const { baseUrl, region, concurrency, ca } = settings
  const account = parseServiceAccountKey(secrets.credentials)
  const tokenUrl = settings.tokenUrl ?? GOOGLE_TOKEN_URL
  const transportContext = { reach, ca, concurrency }
  const tokenRequest = { account, tokenUrl, scope: GOOGLE_RCS_SCOPE, timeoutMs: answerMs }
  return {
    transport: openHttpTransport(transportContext),
    tokens: shareGoogleTokenSource(tokenRequest, { tokens, context: transportContext, clock }),
    hostOf: (requestedRegion) => (baseUrl === null ? getGoogleRcsHost(requestedRegion) : trimTrailingSlashes(baseUrl)),
    region,
    answerMs,
  }
}
