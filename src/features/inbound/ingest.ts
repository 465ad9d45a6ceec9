import { domainToASCII } from 'node:url'
import { email } from '../../channels/email/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { TokenKeys } from '../../lib/tokens.ts'
import type { Activated } from '../events/activations.ts'
import { recordEvents } from '../events/effects.ts'
import { asyncBounce, complaint } from '../events/mail-reports.ts'
import type { NewEvent } from '../events/new-event.ts'
import { unsubscribe } from '../tracking/unsubscribe.ts'
import { isComplaintSender } from './complaint-senders.ts'
import { type ResolveTxt, signingDomains } from './dkim.ts'
import type { Door } from './doors.ts'
import { READ_BYTES } from './mime.ts'
import { type Report, type ReportingMail, readReports } from './reports.ts'
import { findLatestSend, findSend, identify } from './sends.ts'
import { readTraces, senderDomain } from './traces.ts'
import { keepUnmatched, type Unmatched } from './unmatched.ts'

/** A mail that was taken in: what it is for, and its beginning. */
export interface ReceivedMail {
  id: string
  /** Milliseconds. */
  receivedAt: number
  doors: readonly Door[]
  raw: Buffer
}

/** What became of a mail at one of its doors. `nothing`: it tells of nothing that is recorded. */
export type Outcome = 'bounce' | 'complaint' | 'unsubscribe' | 'nothing' | 'unmatched'

export interface Ingestion {
  db: Db
  tokens: TokenKeys
  /** Host of the public address: the domain of accounts that have none. */
  publicHost: string
  resolveTxt: ResolveTxt
}

/**
 * Records what a mail reports, with its effects, and gives what became of it, door by door. The same mail again changes
 * nothing. Rejects when it cannot be stored.
 */
export async function ingest(ingestion: Ingestion, mail: ReceivedMail): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const reporting = mail.doors.some(({ type }) => type !== 'unsubscribe') ? readReports(mail.raw) : undefined
  // A hundred recipients at most, nearly always one; each is a transaction of its own.
  for (const door of mail.doors) {
    if (door.type === 'unsubscribe') outcomes.push(await unsubscribed(ingestion.db, door, mail))
    else if (reporting) outcomes.push(await reported(ingestion, door, { mail, reporting }))
  }
  return outcomes
}

/** Whatever such a mail says, it is the wish: its address is known to the recipient of that message alone. */
async function unsubscribed(
  db: Db,
  { account, stamp }: { account: number; stamp: string },
  mail: ReceivedMail,
): Promise<Outcome> {
  const found = await findSend(db, account, stamp)
  if (!found) return unmatched(db, mail, 'unsubscribe')
  const { action, contact, kind } = found.send
  await unsubscribe(db, {
    message: { account, channel: email.name, action, contact, kind, stamp },
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

async function reported(
  ingestion: Ingestion,
  door: Exclude<Door, { type: 'unsubscribe' }>,
  { mail, reporting }: Reported,
): Promise<Outcome> {
  const { db } = ingestion
  const telling = reporting.reports.filter(tellsSomething)
  const [first] = telling
  // At the address of a message nothing is to be looked after; at those for all, people write too.
  if (!first) return door.type === 'reports' && isUnknown(reporting.reports) ? unmatched(db, mail, 'other') : 'nothing'
  const found =
    door.type === 'bounce'
      ? await findSend(db, door.account, door.stamp)
      : ((await identify(db, readTraces(reporting.mail, ingestion.tokens), ingestion.publicHost)) ??
        (await byAddress(ingestion, first, { mail, domain: door.domain })))
  if (!found) return unmatched(db, mail, first.kind)
  await recordEvents(
    db,
    telling.map((report) => eventOf(found, report, { mail, reporting })),
  )
  return first.kind
}

/**
 * The send that a complaint means which names an address and nothing else: taken at its word when one of those who run
 * feedback loops has signed it, which asks for the whole mail.
 */
async function byAddress(
  { db, publicHost, resolveTxt }: Ingestion,
  report: Telling,
  { mail, domain }: { mail: ReceivedMail; domain: string },
): Promise<Activated | undefined> {
  const { recipient: address } = report
  if (report.kind !== 'complaint' || address === null || mail.raw.length >= READ_BYTES) return undefined
  const signers = await signingDomains(mail.raw, resolveTxt, mail.receivedAt)
  if (!signers.some(isComplaintSender)) return undefined
  return findLatestSend(db, { address, domain, publicHost, now: mail.receivedAt })
}

type Telling = Exclude<Report, { kind: 'none' }>

/** Feedback that is no complaint: somebody took it off the spam, or a program checked a signature. */
const NO_COMPLAINT = ['not-spam', 'auth-failure', 'dmarc']

/** Whether a report is recorded: failures that are final, and complaints. */
function tellsSomething(report: Report): report is Telling {
  if (report.kind === 'bounce') return !report.isDelayed
  return report.kind === 'complaint' && !NO_COMPLAINT.includes(report.feedback)
}

/** Whether a mail is none of the forms we know. */
function isUnknown(reports: readonly Report[]): boolean {
  return reports.every((report) => report.kind === 'none' && report.recipient === null)
}

function eventOf(found: Activated, report: Telling, { mail, reporting }: Reported): NewEvent {
  const time = mail.receivedAt
  if (report.kind === 'complaint') {
    return complaint(found, { ...report, time, provider: senderDomain(reporting.mail) })
  }
  const { diagnostic, mta, analysis, recipient } = report
  const refusal = { time, diagnostic, mta, address: recipient ?? found.address, analysis }
  return asyncBounce(found, refusal, isOfContact(found, report))
}

/**
 * Whether a refusal is of the address the message went to. A report may name another one, to which mail is led on; but a
 * message to one contact may have had copies, and then another address is none of the contact's.
 */
function isOfContact(
  { send, address }: Activated,
  { recipient, original }: Extract<Report, { kind: 'bounce' }>,
): boolean {
  const named = [recipient, original].filter((one) => one !== null)
  return named.length === 0 || send.kind !== 'message' || named.some((one) => canonical(one) === canonical(address))
}

/** An address as it is compared: in lower case, its domain in ASCII. */
function canonical(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase()
}

async function unmatched(db: Db, { id, receivedAt, raw }: ReceivedMail, kind: Unmatched['kind']): Promise<Outcome> {
  await keepUnmatched(db, { id, receivedAt, door: 'mail', kind, content: raw })
  return 'unmatched'
}
