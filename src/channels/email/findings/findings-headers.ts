import type { ReportedFlaw } from '../../../features/rendering/flaw-schemas.ts'
import type { RenderedProof } from '../../channel.ts'

/** Subject characters that Gmail shows on a wide screen; phones show half of them. */
const MAX_SUBJECT_LENGTH = 70
/** Fewer capital letters may be a name. */
const MIN_CAPITAL_LETTERS = 10
/** Gmail cuts HTML off there. */
const GMAIL_CLIP_BYTES = 102 * 1024

/** Input of the checks of headers and proofs. */
export interface MailHeaderCheckInput {
  purpose: 'marketing' | 'service'
  trackingUrl: string
  /** The From domain has keys. */
  isSigned: boolean
  proofs: readonly RenderedProof[]
}

/** One thing to hold against a message as it leaves. */
interface MailCheck {
  type: string
  part: string
  /** Returns the text of the finding; `undefined` if there is no finding. */
  object: (mail: MailHeaderCheckInput) => string | undefined
}

/** Letters that have a case, and are all capitals. */
function isAllCapitals(subject: string): boolean {
  const capitalCount = subject.match(/\p{Lu}/gu)?.length ?? 0
  return capitalCount >= MIN_CAPITAL_LETTERS && !/\p{Ll}/u.test(subject)
}

function findMaximum(lengths: readonly number[]): number {
  return lengths.reduce((longest, length) => Math.max(longest, length), 0)
}

const headerChecks: readonly MailCheck[] = [
  {
    type: 'no-one-click',
    part: 'List-Unsubscribe-Post',
    object({ purpose, trackingUrl, isSigned }) {
      if (purpose !== 'marketing') return undefined
      // RFC 8058, 3.1 and 4: an https address, in headers that a signature covers.
      if (!trackingUrl.startsWith('https://'))
        return `One-click unsubscribe requires an https address; that of this message starts with ${trackingUrl}.`
      return isSigned ? undefined : 'One-click unsubscribe requires a signature, and the message has none.'
    },
  },
  {
    type: 'link-insecure',
    part: 'html',
    object: ({ trackingUrl }) =>
      trackingUrl.startsWith('https://') ? undefined : `Tracked links go through ${trackingUrl}, which is not https.`,
  },
  {
    type: 'subject-length',
    part: 'subject',
    object({ proofs }) {
      const longestSubject = findMaximum(proofs.map(({ subject }) => [...subject].length))
      return longestSubject > MAX_SUBJECT_LENGTH
        ? `The subject has up to ${longestSubject} characters; mail clients show about ${MAX_SUBJECT_LENGTH}.`
        : undefined
    },
  },
  {
    type: 'subject-capitals',
    part: 'subject',
    object: ({ proofs }) =>
      proofs.some(({ subject }) => isAllCapitals(subject)) ? 'The subject is all capital letters.' : undefined,
  },
  {
    type: 'size',
    part: 'html',
    object({ proofs }) {
      const largestHtmlBytes = findMaximum(proofs.map(({ htmlBytes }) => htmlBytes))
      return largestHtmlBytes > GMAIL_CLIP_BYTES
        ? `The HTML has up to ${Math.ceil(largestHtmlBytes / 1024)} KB when it is sent, including tracked links; Gmail clips messages over 102 KB.`
        : undefined
    },
  },
]

/** Checks the headers of a message and its rendered proofs: one finding per check. */
export function checkMailHeaders(mail: MailHeaderCheckInput): ReportedFlaw[] {
  return headerChecks.flatMap(({ type, part, object }) => {
    const message = object(mail)
    return message === undefined ? [] : [{ type, message, part, position: null }]
  })
}
