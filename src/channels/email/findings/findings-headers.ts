import type { ReportedFlaw } from '../../../features/rendering/flaw-schemas.ts'
import type { RenderedProof } from '../../channel.ts'

/** What Gmail shows of a subject on a wide screen; telephones show half of it. */
const MAX_SUBJECT = 70
/** Fewer capital letters may be a name. */
const MIN_CAPITALS = 10
/** Gmail cuts HTML off there. */
const CLIPPED_BYTES = 102 * 1024

/** What headers and proofs are judged by. */
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
  /** The words of the finding; undefined when there is none. */
  object: (mail: MailHeaderCheckInput) => string | undefined
}

/** Letters that have a case, and are all capitals. */
function isShouted(subject: string): boolean {
  const capitals = subject.match(/\p{Lu}/gu)?.length ?? 0
  return capitals >= MIN_CAPITALS && !/\p{Ll}/u.test(subject)
}

function longestOf(lengths: readonly number[]): number {
  return lengths.reduce((longest, length) => Math.max(longest, length), 0)
}

const mailChecks: readonly MailCheck[] = [
  {
    type: 'no-one-click',
    part: 'List-Unsubscribe-Post',
    object({ purpose, trackingUrl, isSigned }) {
      if (purpose !== 'marketing') return undefined
      // RFC 8058, 3.1 and 4: an https address, in headers that a signature covers.
      if (!trackingUrl.startsWith('https://'))
        return `Unsubscribing with one click needs an https address; that of this message begins with ${trackingUrl}.`
      return isSigned ? undefined : 'Unsubscribing with one click needs a signature, and the message has none.'
    },
  },
  {
    type: 'link-insecure',
    part: 'html',
    object: ({ trackingUrl }) =>
      trackingUrl.startsWith('https://') ? undefined : `Tracked links lead through ${trackingUrl}, which is not https.`,
  },
  {
    type: 'subject-length',
    part: 'subject',
    object({ proofs }) {
      const longest = longestOf(proofs.map(({ subject }) => [...subject].length))
      return longest > MAX_SUBJECT
        ? `The subject has up to ${longest} characters; mail readers show some ${MAX_SUBJECT}.`
        : undefined
    },
  },
  {
    type: 'subject-capitals',
    part: 'subject',
    object: ({ proofs }) =>
      proofs.some(({ subject }) => isShouted(subject)) ? 'The subject is all capital letters.' : undefined,
  },
  {
    type: 'size',
    part: 'html',
    object({ proofs }) {
      const bytes = longestOf(proofs.map(({ htmlBytes }) => htmlBytes))
      return bytes > CLIPPED_BYTES
        ? `The HTML leaves with up to ${Math.ceil(bytes / 1024)} KB, links included; Gmail cuts off what is beyond 102 KB.`
        : undefined
    },
  },
]

/** What is to be said of a message's headers, and of its proofs as they were rendered: one finding a check. */
export function checkMailHeaders(mail: MailHeaderCheckInput): ReportedFlaw[] {
  return mailChecks.flatMap(({ type, part, object }) => {
    const message = object(mail)
    return message === undefined ? [] : [{ type, message, part, position: null }]
  })
}
