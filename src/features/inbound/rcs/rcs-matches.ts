import { parsePostback } from '../../../channels/rcs/compose/postback.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import type { RcsReportMatch } from '../../events/delivery-reports/rcs-reports.ts'
import { findLatestRcsSends, findRcsSends } from '../../events/record/rcs-activations.ts'
import type { AnySend } from '../../events/record/record.ts'
import { findPhoneHolders, phoneHolderKey } from '../sms/phone-holders.ts'
import type { PendingRcsReport } from './rcs-inbox.ts'

/** A report, and whom it is about. */
export interface MatchedRcsReport {
  one: PendingRcsReport
  match: RcsReportMatch
}

/** An action of a person belongs to the last message within this time. */
const ANSWER_WINDOW_MS = 30 * 24 * 3_600_000

/** Kinds that tell of a message by its id; the others are what a person says. */
const messageReportKinds: readonly string[] = ['delivered', 'read', 'expired']

/** The stamp that a report names; undefined when it names none. */
function extractStamp({ report }: PendingRcsReport): string | undefined {
  if ('messageId' in report) return parseUuid(report.messageId)
  return report.kind === 'suggestion' ? (parsePostback(report.postback).stamp ?? undefined) : undefined
}

/** Among reports whose message has no event yet, finds those whose message is still to be recorded. */
async function findEarlyReports(
  db: Db,
  unknown: readonly { one: PendingRcsReport; stamp: string }[],
): Promise<Set<PendingRcsReport>> {
  const earlyReports = new Set<PendingRcsReport>()
  const recentReports = unknown.filter(({ one: pendingReport }) => !pendingReport.isOld)
  for (const [account, accountReports] of Map.groupBy(
    recentReports,
    ({ one: pendingReport }) => pendingReport.account,
  )) {
    const messages = await findMessages(
      db,
      account,
      accountReports.map(({ stamp }) => stamp),
    )
    for (const { one: pendingReport, stamp } of accountReports) {
      const message = messages.get(stamp)
      if (message && (message.outcome === null || message.outcome === 'held')) earlyReports.add(pendingReport)
    }
  }
  return earlyReports
}

/** The sends that reports name by their stamps; `early`: those that are not recorded yet. */
async function findNamedSends(
  db: Db,
  reports: readonly PendingRcsReport[],
): Promise<{ sends: Map<PendingRcsReport, AnySend>; early: Set<PendingRcsReport> }> {
  const stampedReports = reports.flatMap((pendingReport) => {
    const stamp = extractStamp(pendingReport)
    return stamp === undefined ? [] : [{ one: pendingReport, stamp }]
  })
  const namedSends = await findRcsSends(
    db,
    stampedReports.map(({ one: { account }, stamp }) => ({ account, stamp })),
  )
  const sends = new Map(
    stampedReports.flatMap(({ one: pendingReport }, index) =>
      namedSends[index] ? [[pendingReport, namedSends[index]] as const] : [],
    ),
  )
  const earlySet = await findEarlyReports(
    db,
    stampedReports.filter(({ one: pendingReport }) => !sends.has(pendingReport)),
  )
  return { sends, early: earlySet }
}

/** The sends that a person answers without naming them: the latest of the agent to the phone. */
async function findAnsweredSends(
  db: Db,
  reports: readonly PendingRcsReport[],
): Promise<Map<PendingRcsReport, AnySend>> {
  const personReports = reports.filter(({ report }) => !messageReportKinds.includes(report.kind))
  const latestSends = await findLatestRcsSends(
    db,
    personReports.map(({ account, report: { phone, agent, at } }) => ({
      account,
      phone,
      agent,
      since: new Date(at - ANSWER_WINDOW_MS),
    })),
  )
  return new Map(
    personReports.flatMap((pendingReport, index) =>
      latestSends[index] ? [[pendingReport, latestSends[index]] as const] : [],
    ),
  )
}

/** An opt-out is of all who have the phone; a proof may have gone to a phone that its contact does not have. */
function resolveContacts(send: AnySend | null, holders: readonly number[], isChoice: boolean): number[] {
  if (!isChoice) return [...holders]
  const sendContact = send?.contact == null || send.kind === 'test' ? [] : [send.contact]
  return [...new Set([...sendContact, ...holders])]
}

/**
 * Finds the messages that reports are about, and the contacts if there is no message, or if the report is a person's choice. `early`:
 * reports whose message is not recorded yet.
 */
export async function matchRcsReports(
  db: Db,
  reports: readonly PendingRcsReport[],
  isChoice: (pendingReport: PendingRcsReport) => boolean,
): Promise<{ matched: MatchedRcsReport[]; early: PendingRcsReport[] }> {
  const { sends, early: earlySet } = await findNamedSends(db, reports)
  const answeredSends = await findAnsweredSends(
    db,
    reports.filter((pendingReport) => !sends.has(pendingReport) && !earlySet.has(pendingReport)),
  )
  const knownReports = reports
    .filter((pendingReport) => !earlySet.has(pendingReport))
    .map((pendingReport) => ({
      one: pendingReport,
      send: sends.get(pendingReport) ?? answeredSends.get(pendingReport) ?? null,
    }))
  const toHolderKey = ({ account, report: { phone } }: PendingRcsReport) => ({ account, phone })
  const holders = await findPhoneHolders(
    db,
    knownReports
      .filter(({ one: pendingReport, send }) => send === null || isChoice(pendingReport))
      .map(({ one: pendingReport }) => toHolderKey(pendingReport)),
  )
  const matchedReports = knownReports.map(({ one: pendingReport, send }) => ({
    one: pendingReport,
    match: {
      send,
      contacts: resolveContacts(
        send,
        holders.get(phoneHolderKey(toHolderKey(pendingReport))) ?? [],
        isChoice(pendingReport),
      ),
    },
  }))
  return { matched: matchedReports, early: [...earlySet] }
}
