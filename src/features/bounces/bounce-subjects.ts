/** A subject of RFC 3463: its word, its details by third number, and those that are hard in class 5. */
interface BounceSubjectRow {
  type: string
  details: readonly string[]
  hard: readonly number[]
}

/** The subject of a refusal, in words. */
export interface BounceSubject {
  type: string
  detail?: { type: string }
}

/** Subjects by the second number of an enhanced status code (RFC 3463, 3; RFC 7505; RFC 7372; RFC 8601 and others). */
const bounceSubjects: Readonly<Record<number, BounceSubjectRow>> = {
  1: {
    type: 'address',
    details: [
      'other address status',
      'bad destination mailbox address',
      'bad destination system address',
      'bad destination mailbox address syntax',
      'destination mailbox address ambiguous',
      'destination address valid',
      'destination mailbox has moved, no forwarding address',
      "bad sender's mailbox address syntax",
      "bad sender's system address",
      'message relayed to non-compliant mailer',
      'recipient address has null mx',
    ],
    hard: [1, 2, 3, 6, 10],
  },
  2: {
    type: 'mailbox',
    details: [
      'other or undefined mailbox status',
      'mailbox disabled, not accepting messages',
      'mailbox full',
      'message length exceeds administrative limit',
      'mailing list expansion problem',
    ],
    hard: [1],
  },
  3: {
    type: 'mail system',
    details: [
      'other or undefined mail system status',
      'mail system full',
      'system not accepting network messages',
      'system not capable of selected features',
      'message too big for system',
      'system incorrectly configured',
      'requested priority was changed',
    ],
    hard: [],
  },
  4: {
    type: 'network and routing',
    details: [
      'other or undefined network or routing status',
      'no answer from host',
      'bad connection',
      'directory server failure',
      'unable to route',
      'mail system congestion',
      'routing loop detected',
      'delivery time expired',
    ],
    hard: [],
  },
  5: {
    type: 'mail delivery protocol',
    details: [
      'other or undefined protocol status',
      'invalid command',
      'syntax error',
      'too many recipients',
      'invalid command arguments',
      'wrong protocol version',
      'authentication exchange line is too long',
    ],
    hard: [],
  },
  6: {
    type: 'message content or media',
    details: [
      'other or undefined media error',
      'media not supported',
      'conversion required and prohibited',
      'conversion required but not supported',
      'conversion with loss performed',
      'conversion failed',
      'message content not available',
      'non-ascii addresses not permitted',
      'utf-8 string reply required',
      'utf-8 header message cannot be transferred',
    ],
    hard: [],
  },
  7: {
    type: 'security or policy',
    details: [
      'other or undefined security status',
      'delivery not authorized, message refused',
      'mailing list expansion prohibited',
      'security conversion required but not possible',
      'security features not supported',
      'cryptographic failure',
      'cryptographic algorithm not supported',
      'message integrity failure',
      'authentication credentials invalid',
      'authentication mechanism is too weak',
      'encryption needed',
      'encryption required for requested authentication mechanism',
      'a password transition is needed',
      'user account disabled',
      'trust relationship required',
      'priority level is too low',
      'message is too big for the specified priority',
      'mailbox owner has changed',
      'domain owner has changed',
      'rrvs test cannot be completed',
      'no passing dkim signature found',
      'no acceptable dkim signature found',
      'no valid author-matched dkim signature found',
      'spf validation failed',
      'spf validation error',
      'reverse dns validation failed',
      'multiple authentication checks failed',
      'sender address has null mx',
      'mail flood detected',
      'arc validation failure',
      'requiretls support required',
    ],
    hard: [13],
  },
}

/** Second and third number of an enhanced code as text, such as `1.10`. */
export type BounceSubjectCode = `${number}.${number}`

function resolveSubject(code: BounceSubjectCode): [row: BounceSubjectRow | undefined, detail: number] {
  const [subjectNumber, detailNumber] = code.split('.').map(Number)
  const row = bounceSubjects[subjectNumber ?? 0]
  // A number that is not listed takes the subject's 0.
  return [row, row && detailNumber !== undefined && detailNumber < row.details.length ? detailNumber : 0]
}

/** The words of a code; an unlisted subject is the undefined one, which has no detail. */
export function findBounceSubject(code: BounceSubjectCode): BounceSubject {
  const [row, detail] = resolveSubject(code)
  const type = row?.details[detail]
  return row && type !== undefined ? { type: row.type, detail: { type } } : { type: 'other or undefined status' }
}

/** Returns true if a class 5 refusal with this code means that the address does not exist, or is closed permanently. */
export function isHardBounceCode(code: BounceSubjectCode): boolean {
  const [row, detail] = resolveSubject(code)
  return row?.hard.includes(detail) === true
}

const addressFlags = new Map<string, 51 | 52>([
  ['bad destination system address', 51],
  ['recipient address has null mx', 51],
  ['bad destination mailbox address', 52],
  ['bad destination mailbox address syntax', 52],
  ['destination mailbox has moved, no forwarding address', 52],
  ['mailbox disabled, not accepting messages', 52],
  ['user account disabled', 52],
])

/** The flag of an address refused for good: domain (51), mailbox (52) or otherwise (53). */
export function toHardBounceCode({ detail }: BounceSubject): 51 | 52 | 53 {
  return addressFlags.get(detail?.type ?? '') ?? 53
}

const UNRELATED_TYPES = ['security or policy', 'message content or media', 'mail delivery protocol']

/** Returns true if a soft refusal counts against the address. Refusals caused by the message or the sender's behavior do not. */
export function isAddressRelatedBounce({ type }: BounceSubject): boolean {
  return !UNRELATED_TYPES.includes(type)
}
