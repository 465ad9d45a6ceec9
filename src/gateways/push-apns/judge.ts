import { isJsonObject } from '../../lib/objects.ts'
import {
  buildAcceptedVerdict,
  buildDeniedVerdict,
  buildRefusedPayloadVerdict,
  buildUnregisteredVerdict,
  classifyTransientReply,
  type PushReply,
  type PushReplySubject,
  type PushServiceAnswer,
  toPushServiceError,
} from '../push/replies.ts'
import type { ReplyVerdict } from '../requests/verdict.ts'

/** Name of the remote side in events: the type of the application's provider. */
export const APNS_MTA = 'apns'

/** Reasons of a 410 and of a 400 that are about the device, and of a 400 that are about us. */
const GONE_DEVICE_REASONS: Readonly<Record<number, readonly string[]>> = {
  400: ['BadDeviceToken', 'DeviceTokenNotForTopic'],
  410: ['Unregistered', 'ExpiredToken'],
}
const SENDER_REASONS = ['BadTopic', 'TopicDisallowed']

/** The reason of an answer; '' when it gives none. */
export function findApnsReason({ json }: PushServiceAnswer): string {
  const reason = isJsonObject(json) ? json['reason'] : undefined
  return typeof reason === 'string' && /^[A-Za-z]{1,60}$/.test(reason) ? reason : ''
}

/** Since when a device is gone, in milliseconds since 1970. */
function readGoneTimestamp({ json }: PushServiceAnswer): number | undefined {
  const timestamp = isJsonObject(json) ? json['timestamp'] : undefined
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : undefined
}

/** Classifies a reply of APNs to a push. A repeated push replaces the earlier one, so no outcome is in doubt. */
export function classifyApnsReply(id: number, reply: PushReply, apnsId: string): ReplyVerdict {
  const replySubject: PushReplySubject = { id, mta: APNS_MTA }
  const reason = reply.kind === 'answered' ? findApnsReason(reply) : ''
  const serviceError = toPushServiceError(reply, reason)
  const transientVerdict = classifyTransientReply(replySubject, reply, { said: serviceError, isIdempotent: true })
  if (transientVerdict !== undefined || reply.kind !== 'answered')
    return transientVerdict ?? buildDeniedVerdict(replySubject, serviceError)
  const { status } = reply
  if (status < 300) return buildAcceptedVerdict(replySubject, reply.header('apns-id') ?? apnsId, `${status} OK`)
  if (GONE_DEVICE_REASONS[status]?.includes(reason))
    return buildUnregisteredVerdict(replySubject, serviceError, readGoneTimestamp(reply))
  // A path that is not known is a wrong address.
  if ([401, 403, 404].includes(status) || (status === 400 && SENDER_REASONS.includes(reason)))
    return buildDeniedVerdict(replySubject, serviceError)
  return buildRefusedPayloadVerdict(replySubject, serviceError, status)
}
