import { type Mail, readMail } from '../../../lib/text/mail/mime.ts'
import { type Bounce, type NoBounce, readBounces } from './bounce-mail.ts'
import { type Complaint, readComplaints } from './feedback-report.ts'

/** What a mail reports of one recipient. */
export type Report = Bounce | Complaint | NoBounce

/** A mail and its reports, one a recipient in the order it names them; at least one, which may be of kind `none`. */
export interface ReportingMail {
  mail: Mail
  reports: readonly Report[]
}

/** Reads a mail of any bytes, of which at most the first MiB counts. Never throws. */
export function readReports(raw: Buffer): ReportingMail {
  const mail = readMail(raw)
  return { mail, reports: readComplaints(mail) ?? readBounces(mail) }
}
