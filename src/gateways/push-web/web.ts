import { isPoint, readBase64url, readVapidKeys } from '../../lib/crypto/credentials/vapid.ts'
import { withoutTrailingSlashes } from '../../lib/net/base-url.ts'
import { isPushAddress, PUSH_HOSTS } from '../../lib/net/push-hosts.ts'
import type { Gateway } from '../gateway.ts'
import { openTransport, type Transport } from '../http2/transport.ts'
import { ANSWER_MS, type PushContext, ttlSeconds } from '../push/context.ts'
import { judgeByStatus } from '../push/judge-status.ts'
import { payloadFault, webPayload } from '../push/payload.ts'
import { type PushReply, postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createDispatcher, type MessageFault } from '../requests/dispatcher.ts'
import { sharedSpeed } from '../requests/shared-speed.ts'
import { type BrowserKeys, encryptForBrowser } from './encrypt.ts'
import type { PushWebSecrets, PushWebSettings } from './settings.ts'
import { openVapid, type Vapid } from './vapid.ts'

/** What push services of browsers are called in events. */
const MTA = 'webpush'
const AUTH_BYTES = 16

/** What pushes leave with. */
interface Browsers {
  transport: Transport
  vapid: Vapid
  /** In place of the origin of every endpoint. */
  baseUrl: string | null
  pushHosts: readonly string[]
  answerMs: number
}

const endpointOf = ({ device }: OutgoingPush): string => ('endpoint' in device ? device.endpoint : '')

/** The keys of a browser; undefined when they are none. */
function keysOf({ device }: OutgoingPush): BrowserKeys | undefined {
  if (!('keys' in device)) return undefined
  const [p256dh, auth] = [readBase64url(device.keys.p256dh), readBase64url(device.keys.auth)]
  return isPoint(p256dh) && auth?.length === AUTH_BYTES ? { p256dh, auth } : undefined
}

function faultOf(push: OutgoingPush, pushHosts: readonly string[]): MessageFault | undefined {
  if (!isPushAddress(endpointOf(push), pushHosts))
    return { enhanced: '5.1.3', reply: 'the endpoint is on no known push host' }
  if (keysOf(push) === undefined) return { enhanced: '5.1.3', reply: 'the keys of the browser cannot be used' }
  const reply = payloadFault('push-web', push)
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

/** 22 characters of base64url: a push that waits is replaced by one with the same. */
function topicOf(stampId: string): string {
  return Buffer.from(stampId.replaceAll('-', ''), 'hex').toString('base64url')
}

function urlOf(push: OutgoingPush, baseUrl: string | null): URL {
  const endpoint = new URL(endpointOf(push))
  if (baseUrl === null) return endpoint
  return new URL(`${withoutTrailingSlashes(baseUrl)}${endpoint.pathname}${endpoint.search}`)
}

async function post(
  { transport, vapid, baseUrl, answerMs: timeoutMs }: Browsers,
  push: OutgoingPush,
  { now, announce }: { now: number; announce: () => Promise<unknown> },
): Promise<PushReply> {
  const keys = keysOf(push)
  if (keys === undefined) throw new Error('the keys of the browser cannot be used')
  const url = urlOf(push, baseUrl)
  const headers = {
    authorization: await vapid.authorization(url.origin),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(ttlSeconds(push.expiresAt, now)),
    urgency: push.urgent ? 'high' : 'normal',
    topic: topicOf(push.stampId),
  }
  const body = encryptForBrowser(webPayload(push), keys)
  return postPush(transport, { url: url.href, headers, body, timeoutMs, announce })
}

/**
 * The push services of browsers: RFC 8030, 8291 and 8292. Each service rests apart from the others. Throws badRequest when
 * the keys cannot be used.
 */
export function openPushWebGateway(
  name: string,
  { settings, secrets }: { settings: PushWebSettings; secrets: PushWebSecrets },
  context: PushContext,
): Gateway<OutgoingPush> {
  const { clock, reach, pushHosts = PUSH_HOSTS, answerMs = ANSWER_MS } = context
  const { publicKey, subject, baseUrl, concurrency, speed, ca } = settings
  const keys = readVapidKeys(publicKey ?? undefined, secrets.privateKey, '/secrets')
  const browsers: Browsers = {
    transport: openTransport({ reach, ca, concurrency, ...context.connections }),
    vapid: openVapid(keys, subject, clock),
    baseUrl,
    pushHosts,
    answerMs,
  }
  const dispatcher = createDispatcher<OutgoingPush>(
    {
      mta: MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...sharedSpeed(context, `push-web ${keys.publicKey}`, speed),
      faultOf: (push) => faultOf(push, pushHosts),
      destinationOf: (push) => new URL(endpointOf(push)).host,
      async handOver(push, announce) {
        const { id, stampId: reference } = push
        return judgeByStatus({ id, mta: MTA, reference }, await post(browsers, push, { now: clock.now(), announce }))
      },
      disconnect: () => browsers.transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  const detail = 'the keys belong together; each browser names its own push service'
  return { name, kind: 'push-web', channel: 'notification', ...dispatcher, check: async () => ({ ok: true, detail }) }
}
