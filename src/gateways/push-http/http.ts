import { buildWebhookHeaders } from '../../lib/crypto/webhook-signature.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { resolveOutboundUrl } from '../../lib/net/guarded-client.ts'
import type { GatewayCheckResult, MessageGateway } from '../gateway.ts'
import { openHttpTransport } from '../http2/transport.ts'
import type { PushGatewayContext } from '../push/context.ts'
import { classifyPushStatus } from '../push/judge-status.ts'
import { buildHttpPushPayload, findPushPayloadFault } from '../push/payload.ts'
import { postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createRequestDispatcher, type OutgoingMessageFault } from '../requests/dispatcher.ts'
import { createSharedSpeed } from '../requests/shared-speed.ts'
import type { PushHttpSecrets, PushHttpSettings } from './settings.ts'

/** Name of receivers in events. */
const HTTP_MTA = 'http'
const ANSWER_TIMEOUT_MS = 15_000

const getDeviceToken = ({ device }: OutgoingPush): string => ('token' in device ? device.token : '')

function findFault(push: OutgoingPush): OutgoingMessageFault | undefined {
  if (getDeviceToken(push) === '') return { enhanced: '5.1.3', reply: 'the device has no token' }
  const reply = findPushPayloadFault('push-http', push, getDeviceToken(push))
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

/** Looks its name up; a request would be a push. */
async function checkHost(url: string, { reach }: PushGatewayContext): Promise<GatewayCheckResult> {
  const { host } = new URL(url)
  try {
    await resolveOutboundUrl(url, reach)
    return { ok: true, detail: `${host} is allowed; the first push shows if it responds` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${formatErrorReason(error)}` }
  }
}

/** A receiver of pushes over HTTP, signed as webhooks are (Standard Webhooks 1.0). */
export function openPushHttpGateway(
  name: string,
  { settings, secrets }: { settings: PushHttpSettings; secrets: PushHttpSecrets },
  context: PushGatewayContext,
): MessageGateway<OutgoingPush> {
  const { clock, reach, answerMs: timeoutMs = ANSWER_TIMEOUT_MS } = context
  const { url, concurrency, speed, ca } = settings
  const transport = openHttpTransport({ reach, ca, concurrency, ...context.connections })
  const dispatcher = createRequestDispatcher<OutgoingPush>(
    {
      mta: HTTP_MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...createSharedSpeed(context, `push-http ${url}`, speed),
      faultOf: findFault,
      async handOver(push, announce) {
        const { id, stampId, meta, expiresAt } = push
        const body = buildHttpPushPayload(push, { token: getDeviceToken(push), expiresAt })
        // Each attempt has the same: by it a receiver knows a repetition.
        const reference = `${stampId}_${meta.subscription}`
        const signedHeaders = buildWebhookHeaders([secrets.secret], { id: reference, body }, clock.now())
        const headers = {
          ...signedHeaders,
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stentor-Push/1',
        }
        const reply = await postPush(transport, { url, headers, body, timeoutMs, announce })
        return classifyPushStatus({ id, mta: HTTP_MTA, reference }, reply)
      },
      disconnect: () => transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  return { name, kind: 'push-http', channel: 'notification', ...dispatcher, check: () => checkHost(url, context) }
}
