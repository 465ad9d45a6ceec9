import { readServiceAccount } from '../../lib/crypto/credentials/service-account.ts'
import { reasonOf } from '../../lib/errors/reason.ts'
import { withoutTrailingSlashes } from '../../lib/net/base-url.ts'
import type { Check, Gateway } from '../gateway.ts'
import { GOOGLE_TOKEN_URL, TokenRefused, TokenUnavailable, tokenSourceOf } from '../google/token-endpoint.ts'
import { openTransport, type Transport } from '../http2/transport.ts'
import { ANSWER_MS, type PushContext, ttlSeconds } from '../push/context.ts'
import { androidData, payloadFault } from '../push/payload.ts'
import { type PushReply, postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createDispatcher, type MessageFault } from '../requests/dispatcher.ts'
import { sharedSpeed } from '../requests/shared-speed.ts'
import { createTokenSources, type TokenSource } from '../requests/tokens.ts'
import { judgeFcm, MTA, wordOf } from './judge.ts'
import { type PushFcmSecrets, type PushFcmSettings, projectOf } from './settings.ts'

/** What a token is asked for. */
export const FCM_SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'

const FCM_HOST = 'https://fcm.googleapis.com'

/** One project. */
interface Project {
  transport: Transport
  tokens: TokenSource
  url: string
  answerMs: number
}

/** The message as FCM takes it: data alone, no block that the system would show by itself. */
function bodyOf(push: OutgoingPush, now: number): string {
  const token = 'token' in push.device ? push.device.token : ''
  const android = { priority: push.urgent ? 'HIGH' : 'NORMAL', ttl: `${ttlSeconds(push.expiresAt, now)}s` }
  return JSON.stringify({ message: { token, android, data: androidData(push) } })
}

function faultOf(push: OutgoingPush): MessageFault | undefined {
  if (!('token' in push.device) || push.device.token === '')
    return { enhanced: '5.1.3', reply: 'the device has no token' }
  const reply = payloadFault('push-fcm', push)
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

function withoutToken(error: unknown): PushReply {
  if (error instanceof TokenRefused) return { kind: 'refused', reason: error.message }
  const retryAfter = error instanceof TokenUnavailable ? error.retryAfter : undefined
  return { kind: 'unwritten', reason: reasonOf(error), retryAfter }
}

/** Posts with the token that is kept; after a 401 once more with a new one. Throws what `announce` throws. */
async function post(project: Project, body: string, announce: () => Promise<unknown>): Promise<PushReply> {
  const { transport, tokens, url, answerMs: timeoutMs } = project
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  const first = await tokens.current().catch((error: unknown) => ({ failure: withoutToken(error) }))
  if (typeof first !== 'string') return first.failure
  const reply = await postPush(transport, { url, headers: headersOf(first), body, timeoutMs, announce })
  // What FCM says of the credentials of another push service no token mends.
  if (reply.kind !== 'answered' || reply.status !== 401 || wordOf(reply) === 'THIRD_PARTY_AUTH_ERROR') return reply
  const second = await tokens.renewed(first).catch((error: unknown) => ({ failure: withoutToken(error) }))
  if (typeof second !== 'string') return second.failure
  return postPush(transport, { url, headers: headersOf(second), body, timeoutMs })
}

async function check({ tokens, transport, url, answerMs }: Project): Promise<Check> {
  const { host, origin } = new URL(url)
  try {
    await tokens.current()
    await transport.call({ url: `${origin}/`, method: 'GET', timeoutMs: answerMs, maxBytes: 1024 * 1024 })
    return { ok: true, detail: `${host} can be reached, and there is a token` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${reasonOf(error)}` }
  }
}

/** Firebase Cloud Messaging, HTTP v1. Throws badRequest when the credentials cannot be used. */
export function openPushFcmGateway(
  name: string,
  { settings, secrets }: { settings: PushFcmSettings; secrets: PushFcmSecrets },
  context: PushContext,
): Gateway<OutgoingPush> {
  const { clock, reach, tokens = createTokenSources(), answerMs = ANSWER_MS } = context
  const { concurrency, speed, ca, baseUrl, tokenUrl } = settings
  const id = projectOf(settings, secrets)
  const transportContext = { reach, ca, concurrency, ...context.connections }
  const account = readServiceAccount(secrets.key, '/secrets/key')
  const question = { account, tokenUrl: tokenUrl ?? GOOGLE_TOKEN_URL, scope: FCM_SCOPE, timeoutMs: answerMs }
  const project: Project = {
    transport: openTransport(transportContext),
    tokens: tokenSourceOf(question, { tokens, context: transportContext, clock }),
    url: `${withoutTrailingSlashes(baseUrl ?? FCM_HOST)}/v1/projects/${id}/messages:send`,
    answerMs,
  }
  const dispatcher = createDispatcher<OutgoingPush>(
    {
      mta: MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...sharedSpeed(context, `push-fcm ${id}`, speed),
      faultOf,
      handOver: async (push, announce) => judgeFcm(push.id, await post(project, bodyOf(push, clock.now()), announce)),
      disconnect: () => project.transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  return { name, kind: 'push-fcm', channel: 'notification', ...dispatcher, check: () => check(project) }
}
