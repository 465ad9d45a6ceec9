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

/** What the far side is called in events: as the provider of an application. */
export const APNS_MTA = 'apns'

/** Reasons of a 410 and of a 400 that are about the device, and of a 400 that are about us. */
const GONE: Readonly<Record<number, readonly string[]>> = {
  400: ['BadDeviceToken', 'DeviceTokenNotForTopic'],
  410: ['Unregistered', 'ExpiredToken'],
}
const OURS = ['BadTopic', 'TopicDisallowed']

/** The reason of an answer; '' when it gives none. */
export function findApnsReason({ json }: PushServiceAnswer): string {
  const reason = isJsonObject(json) ? json['reason'] : undefined
  return typeof reason === 'string' && /^[A-Za-z]{1,60}$/.test(reason) ? reason : ''
}

/** Since when a device is gone, in milliseconds since 1970. */
function timestampIn({ json }: PushServiceAnswer): number | undefined {
  const timestamp = isJsonObject(json) ? json['timestamp'] : undefined
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : undefined
}

/** What a reply of APNs means for a push. A repetition replaces what came before: nothing is in doubt. */
export function classifyApnsReply(id: number, reply: PushReply, apnsId: string): ReplyVerdict {
  const judged: PushReplySubject = { id, mta: APNS_MTA }
  const reason = reply.kind === 'answered' ? findApnsReason(reply) : ''
  const said = toPushServiceError(reply, reason)
  const passing = classifyTransientReply(judged, reply, { said, isIdempotent: true })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? buildDeniedVerdict(judged, said)
  const { status } = reply
  if (status < 300) return buildAcceptedVerdict(judged, reply.header('apns-id') ?? apnsId, `${status} OK`)
  if (GONE[status]?.includes(reason)) return buildUnregisteredVerdict(judged, said, timestampIn(reply))
  // A path that is not known is a wrong address.
  if ([401, 403, 404].includes(status) || (status === 400 && OURS.includes(reason)))
    return buildDeniedVerdict(judged, said)
  return buildRefusedPayloadVerdict(judged, said, status)
}
