import { listMailFields } from '../../../lib/text/mail/fields.ts'
import type { MailPart, ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'
import type { SmtpStage } from '../../events/bounces/bounce-rules.ts'
import {
  type BounceAnalysis,
  classifyBounce,
  detectSmtpReplyCode,
  detectSmtpStage,
} from '../../events/bounces/bounces.ts'
import { type DeliveryStatus, parseDeliveryStatus } from './delivery-status.ts'
import { isDelayWarning, isInformalBounce } from './informal-bounce.ts'
import { parseJsonNotification } from './json-notification.ts'
import {
  extractNotificationText,
  findMailAddresses,
  isDeliveryReport,
  type MailAddressHints,
  parseRecipientNotices,
  type RecipientNotice,
  splitReturnedMessage,
} from './notification.ts'

/** A message that did not reach a recipient. */
export interface MailBounce {
  kind: 'bounce'
  recipient: string | null
  /** The address it was sent to first, when the report names it. */
  original: string | null
  /** Still being tried: a warning, which has no effect. */
  isDelayed: boolean
  /** As received, on one line. */
  diagnostic: string
  /** The host that refused, else the one that reports; or ''. */
  mta: string
  analysis: BounceAnalysis
}

/** A mail that reports no failure: an automatic reply, a receipt, anything else. */
export interface NonBounceMail {
  kind: 'none'
  recipient: string | null
  /** Enhanced code, such as 2.1.5 of a requested report of success. */
  status: string | null
  diagnostic: string
}

const DIAGNOSTIC_LENGTH = 2000
/** A message goes to one address; lists and aliases behind it may add a few. */
const MAX_RECIPIENTS = 50

const NOTHING: NonBounceMail = { kind: 'none', recipient: null, status: null, diagnostic: '' }

/** What a mail reports of each recipient, in order: by its delivery report (RFC 3464), else by its text. */
export function parseMailBounces(mail: ParsedMimeMail): (MailBounce | NonBounceMail)[] {
  const text = extractNotificationText(mail)
  const { own, returned } = splitReturnedMessage(text)
  const statuses = deliveryStatuses(mail, text).slice(0, MAX_RECIPIENTS)
  const known = knownAddresses(mail, returned)
  if (statuses.length > 0) {
    const failed = statuses.flatMap(({ recipient, original }) =>
      [recipient, original].filter((address) => address !== null),
    )
    const notices = parseRecipientNotices(own, { failed: [...new Set(failed)], senders: new Set() })
    return statuses.map((status) => ofStatus(status, noticeFor(status, notices), known))
  }
  if (mail.parts.some(isReceipt) || !isInformalBounce({ fields: mail.fields, text: own })) return [NOTHING]
  const isDelayed = isDelayWarning({ fields: mail.fields, text: own })
  return parseRecipientNotices(own, known).map(({ recipient, texts, context }) => ({
    kind: 'bounce',
    recipient: recipient ?? returnedTo(mail, returned),
    original: null,
    isDelayed,
    diagnostic: shortened(texts[0] ?? context),
    mta: '',
    analysis: classify({ status: null, texts: [...texts, context], stage: null }, isDelayed),
  }))
}

/** A receipt (RFC 8098) reports that a mail was shown, or deleted unread: it was delivered. */
function isReceipt({ media, isReturned }: MailPart): boolean {
  return media.type === 'message/disposition-notification' && !isReturned
}

/** The recipients of the report; a forwarded report stands within the mail. */
function deliveryStatuses({ parts }: ParsedMimeMail, text: string): DeliveryStatus[] {
  const reports = parts.filter(isDeliveryReport)
  const own = reports.filter(({ isReturned }) => !isReturned)
  const found = (own.length > 0 ? own : reports).flatMap((part) => parseDeliveryStatus(decodeMailPartText(part)))
  if (found.length > 0) return found
  const notice = parseJsonNotification(text)
  if (notice) return notice.statuses
  // A report that lost its structure in transit is text, but still has its fields.
  const start = text.search(/^[ \t]*(?:reporting-mta|original-envelope-id|original-recipient|final-recipient):/im)
  if (start < 0 || !/^final-recipient:/im.test(text)) return []
  return parseDeliveryStatus(text.slice(start)).filter(({ recipient }) => recipient !== null)
}

/** The notice of the recipient of a status. */
function noticeFor(
  { recipient, original }: DeliveryStatus,
  notices: readonly RecipientNotice[],
): RecipientNotice | undefined {
  const of = (address: string | null): RecipientNotice | undefined =>
    notices.find((notice) => address !== null && notice.recipient?.toLowerCase() === address.toLowerCase())
  return of(recipient) ?? of(original) ?? (notices.length === 1 ? notices[0] : undefined)
}

/** Actions (RFC 3464, 2.3.3) that are no failure; programs use others that begin like these. */
const DELIVERED = /^(?:deliver(?:ed|able)|relayed|expanded)/

function ofStatus(
  report: DeliveryStatus,
  notice: RecipientNotice | undefined,
  { failed }: MailAddressHints,
): MailBounce | NonBounceMail {
  const { action, original, status, mta, stage } = report
  const recipient = report.recipient ?? (failed.length === 1 ? (failed[0] ?? null) : null)
  const { texts: noted, context } = notice ?? { texts: [], context: '' }
  const own = [report.diagnostic, ...noted].filter((text) => text !== '')
  const diagnostic = shortened(own[0] ?? context)
  // Without a text about the recipient, the status takes precedence over the text around it.
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
    analysis: classify({ status, texts, stage }, isDelayed),
  }
}

