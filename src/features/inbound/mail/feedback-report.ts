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
const COMPLAINER = /\b(?:abuse|fbl|feedback(?:loop)?|complaints?|scomp|staff|junk|spam)\b/i
const COMPLAINT =
  /\b(?:abuse|spam|junk(?: ?mail)?) (?:report|complaint|feedback)|complaint about (?:a )?message|e-?mail feedback report|reported (?:as|this (?:message|mail) as) (?:spam|junk|abuse)/i

/** Headers that name the recipient when the report hides the address. */
const RECIPIENT_HEADERS = ['x-hmxmroriginalrecipient', 'x-original-recipient', 'removal-recipient', 'x-rcpt-to']

/** The complaints of a mail, one a recipient it names, at least one; undefined when it is none. */
export function parseMailComplaints(mail: ParsedMimeMail): ParsedMailComplaint[] | undefined {
  const notice = parseJsonNotification(extractNotificationText(mail))
  if (notice && notice.complaints.length > 0) return notice.complaints.map((one) => ({ ...EMPTY_COMPLAINT, ...one }))
  const fields = reportFields(mail)
  const isInformal = fields === undefined && isInformalComplaint(mail)
  if (fields === undefined && !isInformal) return undefined
  return complaintsOf(fields ?? [], mail)
}

/** The fields of the report; undefined when there is none. */
function reportFields({ media, parts }: ParsedMimeMail): MailField[] | undefined {
  const own = parts.filter(({ isReturned }) => !isReturned)
  const report = own.find(({ media }) => media.type === 'message/feedback-report')
  if (report) return parseMailFields(decodeMailPartText(report).trim())
  // Some lost the type of the part in transit; the type of the whole, or the field itself, still identifies them.
  const isReport = media.parameters.get('report-type')?.toLowerCase() === 'feedback-report'
  const texts = own.filter(({ media }) => media.type === 'text/plain').map((part) => decodeMailPartText(part))
  const text = texts.find((text) => /^feedback-type:[ \t]*[a-z]/im.test(text))
  if (text !== undefined) return parseMailFields(text.slice(text.search(/^[\w-]+:[ \t]*\S/m)))
  return isReport ? [] : undefined
}

/** A complaint in no standard format: its text and its sender say so, and it returns the message. */
function isInformalComplaint({ fields, parts }: ParsedMimeMail): boolean {
  const returned = parts.filter(({ isReturned }) => isReturned)
  if (returned.length === 0) return false
  const heads = [fields, ...returned.map((part) => part.fields)]
  if (heads.some((some) => findMailField(some, 'x-hmxmroriginalrecipient') !== undefined)) return true
  const words = [
    decodeEncodedWords(findMailField(fields, 'subject') ?? ''),
    ...parts.filter((part) => !part.isReturned).map(partTextOf),
  ]
  return COMPLAINER.test(findMailField(fields, 'from') ?? '') && words.some((text) => COMPLAINT.test(text))
}

function partTextOf(part: ParsedMimeMail['parts'][number]): string {
  return part.media.type.startsWith('text/') ? decodeMailPartText(part).slice(0, 4000) : ''
}

function complaintsOf(fields: readonly MailField[], mail: ParsedMimeMail): ParsedMailComplaint[] {
  const one = (name: string): string | null => findMailField(fields, name) || null
  const common = {
    kind: 'complaint' as const,
    feedback: (one('feedback-type') ?? 'abuse').toLowerCase(),
    userAgent: one('user-agent'),
    version: one('version'),
    sourceIp: one('source-ip'),
    reportedDomain: one('reported-domain'),
    mailFrom: addressIn(one('original-mail-from')),
  }
  const named = listMailFields(fields, 'original-rcpt-to').flatMap((value) => addressIn(value) ?? [])
  const recipients = [...new Set(named.length > 0 ? named : otherRecipients(mail))].slice(0, MAX_RECIPIENTS)
  return recipients.length === 0
    ? [{ ...common, recipient: null }]
    : recipients.map((recipient) => ({ ...common, recipient }))
}

/** The recipient of the returned message: one address, as complaints are made by recipients themselves. */
function otherRecipients({ fields, parts }: ParsedMimeMail): string[] {
  const heads = [fields, ...parts.filter(({ isReturned }) => isReturned).map((part) => part.fields)]
  const named = RECIPIENT_HEADERS.flatMap((name) => heads.flatMap((head) => listMailFields(head, name)))
  const returned = heads.slice(1).flatMap((head) => listMailFields(head, 'to'))
  const addresses = [...named, ...returned].flatMap((value) => addressIn(value) ?? [])
  return addresses.slice(0, 1)
}

function addressIn(value: string | null): string | null {
  return findMailAddresses([value ?? ''])[0] ?? null
}
