import { getSecondsUntil, MAX_RCS_MESSAGE_BYTES, type OutgoingRcs } from '../rcs-message.ts'
import type { GoogleRcsCall } from './api.ts'
import { buildRcsPhonePath } from './lookups.ts'

/** Bounds of RBM for the life of a message. */
const MIN_TTL_SECONDS = 10
const MAX_TTL_SECONDS = 15 * 86_400

/** Why a message may not be sent at all; undefined: it may. */
export function findRcsMessageFault({ to: phone, contentMessage }: OutgoingRcs): string | undefined {
  if (!/^\+[1-9]\d{4,14}$/.test(phone)) return 'the number is not E.164'
  const bytes = Buffer.byteLength(contentMessage)
  return bytes > MAX_RCS_MESSAGE_BYTES
    ? `the message has ${bytes} bytes, more than ${MAX_RCS_MESSAGE_BYTES}`
    : undefined
}

/** The call that is a message, at `now` (milliseconds). What lives for less than RBM takes is sent with the least it takes. */
export function buildRcsMessageCall(message: OutgoingRcs, now: number): GoogleRcsCall {
  const { to: phone, agent, contentMessage, ttlSeconds, expiresAt, trafficType, messageId } = message
  const remainingSeconds = expiresAt === undefined ? ttlSeconds : getSecondsUntil(expiresAt, now)
  const boundedTtlSeconds = Math.min(Math.max(Math.floor(remainingSeconds), MIN_TTL_SECONDS), MAX_TTL_SECONDS)
  return {
    method: 'POST',
    path: `${buildRcsPhonePath(phone)}/agentMessages`,
    query: { messageId, agentId: agent },
    // The content is JSON already: it is not read and written again.
    body: `{"contentMessage":${contentMessage},"ttl":"${boundedTtlSeconds}s","messageTrafficType":${JSON.stringify(trafficType)}}`,
  }
}