interface Evidence {
  status: string | null
  /** The texts, the most specific first: the next one is read when the one before says too little. */
  texts: readonly string[]
  stage: SmtpStage | null
}

/** Classifies by the first text that says enough. A delay is no failure, whatever the text. */
function classify({ status, texts, stage: known }: Evidence, isDelayed: boolean): BounceAnalysis {
  const [first = '', ...others] = texts.filter((text, n) => text !== '' || n === 0)
  const stage = known ?? [first, ...others].map(detectSmtpStage).find((found) => found !== null) ?? null
  let analysis = classifyBounce({ stage, reply: null, text: first, enhanced: status })
  for (const text of others) {
    if (!saysLittle(analysis)) break
    const read = analysis.enhanced.endsWith('.0.0') ? null : analysis.enhanced
    const next = classifyBounce({ stage, reply: analysis.reply, text, enhanced: status ?? read })
    if (!saysLittle(next) || analysis.rule === 'none') analysis = next
  }
  const reply = analysis.reply ?? others.map(detectSmtpReplyCode).find((found) => found !== null) ?? null
  if (!isDelayed) return { ...analysis, reply }
  return { ...analysis, reply, verdict: 'soft', enhanced: analysis.enhanced.replace(/^5\.0\.0$/, '4.0.0') }
}

/** Whether only a code without detail decided. */
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

function knownAddresses({ fields, parts }: ParsedMimeMail, returned: string): MailAddressHints {
  const heads = [fields, ...parts.filter(({ isReturned }) => isReturned).map((part) => part.fields)]
  const inHeads = heads.flatMap((head) => SENDER_FIELDS.flatMap((name) => listMailFields(head, name)))
  const inText = linesOf(returned, /^(?:from|return-path|reply-to|sender):/i)
  return {
    failed: findMailAddresses(listMailFields(fields, 'x-failed-recipients')),
    senders: new Set(
      findMailAddresses([...listMailFields(fields, 'to'), ...inHeads, ...inText]).map((address) =>
        address.toLowerCase(),
      ),
    ),
  }
}

/** The recipient of the returned message, when it had one. */
function returnedTo({ parts }: ParsedMimeMail, returned: string): string | null {
  const heads = parts.filter(({ isReturned }) => isReturned).flatMap(({ fields }) => listMailFields(fields, 'to'))
  const [address, another] = findMailAddresses([...heads, ...linesOf(returned, /^to:/i)])
  return another === undefined ? (address ?? null) : null
}

const HEAD_LINES = 200

function linesOf(text: string, pattern: RegExp): string[] {
  return text.split('\n', HEAD_LINES).filter((line) => pattern.test(line))
}
