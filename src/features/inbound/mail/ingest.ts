import { emailChannelTraits } from '../../../channels/email/facts.ts'
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
  const found = await findSendByStamp(db, account, stamp)
  if (!found) return unmatched(db, mail, 'unsubscribe')
  const { sourceKind, source, contact, kind } = found.send
  await unsubscribeContact(context, {
    message: { account, channel: emailChannelTraits.name, sourceKind, source, contact, kind, stamp },
    via: 'mailto',
    request: { time: mail.receivedAt, address: null, userAgent: null, visitor: null },
    addressDetail: 'none',
  })
  return 'unsubscribe'
}

interface Reported {
  mail: ReceivedMail
  reporting: ReportingMail
}

async function recordReports(
  context: MailIngestContext,
  address: Exclude<InboundAddress, { type: 'unsubscribe' }>,
  { mail, reporting }: Reported,
): Promise<MailIngestOutcome> {
  const { db } = context
  const recordable = reporting.reports.filter(isRecordable)
  const [first] = recordable
  // Mail to the address of one message is kept only if it reports something; people write to the others too.
  if (!first)
    return address.type === 'reports' && isUnknown(reporting.reports) ? unmatched(db, mail, 'other') : 'nothing'
  const found =
    address.type === 'bounce'
      ? await findSendByStamp(db, address.account, address.stamp)
      : ((await findReportedSend(db, parseIdentifyingHeaders(reporting.mail, context.tokens), context.publicHost)) ??
        (await findSendByAddress(context, first, { mail, domain: address.domain })))
  if (!found) return unmatched(db, mail, first.kind)
  await recordEvents(
    db,
    recordable.map((report) => eventOf(found, report, { mail, reporting })),
  )
  return first.kind
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
const NO_COMPLAINT = ['not-spam', 'auth-failure', 'dmarc']

/** Whether a report is recorded: failures that are final, and complaints. */
function isRecordable(report: MailRecipientReport): report is RecordableReport {
  if (report.kind === 'bounce') return !report.isDelayed
  return report.kind === 'complaint' && !NO_COMPLAINT.includes(report.feedback)
}

/** Whether a mail has none of the known forms. */
function isUnknown(reports: readonly MailRecipientReport[]): boolean {
  return reports.every((report) => report.kind === 'none' && report.recipient === null)
}

function eventOf(found: ActivatedSend, report: RecordableReport, { mail, reporting }: Reported): NewEvent {
  const time = mail.receivedAt
  if (report.kind === 'complaint') {
    return createComplaintEvent(found, { ...report, time, provider: mailAuthorDomain(reporting.mail) })
  }
  const { diagnostic, mta, analysis, recipient } = report
  const refusal = { time, diagnostic, mta, address: recipient ?? found.address, analysis }
  return createAsyncBounceEvent(found, refusal, isOfContact(found, report))
}

/**
 * Whether a bounce is of the address the message was sent to. A report may name another one, to which mail is forwarded;
 * but a message may have had copies, and then another address is not the contact's.
 */
function isOfContact(
  { send, address }: ActivatedSend,
  { recipient, original }: Extract<MailRecipientReport, { kind: 'bounce' }>,
): boolean {
  const named = [recipient, original].filter((one) => one !== null)
  return (
    named.length === 0 ||
    send.kind !== 'message' ||
    named.some((one) => toMailAddressKey(one) === toMailAddressKey(address))
  )
}

async function unmatched(
  db: Db,
  { id, receivedAt, raw }: ReceivedMail,
  kind: UnmatchedReport['kind'],
): Promise<MailIngestOutcome> {
  await storeUnmatchedReport(db, { id, receivedAt, route: 'mail', kind, content: raw })
  return 'unmatched'
}
