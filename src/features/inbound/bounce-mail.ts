import type { SmtpStage } from '../events/bounce-rules.ts'
import { type BounceAnalysis, classifyBounce, replyIn, stageIn } from '../events/bounces.ts'
import { isWarning, tellsOfFailure } from './automatic.ts'
import { type DeliveryStatus, readDeliveryStatus } from './delivery-status.ts'
import { fieldsOf } from './fields.ts'
import { readJsonNotice } from './json-notice.ts'
import type { Mail, Part } from './mime.ts'
import {
  addressesIn,
  dividedReturn,
  isDeliveryReport,
  type Known,
  type Notice,
  notificationText,
  readNotices,
} from './notification.ts'
import { partText } from './part-text.ts'

/** A message that did not reach a recipient. */
export interface Bounce {
  kind: 'bounce'
  recipient: string | null
  /** The address it was sent to first, when the report tells. */
  original: string | null
  /** Still being tried: a warning, of which nothing follows. */
  isDelayed: boolean
  /** As received, of one line. */
  diagnostic: string
  /** The host that refused, else the one that reports; or ''. */
  mta: string
  analysis: BounceAnalysis
}

/** What tells of no failure: an answer of a program, a receipt, anything else. */
export interface NoBounce {
  kind: 'none'
  recipient: string | null
  /** Enhanced code, such as 2.1.5 of a delivery that was asked to be reported. */
  status: string | null
  diagnostic: string
}

const DIAGNOSTIC_LENGTH = 2000
/** A message goes to one address; lists and aliases behind it may add a few. */
const MOST_RECIPIENTS = 50

const NOTHING: NoBounce = { kind: 'none', recipient: null, status: null, diagnostic: '' }

/** What a mail says of each recipient, in order: by its delivery report (RFC 3464), else by its words. */
export function readBounces(mail: Mail): (Bounce | NoBounce)[] {
  const text = notificationText(mail)
  const { said, given } = dividedReturn(text)
  const statuses = deliveryStatuses(mail, text).slice(0, MOST_RECIPIENTS)
  const known = knownAddresses(mail, given)
  if (statuses.length > 0) {
    const failed = statuses.flatMap(({ recipient, original }) =>
      [recipient, original].filter((address) => address !== null),
    )
    const notices = readNotices(said, { failed: [...new Set(failed)], senders: new Set() })
    return statuses.map((status) => ofStatus(status, noticeFor(status, notices), known))
  }
  if (mail.parts.some(isReceipt) || !tellsOfFailure({ fields: mail.fields, said })) return [NOTHING]
  const isDelayed = isWarning({ fields: mail.fields, said })
  return readNotices(said, known).map(({ recipient, texts, context }) => ({
    kind: 'bounce',
    recipient: recipient ?? returnedTo(mail, given),
    original: null,
    isDelayed,
    diagnostic: shortened(texts[0] ?? context),
    mta: '',
    analysis: judged({ status: null, texts: [...texts, context], stage: null }, isDelayed),
  }))
}

/** A receipt (RFC 8098) tells that a mail was shown, or deleted unread: it was delivered. */
function isReceipt({ media, isReturned }: Part): boolean {
  return media.type === 'message/disposition-notification' && !isReturned
}

/** The recipients of the report; one that was itself sent on stands within the mail that came. */
function deliveryStatuses({ parts }: Mail, text: string): DeliveryStatus[] {
  const reports = parts.filter(isDeliveryReport)
  const own = reports.filter(({ isReturned }) => !isReturned)
  const found = (own.length > 0 ? own : reports).flatMap((part) => readDeliveryStatus(partText(part)))
  if (found.length > 0) return found
  const notice = readJsonNotice(text)
  if (notice) return notice.statuses
  // A report that lost its structure on the way is text, but its fields are there.
  const start = text.search(/^[ \t]*(?:reporting-mta|original-envelope-id|original-recipient|final-recipient):/im)
  if (start < 0 || !/^final-recipient:/im.test(text)) return []
  return readDeliveryStatus(text.slice(start)).filter(({ recipient }) => recipient !== null)
}

/** What the text says of the recipient of a status. */
function noticeFor({ recipient, original }: DeliveryStatus, notices: readonly Notice[]): Notice | undefined {
  const of = (address: string | null): Notice | undefined =>
    notices.find((notice) => address !== null && notice.recipient?.toLowerCase() === address.toLowerCase())
  return of(recipient) ?? of(original) ?? (notices.length === 1 ? notices[0] : undefined)
}

