import { createHash } from 'node:crypto'
import { parseP8SigningKey } from '../../lib/crypto/credentials/p8.ts'
import { parseP12Certificate } from '../../lib/crypto/credentials/p12.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { trimTrailingSlashes } from '../../lib/net/base-url.ts'
import type { GatewayCheckResult, MessageGateway } from '../gateway.ts'
import { type HttpTransport, openHttpTransport } from '../http2/transport.ts'
import { getPushTtlSeconds, PUSH_ANSWER_TIMEOUT_MS, type PushGatewayContext } from '../push/context.ts'
import { buildApplePayload, findPushPayloadFault } from '../push/payload.ts'
import { type PushReply, postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createRequestDispatcher, type OutgoingMessageFault } from '../requests/dispatcher.ts'
import { createSharedSpeed } from '../requests/shared-speed.ts'
import { createSharedTokenSources, type TokenSource } from '../requests/tokens.ts'
import { APNS_MTA, classifyApnsReply, findApnsReason } from './judge.ts'
import type { PushApnsSecrets, PushApnsSettings } from './settings.ts'
import { createApnsTokenSource } from './token.ts'

const APNS_HOSTS = { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' }

/** Apple wants connections to stay. */
const IDLE_MS = 600_000

/** One app. */
interface ApnsApp {
  transport: HttpTransport
  /** Absent: a certificate is shown instead. */
  tokens: TokenSource | undefined
  base: string
  bundle: string
  answerMs: number
}

/** A UUID of a stamp and a subscription: the same one for each attempt. */
function computeApnsId({ stampId, meta: { subscription } }: OutgoingPush): string {
  const hexDigest = createHash('sha256').update(`${stampId} ${subscription}`).digest('hex')
  const variantDigit = ((Number.parseInt(hexDigest[16] ?? '0', 16) & 3) | 8).toString(16)
  return `${hexDigest.slice(0, 8)}-${hexDigest.slice(8, 12)}-8${hexDigest.slice(13, 16)}-${variantDigit}${hexDigest.slice(17, 20)}-${hexDigest.slice(20, 32)}`
}

function buildHeaders(push: OutgoingPush, bundle: string, now: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'apns-topic': bundle,
    'apns-push-type': 'alert',
    'apns-priority': push.urgent ? '10' : '5',
    'apns-expiration': String(
      Math.floor(now / 1000) + getPushTtlSeconds(push.expiresAt, Math.floor(now / 1000) * 1000),
    ),
    'apns-id': computeApnsId(push),
    'apns-collapse-id': push.stampId,
  }
}

function findFault(push: OutgoingPush): OutgoingMessageFault | undefined {
  if (!('token' in push.device) || !/^([0-9a-f]{2})+$/.test(push.device.token))
    return { enhanced: '5.1.3', reply: 'the device token is not hexadecimal' }
  const reply = findPushPayloadFault('push-apns', push)
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

/** Posts with the token that is kept; when that has expired once more with a new one. Throws what `announce` throws. */
async function postNotification(
  { transport, tokens, base: baseAddress, bundle, answerMs: timeoutMs }: ApnsApp,
  push: OutgoingPush,
  { now, announce }: { now: number; announce: () => Promise<unknown> },
): Promise<PushReply> {
  const url = `${baseAddress}/3/device/${'token' in push.device ? push.device.token : ''}`
  const request = { url, headers: buildHeaders(push, bundle, now), body: buildApplePayload(push), timeoutMs }
  if (tokens === undefined) return postPush(transport, { ...request, announce })
  const signRequest = (token: string) => ({
    ...request,
    headers: { ...request.headers, authorization: `bearer ${token}` },
  })
  const token = await tokens.current()
  const reply = await postPush(transport, { ...signRequest(token), announce })
  const isExpired =
    reply.kind === 'answered' && reply.status === 403 && findApnsReason(reply) === 'ExpiredProviderToken'
  return isExpired ? postPush(transport, signRequest(await tokens.renewed(token))) : reply
}

/** Asks for what is no device: the answer shows that there is a connection. */
async function checkConnection({ transport, base: baseAddress, answerMs }: ApnsApp): Promise<GatewayCheckResult> {
  const { host } = new URL(baseAddress)
  try {
    await transport.call({ url: `${baseAddress}/`, method: 'GET', timeoutMs: answerMs, maxBytes: 1024 * 1024 })
    return { ok: true, detail: `${host} is reachable; the first push checks its credentials` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${formatErrorReason(error)}` }
  }
}

type ApnsCredentials = { tokens: TokenSource | undefined; identity?: { pfx: Buffer; passphrase: string } }

function readCredentials(
  { certificate }: PushApnsSettings,
  { value, password = '' }: PushApnsSecrets,
  { clock, tokens = createSharedTokenSources() }: PushGatewayContext,
): ApnsCredentials {
  if (certificate.type === 'p8') {
    const { keyId, teamId } = certificate
    return {
      tokens: createApnsTokenSource({ key: parseP8SigningKey(value, '/secrets/value'), keyId, teamId }, tokens, clock),
    }
  }
  const { pfx, expiresAt } = parseP12Certificate(value, password, '/secrets')
  if (expiresAt.getTime() <= clock.now())
    throw badRequestProblem(
      '/secrets/value',
      `contains a certificate that expired on ${expiresAt.toISOString().slice(0, 10)}`,
    )
  return { tokens: undefined, identity: { pfx, passphrase: password } }
}

/** The push service of Apple. A repetition replaces what came before. Throws badRequestProblem when the credentials cannot be used. */
export function openPushApnsGateway(
  name: string,
  { settings, secrets }: { settings: PushApnsSettings; secrets: PushApnsSecrets },
  context: PushGatewayContext,
): MessageGateway<OutgoingPush> {
  const { clock, reach, answerMs = PUSH_ANSWER_TIMEOUT_MS } = context
  const { bundle, environment, baseUrl, concurrency, speed, ca } = settings
  const { tokens, identity } = readCredentials(settings, secrets, context)
  const baseAddress = trimTrailingSlashes(baseUrl ?? APNS_HOSTS[environment])
  const app: ApnsApp = {
    transport: openHttpTransport({ reach, ca, identity, concurrency, idleMs: IDLE_MS, ...context.connections }),
    tokens,
    base: baseAddress,
    bundle,
    answerMs,
  }
  const dispatcher = createRequestDispatcher<OutgoingPush>(
    {
      mta: APNS_MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...createSharedSpeed(context, `push-apns ${baseAddress} ${bundle}`, speed),
      faultOf: findFault,
      handOver: async (push, announce) =>
        classifyApnsReply(
          push.id,
          await postNotification(app, push, { now: clock.now(), announce }),
          computeApnsId(push),
        ),
      disconnect: () => app.transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  return {
    name,
    kind: 'push-apns',
    channel: 'notification',
    isIdempotent: true,
    ...dispatcher,
    check: () => checkConnection(app),
  }
}
