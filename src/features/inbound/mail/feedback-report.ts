import {
  decodeEncodedWords,
  findMailField,
  listMailFields,
  type MailField,
  parseMailFields,
} from '../../../lib/text/mail/fields.ts'
import type { ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'
import { parseJsonNotification } from './json-notification.ts'
import { extractNotificationText, findMailAddresses } from './notification.ts'

/** A complaint about a mail (RFC 5965). Members that are missing are null. */
export interface ParsedMailComplaint {
  kind: 'complaint'
  /** `abuse`, `fraud`, `opt-out`, `virus`, `not-spam`, `auth-failure`, `other`; in lower case. */
  feedback: string
  recipient: string | null
  userAgent: string | null
  version: string | null
  sourceIp: string | null
  reportedDomain: string | null
  mailFrom: string | null
}

const MAX_RECIPIENTS = 100

const EMPTY_COMPLAINT = {
  kind: 'complaint' as const,
  recipient: null,
  userAgent: null,
  version: null,
  sourceIp: null,
  reportedDomain: null,
  mailFrom: null,
}

/** Senders of complaints that are no reports of RFC 5965. */
const COMPLAINER_PATTERN = /\b(?:abuse|fbl|feedback(?:loop)?|complaints?|scomp|staff|junk|spam)\b/i
const COMPLAINT_PATTERN =
  /\b(?:abuse|spam|junk(?: ?mail)?) (?:report|complaint|feedback)|complaint about (?:a )?message|e-?mail feedback report|reported (?:as|this (?:message|mail) as) (?:spam|junk|abuse)/i

/** Headers that name the recipient when the report hides the address. */
const RECIPIENT_HEADERS = ['x-hmxmroriginalrecipient', 'x-original-recipient', 'removal-recipient', 'x-rcpt-to']

/** The complaints of a mail, one for each recipient it names, at least one. `undefined` if the mail is not a complaint. */
export function parseMailComplaints(mail: ParsedMimeMail): ParsedMailComplaint[] | undefined {
  const notice = parseJsonNotification(extractNotificationText(mail))
  if (notice && notice.complaints.length > 0)
    return notice.complaints.map((partialComplaint) => ({ ...EMPTY_COMPLAINT, ...partialComplaint }))
  const fields = findReportFields(mail)
  const isInformal = fields === undefined && isInformalComplaint(mail)
  if (fields === undefined && !isInformal) return undefined
  return buildComplaints(fields ?? [], mail)
}

/** The fields of the report. `undefined` if there is no report. */
function findReportFields({ media, parts }: ParsedMimeMail): MailField[] | undefined {
  const ownParts = parts.filter(({ isReturned }) => !isReturned)
  const report = ownParts.find(({ media }) => media.type === 'message/feedback-report')
  if (report) return parseMailFields(decodeMailPartText(report).trim())
  // Some lost the type of the part in transit; the type of the whole, or the field itself, still identifies them.
  const isReport = media.parameters.get('report-type')?.toLowerCase() === 'feedback-report'
  const texts = ownParts.filter(({ media }) => media.type === 'text/plain').map((part) => decodeMailPartText(part))
  const text = texts.find((text) => /^feedback-type:[ \t]*[a-z]/im.test(text))
  if (text !== undefined) return parseMailFields(text.slice(text.search(/^[\w-]+:[ \t]*\S/m)))
  return isReport ? [] : undefined
}

/** A complaint in no standard format: its text and its sender say so, and it returns the message. */
function isInformalComplaint({ fields, parts }: ParsedMimeMail): boolean {
  const returnedParts = parts.filter(({ isReturned }) => isReturned)
  if (returnedParts.length === 0) return false
  const headerGroups = [fields, ...returnedParts.map((part) => part.fields)]
  if (headerGroups.some((some) => findMailField(some, 'x-hmxmroriginalrecipient') !== undefined)) return true
  const searchedText = [
    decodeEncodedWords(findMailField(fields, 'subject') ?? ''),
    ...parts.filter((part) => !part.isReturned).map(decodePartText),
  ]
  return (
    COMPLAINER_PATTERN.test(findMailField(fields, 'from') ?? '') &&
    searchedText.some((text) => COMPLAINT_PATTERN.test(text))
  )
}

function decodePartText(part: ParsedMimeMail['parts'][number]): string {
  return part.media.type.startsWith('text/') ? decodeMailPartText(part).slice(0, 4000) : ''
}

function buildComplaints(fields: readonly MailField[], mail: ParsedMimeMail): ParsedMailComplaint[] {
  const readField = (name: string): string | null => findMailField(fields, name) || null
  const commonMembers = {
    kind: 'complaint' as const,
    feedback: (readField('feedback-type') ?? 'abuse').toLowerCase(),
    userAgent: readField('user-agent'),
    version: readField('version'),
    sourceIp: readField('source-ip'),
    reportedDomain: readField('reported-domain'),
    mailFrom: extractAddress(readField('original-mail-from')),
  }
  const namedRecipients = listMailFields(fields, 'original-rcpt-to').flatMap((value) => extractAddress(value) ?? [])
  const recipients = [...new Set(namedRecipients.length > 0 ? namedRecipients : findOtherRecipients(mail))].slice(
    0,
    MAX_RECIPIENTS,
  )
  return recipients.length === 0
    ? [{ ...commonMembers, recipient: null }]
    : recipients.map((recipient) => ({ ...commonMembers, recipient }))
}

/** The recipient of the returned message: one address, as complaints are made by recipients themselves. */
function findOtherRecipients({ fields, parts }: ParsedMimeMail): string[] {
  const headerGroups = [fields, ...parts.filter(({ isReturned }) => isReturned).map((part) => part.fields)]
  const headerRecipients = RECIPIENT_HEADERS.flatMap((name) =>
    headerGroups.flatMap((head) => listMailFields(head, name)),
  )
  const returnedRecipients = headerGroups.slice(1).flatMap((head) => listMailFields(head, 'to'))
  const addresses = [...headerRecipients, ...returnedRecipients].flatMap((value) => extractAddress(value) ?? [])
  return addresses.slice(0, 1)
}

function extractAddress(value: string | null): string | null {
  return findMailAddresses([value ?? ''])[0] ?? null
}
