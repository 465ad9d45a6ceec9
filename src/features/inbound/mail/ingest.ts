import { emailChannelTraits } from '../../../channels/email/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountTokenKeys, MasterKeys } from '../../../lib/crypto/tokens.ts'
import { MAX_MAIL_READ_BYTES } from '../../../lib/text/mail/mime.ts'
import { toMailAddressKey } from '../../../lib/text/mail-address.ts'
import { createAsyncBounceEvent, createComplaintEvent } from '../../events/delivery-reports/mail-reports.ts'
import type { ActivatedSend } from '../../events/record/activations.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { unsubscribeContact } from '../../tracking/pages/unsubscribe.ts'
import { findLatestSend, findReportedSend, findSendByStamp } from '../sends.ts'
import { storeUnmatchedReport, type UnmatchedReport } from '../unmatched-reports.ts'
import { isComplaintSender } from './complaint-senders.ts'
import { type TxtResolver, verifyDkimSigners } from './dkim.ts'
import { mailAuthorDomain, parseIdentifyingHeaders } from './identifying-headers.ts'
import type { InboundAddress } from './inbound-address.ts'
import { type MailRecipientReport, parseMailReports, type ReportingMail } from './reports.ts'

/** A received mail: its addresses, and its beginning. */
export interface ReceivedMail {
  id: string
  /** Milliseconds. */
  receivedAt: number
  addresses: readonly InboundAddress[]
  raw: Buffer
}

/** The result for one address of a mail. `nothing`: it reports nothing that is recorded. */
export type MailIngestOutcome = 'bounce' | 'complaint' | 'unsubscribe' | 'nothing' | 'unmatched'

export interface MailIngestContext {
  db: Db
  tokens: AccountTokenKeys
  masterKeys: MasterKeys
  /** Host of the public address: the domain of accounts that have none. */
  publicHost: string
  resolveTxt: TxtResolver
}

/**
 * Records what a mail reports, with its effects; returns the outcome for each address. The same mail again changes
 * nothing. Rejects when it cannot be stored.
 */
export async function ingestMail(context: MailIngestContext, mail: ReceivedMail): Promise<MailIngestOutcome[]> {
  const outcomes: MailIngestOutcome[] = []
  const reporting = mail.addresses.some(({ type }) => type !== 'unsubscribe') ? parseMailReports(mail.raw) : undefined
  // A hundred recipients at most, nearly always one; each is a transaction of its own.
  for (const address of mail.addresses) {
    if (address.type === 'unsubscribe') outcomes.push(await recordUnsubscription(context, address, mail))
    else if (reporting) outcomes.push(await recordReports(context, address, { mail, reporting }))
  }
  return outcomes
}

/** Whatever such a mail says, it unsubscribes: its address is known to the recipient of that message alone. */
async function recordUnsubscription(
  context: MailIngestContext,
  { account, stamp }: { account: number; stamp: string },
  mail: ReceivedMail,
): Promise<MailIngestOutcome> {
  const { db } = context
  const matchedSend = await findSendByStamp(db, account, stamp)
  if (!matchedSend) return storeUnmatchedMail(db, mail, 'unsubscribe')
  const { sourceKind, source, contact, kind } = matchedSend.send
  await unsubscribeContact(context, {
    message: { account, channel: emailChannelTraits.name, sourceKind, source, contact, kind, stamp },
    via: 'mailto',
    request: { time: mail.receivedAt, address: null, userAgent: null, visitor: null },
    addressDetail: 'none',
  })
  return 'unsubscribe'
}

interface ReportedMail {
  mail: ReceivedMail
  reporting: ReportingMail
}

