import { listMailFields } from '../../../lib/text/mail/fields.ts'
import type { MailPart, ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'
import type { SmtpStage } from '../../bounces/bounce-rules.ts'
import {
  type BounceAnalysis,
  classifyBounce,
  detectSmtpReplyCode,
  detectSmtpStage,
} from '../../bounces/classify-mail-bounce.ts'
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

const MAX_DIAGNOSTIC_LENGTH = 2000
/** A message goes to one address; lists and aliases behind it may add a few. */
const MAX_RECIPIENTS = 50

const NO_BOUNCE: NonBounceMail = { kind: 'none', recipient: null, status: null, diagnostic: '' }

/** Reports of a mail on each recipient, in order: from its delivery report (RFC 3464), else from its text. */
export function parseMailBounces(mail: ParsedMimeMail): (MailBounce | NonBounceMail)[] {
  const text = extractNotificationText(mail)
  const { own: reportText, returned } = splitReturnedMessage(text)
  const statuses = parseDeliveryStatuses(mail, text).slice(0, MAX_RECIPIENTS)
  const senderAddresses = listSenderAddresses(mail, returned)
  if (statuses.length > 0) {
    const failedAddresses = statuses.flatMap(({ recipient, original }) =>
      [recipient, original].filter((address) => address !== null),
    )
    const notices = parseRecipientNotices(reportText, { failed: [...new Set(failedAddresses)], senders: new Set() })
    return statuses.map((status) => toBounce(status, findRecipientNotice(status, notices), senderAddresses))
  }
  if (mail.parts.some(isReceipt) || !isInformalBounce({ fields: mail.fields, text: reportText })) return [NO_BOUNCE]
  const isDelayed = isDelayWarning({ fields: mail.fields, text: reportText })
  return parseRecipientNotices(reportText, senderAddresses).map(({ recipient, texts, context }) => ({
    kind: 'bounce',
    recipient: recipient ?? findReturnedRecipient(mail, returned),
    original: null,
    isDelayed,
    diagnostic: truncateDiagnostic(texts[0] ?? context),
    mta: '',
    analysis: classifyEvidence({ status: null, texts: [...texts, context], stage: null }, isDelayed),
  }))
}

/** A receipt (RFC 8098) reports that a mail was shown, or deleted unread: it was delivered. */
function isReceipt({ media, isReturned }: MailPart): boolean {
  return media.type === 'message/disposition-notification' && !isReturned
}

/** The recipients of the report; a forwarded report stands within the mail. */
function parseDeliveryStatuses({ parts }: ParsedMimeMail, text: string): DeliveryStatus[] {
  const reportParts = parts.filter(isDeliveryReport)
  const ownReports = reportParts.filter(({ isReturned }) => !isReturned)
  const foundStatuses = (ownReports.length > 0 ? ownReports : reportParts).flatMap((part) =>
    parseDeliveryStatus(decodeMailPartText(part)),
  )
  if (foundStatuses.length > 0) return foundStatuses
  const matchingNotice = parseJsonNotification(text)
  if (matchingNotice) return matchingNotice.statuses
  // A report that lost its structure in transit is text, but still has its fields.
  const reportStart = text.search(/^[ \t]*(?:reporting-mta|original-envelope-id|original-recipient|final-recipient):/im)
  if (reportStart < 0 || !/^final-recipient:/im.test(text)) return []
  return parseDeliveryStatus(text.slice(reportStart)).filter(({ recipient }) => recipient !== null)
}

/** The notice of the recipient of a status. */
function findRecipientNotice(
  { recipient, original }: DeliveryStatus,
  notices: readonly RecipientNotice[],
): RecipientNotice | undefined {
  const findByAddress = (address: string | null): RecipientNotice | undefined =>
    notices.find((notice) => address !== null && notice.recipient?.toLowerCase() === address.toLowerCase())
  return findByAddress(recipient) ?? findByAddress(original) ?? (notices.length === 1 ? notices[0] : undefined)
}

/** Actions (RFC 3464, 2.3.3) that are no failure; programs use others that begin like these. */
const DELIVERED_ACTION = /^(?:deliver(?:ed|able)|relayed|expanded)/

function toBounce(
  report: DeliveryStatus,
  notice: RecipientNotice | undefined,
  { failed }: MailAddressHints,
): MailBounce | NonBounceMail {
  const { action, original, status, mta, stage } = report
  const recipient = report.recipient ?? (failed.length === 1 ? (failed[0] ?? null) : null)
  const { texts: noticeTexts, context } = notice ?? { texts: [], context: '' }
  const ownTexts = [report.diagnostic, ...noticeTexts].filter((text) => text !== '')
  const diagnostic = truncateDiagnostic(ownTexts[0] ?? context)
  // Without a text about the recipient, the status takes precedence over the text around it.
  const texts = [...(ownTexts.length > 0 ? ownTexts : ['']), context]
  if (DELIVERED_ACTION.test(action) || (action === '' && status?.startsWith('2')))
    return { kind: 'none', recipient, status, diagnostic }
  const isDelayed = action === 'delayed'
  return {
    kind: 'bounce',
    recipient,
    original,
    isDelayed,
    diagnostic,
    mta,
    analysis: classifyEvidence({ status, texts, stage }, isDelayed),
  }
}

interface BounceEvidence {
  status: string | null
  /** The texts, the most specific first: the next one is read when the one before says too little. */
  texts: readonly string[]
  stage: SmtpStage | null
}

/** Classifies by the first text that says enough. A delay is no failure, whatever the text. */
function classifyEvidence({ status, texts, stage: knownStage }: BounceEvidence, isDelayed: boolean): BounceAnalysis {
  const [firstText = '', ...otherTexts] = texts.filter((text, n) => text !== '' || n === 0)
  const stage = knownStage ?? [firstText, ...otherTexts].map(detectSmtpStage).find((result) => result !== null) ?? null
  let analysis = classifyBounce({ stage, reply: null, text: firstText, enhanced: status })
  for (const text of otherTexts) {
    if (!isVagueRule(analysis)) break
    const enhancedCode = analysis.enhanced.endsWith('.0.0') ? null : analysis.enhanced
    const nextAnalysis = classifyBounce({ stage, reply: analysis.reply, text, enhanced: status ?? enhancedCode })
    if (!isVagueRule(nextAnalysis) || analysis.rule === 'none') analysis = nextAnalysis
  }
  const reply = analysis.reply ?? otherTexts.map(detectSmtpReplyCode).find((result) => result !== null) ?? null
  if (!isDelayed) return { ...analysis, reply }
  return { ...analysis, reply, verdict: 'soft', enhanced: analysis.enhanced.replace(/^5\.0\.0$/, '4.0.0') }
}

/** True if only a code without detail decided. */
function isVagueRule({ rule }: BounceAnalysis): boolean {
  return rule === 'none' || rule.startsWith('reply-') || /^code-\d+\.0$/.test(rule)
}

function truncateDiagnostic(text: string): string {
  return text
    .slice(0, 2 * MAX_DIAGNOSTIC_LENGTH)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_DIAGNOSTIC_LENGTH)
}

