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
export const MTA = 'firebase'

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[A-Z_]{1,60}$/.test(value)

function errorOf({ json }: Answered): Record<string, unknown> {
  return isObject(json) && isObject(json['error']) ? json['error'] : {}
}

function detailsOf(error: Record<string, unknown>): Record<string, unknown>[] {
  const { details } = error
  return Array.isArray(details) ? details.filter(isObject) : []
}

/** The error as FCM itself names it, else the status of the interface, else ''. Texts are never read. */
export function wordOf(answer: Answered): string {
  const error = errorOf(answer)
  const named = detailsOf(error).find(({ errorCode }) => isWord(errorCode))?.['errorCode'] ?? error['status']
  return isWord(named) ? named : ''
}

/** Whether an invalid argument is the token, and nothing else. */
function isAboutToken(answer: Answered): boolean {
  const fields = detailsOf(errorOf(answer))
    .flatMap(({ fieldViolations }) => (Array.isArray(fieldViolations) ? fieldViolations : []))
    .map((violation) => (isObject(violation) ? violation['field'] : undefined))
  return fields.length > 0 && fields.every((field) => field === 'message.token')
}

function nameOf({ json }: Answered): string | undefined {
  const name = isObject(json) ? json['name'] : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 500) : undefined
}

/** What a reply of FCM means for a push. */
export function judgeFcm(id: number, reply: PushReply): Verdict {
  const judged: Judged = { id, mta: MTA }
  const word = reply.kind === 'answered' ? wordOf(reply) : ''
  const said = saidBy(reply, word)
  const passing = judgePassing(judged, reply, { said, isIdempotent: false })
  if (passing !== undefined || reply.kind !== 'answered') return passing ?? denied(judged, said)
  const { status } = reply
  if (status < 300) {
    const name = nameOf(reply)
    // A success that does not name the message is not FCM's: something between us answered.
    if (name === undefined)
      return { what: 'silent', reply: `${status} without a message`, code: said.code, retryAfter: undefined }
    return acceptedAs(judged, name, `${status} OK`)
  }
  if (word === 'UNREGISTERED' && status === 404) return goneDevice(judged, said)
  if (word === 'SENDER_ID_MISMATCH' && status === 403) return goneDevice(judged, said)
  if (word === 'INVALID_ARGUMENT' && status === 400 && isAboutToken(reply)) return goneDevice(judged, said)
  // A 404 that is not about a device is about the project or the address.
  if ([401, 403, 404].includes(status)) return denied(judged, said)
  return refusedPayload(judged, said, status)
}