async function recordReports(
  context: MailIngestContext,
  address: Exclude<InboundAddress, { type: 'unsubscribe' }>,
  { mail, reporting }: ReportedMail,
): Promise<MailIngestOutcome> {
  const { db } = context
  const recordable = reporting.reports.filter(isRecordable)
  const [firstReport] = recordable
  // Mail to the address of one message is kept only if it reports something; people write to the others too.
  if (!firstReport)
    return address.type === 'reports' && hasUnknownForm(reporting.reports)
      ? storeUnmatchedMail(db, mail, 'other')
      : 'nothing'
  const matchedSend =
    address.type === 'bounce'
      ? await findSendByStamp(db, address.account, address.stamp)
      : ((await findReportedSend(db, parseIdentifyingHeaders(reporting.mail, context.tokens), context.publicHost)) ??
        (await findSendByAddress(context, firstReport, { mail, domain: address.domain })))
  if (!matchedSend) return storeUnmatchedMail(db, mail, firstReport.kind)
  await recordEvents(
    db,
    recordable.map((report) => buildReportEvent(matchedSend, report, { mail, reporting })),
  )
  return firstReport.kind
}

/**
 * The send of a complaint that names an address and nothing else. It is accepted when a known operator of feedback loops
 * has signed it, which can be verified only for a mail that was read whole.
 */
async function findSendByAddress(
  { db, publicHost, resolveTxt }: MailIngestContext,
  report: RecordableReport,
  { mail, domain }: { mail: ReceivedMail; domain: string },
): Promise<ActivatedSend | undefined> {
  const { recipient: address } = report
  if (report.kind !== 'complaint' || address === null || mail.raw.length >= MAX_MAIL_READ_BYTES) return undefined
  const signers = await verifyDkimSigners(mail.raw, resolveTxt, mail.receivedAt)
  if (!signers.some(isComplaintSender)) return undefined
  return findLatestSend(db, { address, domain, publicHost, now: mail.receivedAt })
}

type RecordableReport = Exclude<MailRecipientReport, { kind: 'none' }>

/** Feedback that is no complaint: a mail moved out of the spam folder, or a failed authentication check. */
const NON_COMPLAINT_FEEDBACK = ['not-spam', 'auth-failure', 'dmarc']

/** True if a report is recorded: final failures and complaints. */
function isRecordable(report: MailRecipientReport): report is RecordableReport {
  if (report.kind === 'bounce') return !report.isDelayed
  return report.kind === 'complaint' && !NON_COMPLAINT_FEEDBACK.includes(report.feedback)
}

/** True if a mail matches none of the known forms. */
function hasUnknownForm(reports: readonly MailRecipientReport[]): boolean {
  return reports.every((report) => report.kind === 'none' && report.recipient === null)
}

function buildReportEvent(
  matchedSend: ActivatedSend,
  report: RecordableReport,
  { mail, reporting }: ReportedMail,
): NewEvent {
  const time = mail.receivedAt
  if (report.kind === 'complaint') {
    return createComplaintEvent(matchedSend, { ...report, time, provider: mailAuthorDomain(reporting.mail) })
  }
  const { diagnostic, mta, analysis, recipient } = report
  const refusalDetails = { time, diagnostic, mta, address: recipient ?? matchedSend.address, analysis }
  return createAsyncBounceEvent(matchedSend, refusalDetails, isBounceOfContact(matchedSend, report))
}

/**
 * True if a bounce is of the address the message was sent to. A report may name another address, to which mail is forwarded. But a message
 * may have had copies, and then another address is not the contact's.
 */
function isBounceOfContact(
  { send, address }: ActivatedSend,
  { recipient, original }: Extract<MailRecipientReport, { kind: 'bounce' }>,
): boolean {
  const namedAddresses = [recipient, original].filter((namedAddress) => namedAddress !== null)
  return (
    namedAddresses.length === 0 ||
    send.kind !== 'message' ||
    namedAddresses.some((namedAddress) => toMailAddressKey(namedAddress) === toMailAddressKey(address))
  )
}

async function storeUnmatchedMail(
  db: Db,
  { id, receivedAt, raw }: ReceivedMail,
  kind: UnmatchedReport['kind'],
): Promise<MailIngestOutcome> {
  await storeUnmatchedReport(db, { id, receivedAt, route: 'mail', kind, content: raw })
  return 'unmatched'
}
