import { type ParsedMimeMail, parseMimeMail } from '../../../lib/text/mail/mime.ts'
import { type MailBounce, type NonBounceMail, parseMailBounces } from './bounce-mail.ts'
import { type ParsedMailComplaint, parseMailComplaints } from './feedback-report.ts'

/** The report of a mail on one recipient. */
export type MailRecipientReport = MailBounce | ParsedMailComplaint | NonBounceMail

/** A mail and its reports, one a recipient in the order it names them; at least one, which may be of kind `none`. */
export interface ReportingMail {
  mail: ParsedMimeMail
  reports: readonly MailRecipientReport[]
}

/** Reads a mail of any bytes, of which at most the first MiB counts. Never throws. */
export function parseMailReports(raw: Buffer): ReportingMail {
  const parsedMail = parseMimeMail(raw)
  return { mail: parsedMail, reports: parseMailComplaints(parsedMail) ?? parseMailBounces(parsedMail) }
}
