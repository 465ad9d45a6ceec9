import type { ReplyVerdict } from '../requests/verdict.ts'
import {
  buildAcceptedVerdict,
  buildDeniedVerdict,
  buildRefusedPayloadVerdict,
  buildUnregisteredVerdict,
  classifyTransientReply,
  type PushReply,
  toPushServiceError,
} from './replies.ts'

/** A push by its row, by whom it was answered, and by what it is known when the answer gives no name. */
export interface AnsweredPush {
  id: number
  mta: string
  reference: string
}

/** What a reply of a push service of browsers (RFC 8030), or of a receiver over HTTP, means for a push. */
export function classifyPushStatus({ id, mta, reference }: AnsweredPush, reply: PushReply): ReplyVerdict {
  const judged = { id, mta }
  const said = toPushServiceError(reply, '')
  const passing = classifyTransientReply(judged, reply, { said, isIdempotent: false })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? buildDeniedVerdict(judged, said)
  const { status } = reply
  if (status < 300)
    return buildAcceptedVerdict(judged, (reply.header('location') ?? reference).slice(0, 500), said.reply)
  if (status === 404 || status === 410) return buildUnregisteredVerdict(judged, said)
  if (status === 401 || status === 403) return buildDeniedVerdict(judged, said)
  return buildRefusedPayloadVerdict(judged, said, status)
}
