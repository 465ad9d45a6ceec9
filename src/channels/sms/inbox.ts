import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { SmsInbox, SmsReceipt, SmsReply } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import { toStorableText } from '../../lib/text/storable.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Something that came from a network, and through which gateway. `owner` null: one of the installation's. */
export type SmsReport = { gateway: string; owner: AccountId | null } & (
  | { kind: 'receipt'; report: SmsReceipt }
  | { kind: 'reply'; report: SmsReply }
)

/** Keeps reports until their events are written, in one statement. What is no text for PostgreSQL is left out of them. */
export async function storeSmsReports(db: Db, reports: readonly SmsReport[], now: number): Promise<void> {
  if (reports.length === 0) return
  const reportJson = reports.map(({ report }) => toJsonbText(cleanReport(report)))
  await sql`
    insert into sms_inbox (gateway, owner, kind, report, received_at, next_at)
    select n.gateway, n.owner, n.kind, n.report, ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz
    from unnest(
      ${reports.map(({ gateway }) => gateway)}::text[], ${reports.map(({ owner }) => owner)}::integer[],
      ${reports.map(({ kind }) => kind)}::text[], ${reportJson}::jsonb[]
    ) as n (gateway, owner, kind, report)`.execute(db)
}

function cleanReport(report: object): object {
  return Object.fromEntries(
    Object.entries(report).map(([name, value]) => [name, typeof value === 'string' ? toStorableText(value) : value]),
  )
}

/** Creates the store for receipts and replies of an owner's gateways. A report is on disk when the promise is fulfilled. */
export function createSmsInbox(db: Db, clock: Clock, owner: AccountId | null): SmsInbox {
  return {
    onReceipt: (gateway, report) => storeSmsReports(db, [{ gateway, owner, kind: 'receipt', report }], clock.now()),
    onReply: (gateway, report) => storeSmsReports(db, [{ gateway, owner, kind: 'reply', report }], clock.now()),
  }
}
