import type { Verdict } from '../requests/verdict.ts'
import { acceptedAs, denied, goneDevice, judgePassing, type PushReply, refusedPayload, saidBy } from './replies.ts'

/** A push by its row, by whom it was answered, and by what it is known when the answer gives no name. */
export interface JudgedPush {
  id: number
  mta: string
  reference: string
}

/** What a reply of a push service of browsers (RFC 8030), or of a receiver over HTTP, means for a push. */
export function judgeByStatus({ id, mta, reference }: JudgedPush, reply: PushReply): Verdict {
  const judged = { id, mta }
  const said = saidBy(reply, '')
  const passing = judgePassing(judged, reply, { said, isIdempotent: false })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? denied(judged, said)
  const { status } = reply
  if (status < 300) return acceptedAs(judged, (reply.header('location') ?? reference).slice(0, 500), said.reply)
  if (status === 404 || status === 410) return goneDevice(judged, said)
  if (status === 401 || status === 403) return denied(judged, said)
  return refusedPayload(judged, said, status)
}
