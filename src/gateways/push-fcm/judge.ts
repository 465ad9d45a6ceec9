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
export const FCM_MTA = 'firebase'

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[A-Z_]{1,60}$/.test(value)

function errorOf({ json }: PushServiceAnswer): Record<string, unknown> {
  return isJsonObject(json) && isJsonObject(json['error']) ? json['error'] : {}
}

function detailsOf(error: Record<string, unknown>): Record<string, unknown>[] {
  const { details } = error
  return Array.isArray(details) ? details.filter(isJsonObject) : []
}

/** The error as FCM itself names it, else the status of the interface, else ''. Texts are never read. */
export function findFcmErrorCode(answer: PushServiceAnswer): string {
  const error = errorOf(answer)
  const named = detailsOf(error).find(({ errorCode }) => isWord(errorCode))?.['errorCode'] ?? error['status']
  return isWord(named) ? named : ''
}

/** Whether an invalid argument is the token, and nothing else. */
function isAboutToken(answer: PushServiceAnswer): boolean {
  const fields = detailsOf(errorOf(answer))
    .flatMap(({ fieldViolations }) => (Array.isArray(fieldViolations) ? fieldViolations : []))
    .map((violation) => (isJsonObject(violation) ? violation['field'] : undefined))
  return fields.length > 0 && fields.every((field) => field === 'message.token')
}

function nameOf({ json }: PushServiceAnswer): string | undefined {
  const name = isJsonObject(json) ? json['name'] : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 500) : undefined
}

/** What a reply of FCM means for a push. */
export function classifyFcmReply(id: number, reply: PushReply): ReplyVerdict {
  const judged: PushReplySubject = { id, mta: FCM_MTA }
  const word = reply.kind === 'answered' ? findFcmErrorCode(reply) : ''
  const said = toPushServiceError(reply, word)
  const passing = classifyTransientReply(judged, reply, { said, isIdempotent: false })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? buildDeniedVerdict(judged, said)
  const { status } = reply
  if (status < 300) {
    const name = nameOf(reply)
    // A success that does not name the message is not FCM's: something between us answered.
    if (name === undefined)
      return { what: 'silent', reply: `${status} without a message`, code: said.code, retryAfter: undefined }
    return buildAcceptedVerdict(judged, name, `${status} OK`)
  }
  if (word === 'UNREGISTERED' && status === 404) return buildUnregisteredVerdict(judged, said)
  if (word === 'SENDER_ID_MISMATCH' && status === 403) return buildUnregisteredVerdict(judged, said)
  if (word === 'INVALID_ARGUMENT' && status === 400 && isAboutToken(reply))
    return buildUnregisteredVerdict(judged, said)
  // A 404 that is not about a device is about the project or the address.
  if ([401, 403, 404].includes(status)) return buildDeniedVerdict(judged, said)
  return buildRefusedPayloadVerdict(judged, said, status)
}
