import { email } from '../../../channels/email/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { MasterKeys, TokenKeys } from '../../../lib/crypto/tokens.ts'
import { READ_BYTES } from '../../../lib/text/mail/mime.ts'
import { addressKey } from '../../../lib/text/mail-address.ts'
import { asyncBounce, complaint } from '../../events/delivery-reports/mail-reports.ts'
import type { Activated } from '../../events/record/activations.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { unsubscribe } from '../../tracking/pages/unsubscribe.ts'
import { findLatestSend, findReportedSend, findSend } from '../sends.ts'
import { keepUnmatched, type UnmatchedReport } from '../unmatched-reports.ts'
import { isComplaintSender } from './complaint-senders.ts'
import { type ResolveTxt, signingDomains } from './dkim.ts'
import { readIdentifyingHeaders, senderDomain } from './identifying-headers.ts'
import type { InboundAddress } from './inbound-address.ts'
import { type Report, type ReportingMail, readReports } from './reports.ts'

/** A received mail: its addresses, and its beginning. */
export interface ReceivedMail {
  id: string
  /** Milliseconds. */
  receivedAt: number
  addresses: readonly InboundAddress[]
  raw: Buffer
}

/** The result for one address of a mail. `nothing`: it reports nothing that is recorded. */
export type IngestOutcome = 'bounce' | 'complaint' | 'unsubscribe' | 'nothing' | 'unmatched'

export interface IngestContext {
  db: Db
  tokens: TokenKeys
  masterKeys: MasterKeys
  /** Host of the public address: the domain of accounts that have none. */
  publicHost: string
  resolveTxt: ResolveTxt
}

/**
 * Records what a mail reports, with its effects; returns the outcome for each address. The same mail again changes
 * nothing. Rejects when it cannot be stored.
 */
export async function ingest(context: IngestContext, mail: ReceivedMail): Promise<IngestOutcome[]> {
  const outcomes: IngestOutcome[] = []
  const reporting = mail.addresses.some(({ type }) => type !== 'unsubscribe') ? readReports(mail.raw) : undefined
  // A hundred recipients at most, nearly always one; each is a transaction of its own.
  for (const address of mail.addresses) {
    if (address.type === 'unsubscribe') outcomes.push(await recordUnsubscription(context, address, mail))
    else if (reporting) outcomes.push(await recordReports(context, address, { mail, reporting }))
  }
  return outcomes
}

/** Whatever such a mail says, it unsubscribes: its address is known to the recipient of that message alone. */
async function recordUnsubscription(
  context: IngestContext,
  { account, stamp }: { account: number; stamp: string },
  mail: ReceivedMail,
): Promise<IngestOutcome> {
  const { db } = context
  const found = await findSend(db, account, stamp)
  if (!found) return unmatched(db, mail, 'unsubscribe')
  const { sourceKind, source, contact, kind } = found.send
  await unsubscribe(context, {
    message: { account, channel: email.name, sourceKind, source, contact, kind, stamp },
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
  context: IngestContext,
  address: Exclude<InboundAddress, { type: 'unsubscribe' }>,
  { mail, reporting }: Reported,
): Promise<IngestOutcome> {
  const { db } = context
  const recordable = reporting.reports.filter(isRecordable)
  const [first] = recordable
  // Mail to the address of one message is kept only if it reports something; people write to the others too.
  if (!first)
    return address.type === 'reports' && isUnknown(reporting.reports) ? unmatched(db, mail, 'other') : 'nothing'
  const found =
    address.type === 'bounce'
      ? await findSend(db, address.account, address.stamp)
      : ((await findReportedSend(db, readIdentifyingHeaders(reporting.mail, context.tokens), context.publicHost)) ??
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
  { db, publicHost, resolveTxt }: IngestContext,
  report: RecordableReport,
  { mail, domain }: { mail: ReceivedMail; domain: string },
): Promise<Activated | undefined> {
  const { recipient: address } = report
  if (report.kind !== 'complaint' || address === null || mail.raw.length >= READ_BYTES) return undefined
  const signers = await signingDomains(mail.raw, resolveTxt, mail.receivedAt)
  if (!signers.some(isComplaintSender)) return undefined
  return findLatestSend(db, { address, domain, publicHost, now: mail.receivedAt })
}

type RecordableReport = Exclude<Report, { kind: 'none' }>

/** Feedback that is no complaint: a mail moved out of the spam folder, or a failed authentication check. */
const NO_COMPLAINT = ['not-spam', 'auth-failure', 'dmarc']

/** Whether a report is recorded: failures that are final, and complaints. */
function isRecordable(report: Report): report is RecordableReport {
  if (report.kind === 'bounce') return !report.isDelayed
  return report.kind === 'complaint' && !NO_COMPLAINT.includes(report.feedback)
}

/** Whether a mail has none of the known forms. */
function isUnknown(reports: readonly Report[]): boolean {
  return reports.every((report) => report.kind === 'none' && report.recipient === null)
}

function eventOf(found: Activated, report: RecordableReport, { mail, reporting }: Reported): NewEvent {
  const time = mail.receivedAt
  if (report.kind === 'complaint') {
    return complaint(found, { ...report, time, provider: senderDomain(reporting.mail) })
  }
  const { diagnostic, mta, analysis, recipient } = report
  const refusal = { time, diagnostic, mta, address: recipient ?? found.address, analysis }
  return asyncBounce(found, refusal, isOfContact(found, report))
}

/**
 * Whether a bounce is of the address the message was sent to. A report may name another one, to which mail is forwarded;
 * but a message may have had copies, and then another address is not the contact's.
 */
function isOfContact(
  { send, address }: Activated,
  { recipient, original }: Extract<Report, { kind: 'bounce' }>,
): boolean {
  const named = [recipient, original].filter((one) => one !== null)
  return named.length === 0 || send.kind !== 'message' || named.some((one) => addressKey(one) === addressKey(address))
}

async function unmatched(
  db: Db,
  { id, receivedAt, raw }: ReceivedMail,
  kind: UnmatchedReport['kind'],
): Promise<IngestOutcome> {
  await keepUnmatched(db, { id, receivedAt, route: 'mail', kind, content: raw })
  return 'unmatched'
}
