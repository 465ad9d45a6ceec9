import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { trimTrailingSlashes } from '../../lib/net/base-url.ts'
import type { GatewayCheckResult, MessageGateway } from '../gateway.ts'
import {
  GOOGLE_TOKEN_URL,
  GoogleTokenRefused,
  GoogleTokenUnavailable,
  shareGoogleTokenSource,
} from '../google/token-endpoint.ts'
import { type HttpTransport, openHttpTransport } from '../http2/transport.ts'
import { getPushTtlSeconds, PUSH_ANSWER_TIMEOUT_MS, type PushGatewayContext } from '../push/context.ts'
import { buildAndroidData, findPushPayloadFault } from '../push/payload.ts'
import { type PushReply, postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createRequestDispatcher, type OutgoingMessageFault } from '../requests/dispatcher.ts'
import { createSharedSpeed } from '../requests/shared-speed.ts'
import { createSharedTokenSources, type TokenSource } from '../requests/tokens.ts'
import { classifyFcmReply, FCM_MTA, findFcmErrorCode } from './judge.ts'
import { type PushFcmSecrets, type PushFcmSettings, requireFcmProject } from './settings.ts'

/** OAuth scope of the token. */
export const FCM_OAUTH_SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'

const FCM_HOST = 'https://fcm.googleapis.com'

/** One project. */
interface FcmProject {
  transport: HttpTransport
  tokens: TokenSource
  url: string
  answerMs: number
}

/** The message as FCM takes it: data alone, no block that the system would show by itself. */
function buildBody(push: OutgoingPush, now: number): string {
  const token = 'token' in push.device ? push.device.token : ''
  const androidConfig = { priority: push.urgent ? 'HIGH' : 'NORMAL', ttl: `${getPushTtlSeconds(push.expiresAt, now)}s` }
  return JSON.stringify({ message: { token, android: androidConfig, data: buildAndroidData(push) } })
}

function findFault(push: OutgoingPush): OutgoingMessageFault | undefined {
  if (!('token' in push.device) || push.device.token === '')
    return { enhanced: '5.1.3', reply: 'the device has no token' }
  const reply = findPushPayloadFault('push-fcm', push)
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

function toTokenFailure(error: unknown): PushReply {
  if (error instanceof GoogleTokenRefused) return { kind: 'refused', reason: error.message }
  const retryAfter = error instanceof GoogleTokenUnavailable ? error.retryAfter : undefined
  return { kind: 'unwritten', reason: formatErrorReason(error), retryAfter }
}

/** Posts with the token that is kept; after a 401 once more with a new one. Throws what `announce` throws. */
async function postMessage(project: FcmProject, body: string, announce: () => Promise<unknown>): Promise<PushReply> {
  const { transport, tokens, url, answerMs: timeoutMs } = project
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  const firstToken = await tokens.current().catch((error: unknown) => ({ failure: toTokenFailure(error) }))
  if (typeof firstToken !== 'string') return firstToken.failure
  const reply = await postPush(transport, { url, headers: headersOf(firstToken), body, timeoutMs, announce })
  // What FCM says of the credentials of another push service no token mends.
  if (reply.kind !== 'answered' || reply.status !== 401 || findFcmErrorCode(reply) === 'THIRD_PARTY_AUTH_ERROR')
    return reply
  const renewedToken = await tokens.renewed(firstToken).catch((error: unknown) => ({ failure: toTokenFailure(error) }))
  if (typeof renewedToken !== 'string') return renewedToken.failure
  return postPush(transport, { url, headers: headersOf(renewedToken), body, timeoutMs })
}

async function checkConnection({ tokens, transport, url, answerMs }: FcmProject): Promise<GatewayCheckResult> {
  const { host, origin } = new URL(url)
  try {
    await tokens.current()
    await transport.call({ url: `${origin}/`, method: 'GET', timeoutMs: answerMs, maxBytes: 1024 * 1024 })
    return { ok: true, detail: `${host} is reachable, and a token was issued` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${formatErrorReason(error)}` }
  }
}

/** Firebase Cloud Messaging, HTTP v1. Throws badRequestProblem when the credentials cannot be used. */
export function openPushFcmGateway(
  name: string,
  { settings, secrets }: { settings: PushFcmSettings; secrets: PushFcmSecrets },
  context: PushGatewayContext,
): MessageGateway<OutgoingPush> {
  const { clock, reach, tokens = createSharedTokenSources(), answerMs = PUSH_ANSWER_TIMEOUT_MS } = context
  const { concurrency, speed, ca, baseUrl, tokenUrl } = settings
  const id = requireFcmProject(settings, secrets)
  const transportContext = { reach, ca, concurrency, ...context.connections }
  const account = parseServiceAccountKey(secrets.key, '/secrets/key')
  const tokenRequest = { account, tokenUrl: tokenUrl ?? GOOGLE_TOKEN_URL, scope: FCM_OAUTH_SCOPE, timeoutMs: answerMs }
  const project: FcmProject = {
    transport: openHttpTransport(transportContext),
    tokens: shareGoogleTokenSource(tokenRequest, { tokens, context: transportContext, clock }),
    url: `${trimTrailingSlashes(baseUrl ?? FCM_HOST)}/v1/projects/${id}/messages:send`,
    answerMs,
  }
  const dispatcher = createRequestDispatcher<OutgoingPush>(
    {
      mta: FCM_MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...createSharedSpeed(context, `push-fcm ${id}`, speed),
      faultOf: findFault,
      handOver: async (push, announce) =>
        classifyFcmReply(push.id, await postMessage(project, buildBody(push, clock.now()), announce)),
      disconnect: () => project.transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  return { name, kind: 'push-fcm', channel: 'notification', ...dispatcher, check: () => checkConnection(project) }
}
