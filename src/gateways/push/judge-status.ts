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

/** Classifies a reply of a browser push service (RFC 8030), or of an HTTP receiver, to a push. */
export function classifyPushStatus({ id, mta, reference }: AnsweredPush, reply: PushReply): ReplyVerdict {
  const replySubject = { id, mta }
  const serviceError = toPushServiceError(reply, '')
  const transientVerdict = classifyTransientReply(replySubject, reply, { said: serviceError, isIdempotent: false })
  if (transientVerdict !== undefined || reply.kind !== 'answered')
    return transientVerdict ?? buildDeniedVerdict(replySubject, serviceError)
  const { status } = reply
  if (status < 300)
    return buildAcceptedVerdict(replySubject, (reply.header('location') ?? reference).slice(0, 500), serviceError.reply)
  if (status === 404 || status === 410) return buildUnregisteredVerdict(replySubject, serviceError)
  if (status === 401 || status === 403) return buildDeniedVerdict(replySubject, serviceError)
  return buildRefusedPayloadVerdict(replySubject, serviceError, status)
}
