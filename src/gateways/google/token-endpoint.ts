import type { ServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { TransportContext } from '../http2/request.ts'
import { type HttpTransport, openHttpTransport } from '../http2/transport.ts'
import {
  createTokenSource,
  type IssuedBearerToken,
  type SharedTokenSources,
  type TokenSource,
} from '../requests/tokens.ts'
import { signGoogleAssertion } from './assertion.ts'
import { fingerprintGoogleAccount } from './fingerprint.ts'

/** Google's token endpoint. */
export const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token'

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const MAX_ANSWER_BYTES = 64 * 1024
const DEFAULT_LIFETIME_SECONDS = 3600

/** The endpoint gives this service account no token. The message names its error code. */
export class GoogleTokenRefused extends Error {}

/** The endpoint could not be asked, or says to come later. */
export class GoogleTokenUnavailable extends Error {
  readonly retryAfter: string | undefined

  constructor(message: string, retryAfter?: string) {
    super(message)
    this.retryAfter = retryAfter
  }
}

function parseBody(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** An error code of RFC 6749, 5.2; nothing else of an answer is repeated. */
function formatErrorCode({ error }: Record<string, unknown>): string {
  return typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? ` ${error}` : ''
}

/** A token request: the account, the endpoint, the scope, and the time limit for an answer. */
export interface GoogleTokenRequest {
  account: ServiceAccountKey
  tokenUrl: string
  scope: string
  timeoutMs: number
}

/** Asks for a token by RFC 7523. Throws GoogleTokenRefused and GoogleTokenUnavailable. */
export async function requestGoogleToken(
  { account, tokenUrl, scope, timeoutMs }: GoogleTokenRequest,
  { transport, clock }: { transport: HttpTransport; clock: Clock },
): Promise<IssuedBearerToken> {
  const assertion = await signGoogleAssertion(account, { tokenUrl, scope }, clock.now())
  const answer = await transport
    .call({
      method: 'POST',
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
    })
    .catch((error: unknown) => {
      throw new GoogleTokenUnavailable(`no token: ${formatErrorReason(error)}`)
    })
  const { status, headers } = answer
  const parsedBody = parseBody(answer.body)
  const failureReason = `the token endpoint answers ${status}${formatErrorCode(parsedBody)}`
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new GoogleTokenRefused(failureReason)
  const { access_token: value, expires_in: expiresInSeconds } = parsedBody
  if (status !== 200 || typeof value !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(value))
    throw new GoogleTokenUnavailable(
      status === 200 ? `${failureReason} without a token` : failureReason,
      headers['retry-after'],
    )
  const lifetimeSeconds =
    typeof expiresInSeconds === 'number' && expiresInSeconds > 0 ? expiresInSeconds : DEFAULT_LIFETIME_SECONDS
  return { value, lifetimeSeconds }
}

/** The token source of a service account, which gateways of one scope and endpoint share. */
export function shareGoogleTokenSource(
  question: GoogleTokenRequest,
  { tokens, context, clock }: { tokens: SharedTokenSources; context: TransportContext; clock: Clock },
): TokenSource {
  // A source outlives the gateway that made it, and asks seldom: a connection of its own each time.
  async function requestToken(): Promise<IssuedBearerToken> {
    const transport = openHttpTransport({ reach: context.reach, ca: context.ca, concurrency: 1 })
    try {
      return await requestGoogleToken(question, { transport, clock })
    } finally {
      transport.close()
    }
  }
  const { account, tokenUrl, scope } = question
  const key = `${fingerprintGoogleAccount(account)} ${scope} ${tokenUrl} ${context.ca ?? ''}`
  return tokens.of(key, () => createTokenSource(requestToken, clock))
}
