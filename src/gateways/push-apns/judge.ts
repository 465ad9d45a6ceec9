import { isObject } from '../../lib/objects.ts'
import {
  type Answered,
  acceptedAs,
  denied,
  goneDevice,
  type Judged,
  judgePassing,
  type PushReply,
  refusedPayload,
  saidBy,
} from '../push/replies.ts'
import type { Verdict } from '../requests/verdict.ts'

/** What the far side is called in events: as the provider of an application. */
export const MTA = 'apns'

/** Reasons of a 410 and of a 400 that are about the device, and of a 400 that are about us. */
const GONE: Readonly<Record<number, readonly string[]>> = {
  400: ['BadDeviceToken', 'DeviceTokenNotForTopic'],
  410: ['Unregistered', 'ExpiredToken'],
}
const OURS = ['BadTopic', 'TopicDisallowed']

/** The reason of an answer; '' when it gives none. */
export function reasonIn({ json }: Answered): string {
  const reason = isObject(json) ? json['reason'] : undefined
  return typeof reason === 'string' && /^[A-Za-z]{1,60}$/.test(reason) ? reason : ''
}

/** Since when a device is gone, in milliseconds since 1970. */
function timestampIn({ json }: Answered): number | undefined {
  const timestamp = isObject(json) ? json['timestamp'] : undefined
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : undefined
}

/** What a reply of APNs means for a push. A repetition replaces what came before: nothing is in doubt. */
export function judgeApns(id: number, reply: PushReply, apnsId: string): Verdict {
  const judged: Judged = { id, mta: MTA }
  const reason = reply.kind === 'answered' ? reasonIn(reply) : ''
  const said = saidBy(reply, reason)
  const passing = judgePassing(judged, reply, { said, isIdempotent: true })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? denied(judged, said)
  const { status } = reply
  if (status < 300) return acceptedAs(judged, reply.header('apns-id') ?? apnsId, `${status} OK`)
  if (GONE[status]?.includes(reason)) return goneDevice(judged, said, timestampIn(reply))
  // A path that is not known is a wrong address.
  if ([401, 403, 404].includes(status) || (status === 400 && OURS.includes(reason))) return denied(judged, said)
  return refusedPayload(judged, said, status)
}
