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

/** What a person says belongs to the last message of so long ago. */
const ANSWERED_MS = 30 * 24 * 3_600_000

/** Kinds that tell of a message by its id; the others are what a person says. */
const ofMessage: readonly string[] = ['delivered', 'read', 'expired']

/** The stamp that a report names; undefined when it names none. */
function stampOf({ report }: PendingRcsReport): string | undefined {
  if ('messageId' in report) return parseUuid(report.messageId)
  return report.kind === 'suggestion' ? (parsePostback(report.postback).stamp ?? undefined) : undefined
}

/** Of reports whose message has no event yet, those whose message is still to be recorded. */
async function findWaiting(
  db: Db,
  unknown: readonly { one: PendingRcsReport; stamp: string }[],
): Promise<Set<PendingRcsReport>> {
  const waiting = new Set<PendingRcsReport>()
  const young = unknown.filter(({ one }) => !one.isOld)
  for (const [account, own] of Map.groupBy(young, ({ one }) => one.account)) {
    const messages = await findMessages(
      db,
      account,
      own.map(({ stamp }) => stamp),
    )
    for (const { one, stamp } of own) {
      const message = messages.get(stamp)
      if (message && (message.outcome === null || message.outcome === 'held')) waiting.add(one)
    }
  }
  return waiting
}

/** The sends that reports name by their stamps; `early`: those that are not recorded yet. */
async function named(
  db: Db,
  reports: readonly PendingRcsReport[],
): Promise<{ sends: Map<PendingRcsReport, AnySend>; early: Set<PendingRcsReport> }> {
  const naming = reports.flatMap((one) => {
    const stamp = stampOf(one)
    return stamp === undefined ? [] : [{ one, stamp }]
  })
  const found = await findRcsSends(
    db,
    naming.map(({ one: { account }, stamp }) => ({ account, stamp })),
  )
  const sends = new Map(naming.flatMap(({ one }, index) => (found[index] ? [[one, found[index]] as const] : [])))
  const early = await findWaiting(
    db,
    naming.filter(({ one }) => !sends.has(one)),
  )
  return { sends, early }
}

/** The sends that a person answers without naming them: the latest of the agent to the phone. */
async function answered(db: Db, reports: readonly PendingRcsReport[]): Promise<Map<PendingRcsReport, AnySend>> {
  const said = reports.filter(({ report }) => !ofMessage.includes(report.kind))
  const found = await findLatestRcsSends(
    db,
    said.map(({ account, report: { phone, agent, at } }) => ({
      ...{ account, phone, agent },
      since: new Date(at - ANSWERED_MS),
    })),
  )
  return new Map(said.flatMap((one, index) => (found[index] ? [[one, found[index]] as const] : [])))
}

/** An opt-out is of all who have the phone; a proof may have gone to a phone that its contact does not have. */
function concerned(send: AnySend | null, holders: readonly number[], isChoice: boolean): number[] {
  if (!isChoice) return [...holders]
  const own = send?.contact == null || send.kind === 'test' ? [] : [send.contact]
  return [...new Set([...own, ...holders])]
}

/**
 * Finds the messages that reports are about, and the contacts where there is none, or where it is a person's choice.
 * `early`: reports whose message is not recorded yet.
 */
export async function matchRcsReports(
  db: Db,
  reports: readonly PendingRcsReport[],
  isChoice: (one: PendingRcsReport) => boolean,
): Promise<{ matched: MatchedRcsReport[]; early: PendingRcsReport[] }> {
  const { sends, early } = await named(db, reports)
  const latest = await answered(
    db,
    reports.filter((one) => !sends.has(one) && !early.has(one)),
  )
  const known = reports
    .filter((one) => !early.has(one))
    .map((one) => ({ one, send: sends.get(one) ?? latest.get(one) ?? null }))
  const keyOf = ({ account, report: { phone } }: PendingRcsReport) => ({ account, phone })
  const holders = await findPhoneHolders(
    db,
    known.filter(({ one, send }) => send === null || isChoice(one)).map(({ one }) => keyOf(one)),
  )
  const matched = known.map(({ one, send }) => ({
    one,
    match: { send, contacts: concerned(send, holders.get(phoneHolderKey(keyOf(one))) ?? [], isChoice(one)) },
  }))
  return { matched, early: [...early] }
}