const SENDER_FIELDS = ['from', 'return-path', 'reply-to', 'sender', 'errors-to']

function listSenderAddresses({ fields, parts }: ParsedMimeMail, returned: string): MailAddressHints {
  const headers = [fields, ...parts.filter(({ isReturned }) => isReturned).map((part) => part.fields)]
  const headerAddresses = headers.flatMap((head) => SENDER_FIELDS.flatMap((name) => listMailFields(head, name)))
  const textAddresses = findLines(returned, /^(?:from|return-path|reply-to|sender):/i)
  return {
    failed: findMailAddresses(listMailFields(fields, 'x-failed-recipients')),
    senders: new Set(
      findMailAddresses([...listMailFields(fields, 'to'), ...headerAddresses, ...textAddresses]).map((address) =>
        address.toLowerCase(),
      ),
    ),
  }
}

/** The recipient of the returned message, when it had one. */
function findReturnedRecipient({ parts }: ParsedMimeMail, returned: string): string | null {
  const headers = parts.filter(({ isReturned }) => isReturned).flatMap(({ fields }) => listMailFields(fields, 'to'))
  const [address, secondAddress] = findMailAddresses([...headers, ...findLines(returned, /^to:/i)])
  return secondAddress === undefined ? (address ?? null) : null
}

const MAX_HEADER_LINES = 200

function findLines(text: string, pattern: RegExp): string[] {
  return text.split('\n', MAX_HEADER_LINES).filter((line) => pattern.test(line))
}
