import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readSendingFigures, type SendingFigures } from '../../../sending/plan/sendings.ts'
import { countSubjectEvents, type EventMeasures } from '../../events/counts/subject-counts.ts'
import type { ReactivityCounts } from '../../events/history/reactivities.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'
import { buildCampaignRunMonitor } from '../resource/action-presenter.ts'
import type { ShortReport } from './short-report-schemas.ts'

export type ReportMeasure = 'activations' | 'opens' | 'clicks' | 'unsubscribes' | 'complaints' | 'replies' | 'bounces'

/** What reports count, whatever the channel. */
export const reportMeasures: EventMeasures<ReportMeasure> = {
  activations: ['activations'],
  opens: ['hits/open', 'interactions/read'],
  clicks: ['hits/redirection', 'interactions/redirection'],
  unsubscribes: ['hits/unsubscribe', 'interactions/unsubscribe', 'responses/stop', 'optouts'],
  complaints: ['complaints'],
  replies: ['responses/other'],
  bounces: ['bounces'],
}

/** What a report is of: `sending` and `startedAt` null for what is sent on demand, or has not started. */
export interface ShortReportSubject {
  id: number
  sending: number | null
  startedAt: Date | null
}

export const ZERO_REPORT_COUNTS: ReactivityCounts = { total: 0, contacts: 0, robots: 0 }

/** Reactions of people and machines as reports show them. */
export function toReactionCounts({ total, robots, contacts }: ReactivityCounts): ShortReport['opens'] {
  return { human: total, machine: robots, contacts }
}

function report(
  counts: Partial<Record<ReportMeasure, ReactivityCounts>>,
  figures: SendingFigures | undefined,
  startedAt: Date | null,
): ShortReport {
  const of = (measure: ReportMeasure): ReactivityCounts => counts[measure] ?? ZERO_REPORT_COUNTS
  const monitor = figures ? buildCampaignRunMonitor(figures, startedAt) : null
  return {
    audience: monitor?.recipients ?? null,
    sent: monitor?.sent ?? of('activations').total,
    refused: monitor?.refused ?? null,
    held: monitor?.held ?? null,
    cancelled: monitor?.cancelled ?? null,
    pending: monitor?.pending ?? null,
    opens: toReactionCounts(of('opens')),
    clicks: toReactionCounts(of('clicks')),
    unsubscribes: of('unsubscribes').total,
    complaints: of('complaints').total,
    replies: of('replies').total,
    bounces: of('bounces').total,
  }
}

/** Short reports of what was sent on some channels, by id. */
export async function readShortReports(
  db: Db,
  { account, channels }: { account: AccountId; channels: readonly EventChannel[] },
  reported: readonly ShortReportSubject[],
): Promise<Map<number, ShortReport>> {
  const subjects = reported.map(({ id }) => id)
  const [counts, figures] = await Promise.all([
    countSubjectEvents(db, { account, channels, subjects }, reportMeasures),
    readSendingFigures(
      db,
      reported.flatMap(({ sending, startedAt }) => (startedAt === null ? [] : (sending ?? []))),
    ),
  ])
  return new Map(
    reported.map(({ id, sending, startedAt }) => [
      id,
      report(counts.get(id) ?? {}, startedAt === null ? undefined : figures.get(sending ?? 0), startedAt),
    ]),
  )
}

/** So many rows are reported of at a time. */
const TOGETHER = 100

/** Rows in their order, each with its report; a long list is reported of piece by piece. */
export async function* attachShortReports<Row>(
  listed: AsyncIterable<Row>,
  reportedOf: (row: Row) => ShortReportSubject,
  reportsOf: (reported: readonly ShortReportSubject[]) => Promise<Map<number, ShortReport>>,
): AsyncGenerator<{ row: Row; report: ShortReport }> {
  let waiting: Row[] = []
  async function* reportedNow() {
    const all = waiting.map((row) => ({ row, of: reportedOf(row) }))
    waiting = []
    const reports = await reportsOf(all.map(({ of }) => of))
    for (const { row, of } of all) {
      const own = reports.get(of.id)
      if (own) yield { row, report: own }
    }
  }
  for await (const row of listed) {
    waiting.push(row)
    if (waiting.length === TOGETHER) yield* reportedNow()
  }
  yield* reportedNow()
}
