import { isP256Point, parseBase64url, parseVapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import { trimTrailingSlashes } from '../../lib/net/base-url.ts'
import { isWebPushAddress, WEB_PUSH_HOSTS } from '../../lib/net/push-hosts.ts'
import type { MessageGateway } from '../gateway.ts'
import { type HttpTransport, openHttpTransport } from '../http2/transport.ts'
import { getPushTtlSeconds, PUSH_ANSWER_TIMEOUT_MS, type PushGatewayContext } from '../push/context.ts'
import { classifyPushStatus } from '../push/judge-status.ts'
import { buildWebPushPayload, findPushPayloadFault } from '../push/payload.ts'
import { type PushReply, postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createRequestDispatcher, type OutgoingMessageFault } from '../requests/dispatcher.ts'
import { createSharedSpeed } from '../requests/shared-speed.ts'
import { type BrowserPushKeys, encryptForBrowser } from './encrypt.ts'
import type { PushWebSecrets, PushWebSettings } from './settings.ts'
import { openVapidSigner, type VapidSigner } from './vapid.ts'

/** Name of the browsers' push services in events. */
const WEB_PUSH_MTA = 'webpush'
const AUTH_BYTES = 16

/** Connection data for pushes to browsers. */
interface WebPushConnection {
  transport: HttpTransport
  vapid: VapidSigner
  /** In place of the origin of every endpoint. */
  baseUrl: string | null
  pushHosts: readonly string[]
  answerMs: number
}

const getEndpoint = ({ device }: OutgoingPush): string => ('endpoint' in device ? device.endpoint : '')

/** The keys of a browser; undefined when they are none. */
function parseDeviceKeys({ device }: OutgoingPush): BrowserPushKeys | undefined {
  if (!('keys' in device)) return undefined
  const [p256dh, auth] = [parseBase64url(device.keys.p256dh), parseBase64url(device.keys.auth)]
  return isP256Point(p256dh) && auth?.length === AUTH_BYTES ? { p256dh, auth } : undefined
}

function findFault(push: OutgoingPush, pushHosts: readonly string[]): OutgoingMessageFault | undefined {
  if (!isWebPushAddress(getEndpoint(push), pushHosts))
    return { enhanced: '5.1.3', reply: 'the endpoint is not on a known push host' }
  if (parseDeviceKeys(push) === undefined) return { enhanced: '5.1.3', reply: 'the keys of the browser are not valid' }
  const reply = findPushPayloadFault('push-web', push)
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

/** 22 characters of base64url: a push that waits is replaced by one with the same. */
function computeTopic(stampId: string): string {
  return Buffer.from(stampId.replaceAll('-', ''), 'hex').toString('base64url')
}

function buildPushUrl(push: OutgoingPush, baseUrl: string | null): URL {
  const endpoint = new URL(getEndpoint(push))
  if (baseUrl === null) return endpoint
  return new URL(`${trimTrailingSlashes(baseUrl)}${endpoint.pathname}${endpoint.search}`)
}

async function postPushMessage(
  { transport, vapid, baseUrl, answerMs: timeoutMs }: WebPushConnection,
  push: OutgoingPush,
  { now, announce }: { now: number; announce: () => Promise<unknown> },
): Promise<PushReply> {
  const deviceKeys = parseDeviceKeys(push)
  if (deviceKeys === undefined) throw new Error('the keys of the browser are not valid')
  const url = buildPushUrl(push, baseUrl)
  const headers = {
    authorization: await vapid.authorization(url.origin),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(getPushTtlSeconds(push.expiresAt, now)),
    urgency: push.urgent ? 'high' : 'normal',
    topic: computeTopic(push.stampId),
  }
  const body = encryptForBrowser(buildWebPushPayload(push), deviceKeys)
  return postPush(transport, { url: url.href, headers, body, timeoutMs, announce })
}

/**
 * The push services of browsers: RFC 8030, 8291 and 8292. Each service rests apart from the others. Throws badRequestProblem when
 * the keys cannot be used.
 */
export function openPushWebGateway(
  name: string,
  { settings, secrets }: { settings: PushWebSettings; secrets: PushWebSecrets },
  context: PushGatewayContext,
): MessageGateway<OutgoingPush> {
  const { clock, reach, pushHosts = WEB_PUSH_HOSTS, answerMs = PUSH_ANSWER_TIMEOUT_MS } = context
  const { publicKey, subject, baseUrl, concurrency, speed, ca } = settings
  const vapidKeys = parseVapidKeys(publicKey ?? undefined, secrets.privateKey, '/secrets')
  const connection: WebPushConnection = {
    transport: openHttpTransport({ reach, ca, concurrency, ...context.connections }),
    vapid: openVapidSigner(vapidKeys, subject, clock),
    baseUrl,
    pushHosts,
    answerMs,
  }
  const dispatcher = createRequestDispatcher<OutgoingPush>(
    {
      mta: WEB_PUSH_MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...createSharedSpeed(context, `push-web ${vapidKeys.publicKey}`, speed),
      faultOf: (push) => findFault(push, pushHosts),
      destinationOf: (push) => new URL(getEndpoint(push)).host,
      async handOver(push, announce) {
        const { id, stampId: reference } = push
        return classifyPushStatus(
          { id, mta: WEB_PUSH_MTA, reference },
          await postPushMessage(connection, push, { now: clock.now(), announce }),
        )
      },
      disconnect: () => connection.transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  const checkDetail = 'the keys match; each browser names its own push service'
  return {
    name,
    kind: 'push-web',
    channel: 'notification',
    ...dispatcher,
    check: async () => ({ ok: true, detail: checkDetail }),
  }
}
