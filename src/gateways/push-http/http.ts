import { webhookHeaders } from '../../lib/crypto/webhook-signature.ts'
import { reasonOf } from '../../lib/errors/reason.ts'
import { checkOutgoing } from '../../lib/net/guarded-client.ts'
import type { Check, Gateway } from '../gateway.ts'
import { openTransport } from '../http2/transport.ts'
import type { PushContext } from '../push/context.ts'
import { judgeByStatus } from '../push/judge-status.ts'
import { httpPayload, payloadFault } from '../push/payload.ts'
import { postPush } from '../push/replies.ts'
import type { OutgoingPush } from '../push-message.ts'
import { createDispatcher, type MessageFault } from '../requests/dispatcher.ts'
import { sharedSpeed } from '../requests/shared-speed.ts'
import type { PushHttpSecrets, PushHttpSettings } from './settings.ts'

/** What receivers are called in events. */
const MTA = 'http'
const ANSWER_MS = 15_000

const tokenOf = ({ device }: OutgoingPush): string => ('token' in device ? device.token : '')

function faultOf(push: OutgoingPush): MessageFault | undefined {
  if (tokenOf(push) === '') return { enhanced: '5.1.3', reply: 'the device has no token' }
  const reply = payloadFault('push-http', push, tokenOf(push))
  return reply === undefined ? undefined : { enhanced: '5.3.4', reply }
}

/** Looks its name up; a request would be a push. */
async function check(url: string, { reach }: PushContext): Promise<Check> {
  const { host } = new URL(url)
  try {
    await checkOutgoing(url, reach)
    return { ok: true, detail: `${host} may be called; whether it answers shows with the first push` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${reasonOf(error)}` }
  }
}

/** A receiver of pushes over HTTP, signed as webhooks are (Standard Webhooks 1.0). */
export function openPushHttpGateway(
  name: string,
  { settings, secrets }: { settings: PushHttpSettings; secrets: PushHttpSecrets },
  context: PushContext,
): Gateway<OutgoingPush> {
  const { clock, reach, answerMs: timeoutMs = ANSWER_MS } = context
  const { url, concurrency, speed, ca } = settings
  const transport = openTransport({ reach, ca, concurrency, ...context.connections })
  const dispatcher = createDispatcher<OutgoingPush>(
    {
      mta: MTA,
      concurrency,
      speed,
      rests: context.rests,
      ...sharedSpeed(context, `push-http ${url}`, speed),
      faultOf,
      async handOver(push, announce) {
        const { id, stampId, meta, expiresAt } = push
        const body = httpPayload(push, { token: tokenOf(push), expiresAt })
        // Each attempt has the same: by it a receiver knows a repetition.
        const reference = `${stampId}_${meta.subscription}`
        const signed = webhookHeaders([secrets.secret], { id: reference, body }, clock.now())
        const headers = { ...signed, 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Stentor-Push/1' }
        const reply = await postPush(transport, { url, headers, body, timeoutMs, announce })
        return judgeByStatus({ id, mta: MTA, reference }, reply)
      },
      disconnect: () => transport.close(),
    },
    { clock, ticks: context.ticks ?? (() => performance.now()) },
  )
  return { name, kind: 'push-http', channel: 'notification', ...dispatcher, check: () => check(url, context) }
}