/** Words of an action (RFC 3464, 2.3.3) that tell of no failure; programs have made up others that end like these. */
const DELIVERED = /^(?:deliver(?:ed|able)|relayed|expanded)/

function ofStatus(report: DeliveryStatus, notice: Notice | undefined, { failed }: Known): Bounce | NoBounce {
  const { action, original, status, mta, stage } = report
  const recipient = report.recipient ?? (failed.length === 1 ? (failed[0] ?? null) : null)
  const { texts: noted, context } = notice ?? { texts: [], context: '' }
  const own = [report.diagnostic, ...noted].filter((text) => text !== '')
  const diagnostic = shortened(own[0] ?? context)
  // Where nothing is said of the recipient, the status goes before what is said around it.
  const texts = [...(own.length > 0 ? own : ['']), context]
  if (DELIVERED.test(action) || (action === '' && status?.startsWith('2')))
    return { kind: 'none', recipient, status, diagnostic }
  const isDelayed = action === 'delayed'
  return {
    kind: 'bounce',
    recipient,
    original,
    isDelayed,
    diagnostic,
    mta,
    analysis: judged({ status, texts, stage }, isDelayed),
  }
}

interface Evidence {
  status: string | null
  /** What is said, the surest first: the next one counts when the one before says too little. */
  texts: readonly string[]
  stage: SmtpStage | null
}

/** Judges by the first text that says enough. What is only late is no failure, whatever the words. */
function judged({ status, texts, stage: known }: Evidence, isDelayed: boolean): BounceAnalysis {
  const [first = '', ...others] = texts.filter((text, n) => text !== '' || n === 0)
  const stage = known ?? [first, ...others].map(stageIn).find((found) => found !== null) ?? null
  let analysis = classifyBounce({ stage, reply: null, text: first, enhanced: status })
  for (const text of others) {
    if (!saysLittle(analysis)) break
    const read = analysis.enhanced.endsWith('.0.0') ? null : analysis.enhanced
    const next = classifyBounce({ stage, reply: analysis.reply, text, enhanced: status ?? read })
    if (!saysLittle(next) || analysis.rule === 'none') analysis = next
  }
  const reply = analysis.reply ?? others.map(replyIn).find((found) => found !== null) ?? null
  if (!isDelayed) return { ...analysis, reply }
  return { ...analysis, reply, verdict: 'soft', enhanced: analysis.enhanced.replace(/^5\.0\.0$/, '4.0.0') }
}

/** Whether nothing but a code decided that names no detail. */
function saysLittle({ rule }: BounceAnalysis): boolean {
  return rule === 'none' || rule.startsWith('reply-') || /^code-\d+\.0$/.test(rule)
}

function shortened(text: string): string {
  return text
    .slice(0, 2 * DIAGNOSTIC_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, DIAGNOSTIC_LENGTH)
}

const SENDER_FIELDS = ['from', 'return-path', 'reply-to', 'sender', 'errors-to']

function knownAddresses({ fields, parts }: Mail, given: string): Known {
  const heads = [fields, ...parts.filter(({ isReturned }) => isReturned).map((part) => part.fields)]
  const told = heads.flatMap((head) => SENDER_FIELDS.flatMap((name) => fieldsOf(head, name)))
  const inText = linesOf(given, /^(?:from|return-path|reply-to|sender):/i)
  return {
    failed: addressesIn(fieldsOf(fields, 'x-failed-recipients')),
    senders: new Set(
      addressesIn([...fieldsOf(fields, 'to'), ...told, ...inText]).map((address) => address.toLowerCase()),
    ),
  }
}

/** Whom the mail that came back was for, when that was one. */
function returnedTo({ parts }: Mail, given: string): string | null {
  const heads = parts.filter(({ isReturned }) => isReturned).flatMap(({ fields }) => fieldsOf(fields, 'to'))
  const [address, another] = addressesIn([...heads, ...linesOf(given, /^to:/i)])
  return another === undefined ? (address ?? null) : null
}

const HEAD_LINES = 200

function linesOf(text: string, pattern: RegExp): string[] {
  return text.split('\n', HEAD_LINES).filter((line) => pattern.test(line))
}
