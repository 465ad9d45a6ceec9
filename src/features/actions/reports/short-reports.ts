import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readSendingFigures, type SendingFigures } from '../../../sending/plan/sendings.ts'
import { countSubjectEvents, type EventMeasures } from '../../events/counts/subject-counts.ts'
import type { ReactivityCounts } from '../../events/history/reactivities.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'
import { buildCampaignRunMonitor } from '../resource/action-presenter.ts'
import type { ShortReport } from './short-report-schemas.ts'

export type ReportMeasure = 'activations' | 'opens' | 'clicks' | 'unsubscribes' | 'complaints' | 'replies' | 'bounces'

/** Events that reports count, for every channel. */
export const reportMeasures: EventMeasures<ReportMeasure> = {
  activations: ['activations'],
  opens: ['hits/open', 'interactions/read'],
  clicks: ['hits/redirection', 'interactions/redirection'],
  unsubscribes: ['hits/unsubscribe', 'interactions/unsubscribe', 'responses/stop', 'optouts'],
  complaints: ['complaints'],
  replies: ['responses/other'],
  bounces: ['bounces'],
}

/** Subject of a report: `sending` and `startedAt` are null for transactional actions, and for campaigns that have not started. */
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

function buildReport(
  counts: Partial<Record<ReportMeasure, ReactivityCounts>>,
  figures: SendingFigures | undefined,
  startedAt: Date | null,
): ShortReport {
  const countsOf = (measure: ReportMeasure): ReactivityCounts => counts[measure] ?? ZERO_REPORT_COUNTS
  const runMonitor = figures ? buildCampaignRunMonitor(figures, startedAt) : null
  return {
    audience: runMonitor?.recipients ?? null,
    sent: runMonitor?.sent ?? countsOf('activations').total,
    refused: runMonitor?.refused ?? null,
    held: runMonitor?.held ?? null,
    cancelled: runMonitor?.cancelled ?? null,
    pending: runMonitor?.pending ?? null,
    opens: toReactionCounts(countsOf('opens')),
    clicks: toReactionCounts(countsOf('clicks')),
    unsubscribes: countsOf('unsubscribes').total,
    complaints: countsOf('complaints').total,
    replies: countsOf('replies').total,
    bounces: countsOf('bounces').total,
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
      buildReport(counts.get(id) ?? {}, startedAt === null ? undefined : figures.get(sending ?? 0), startedAt),
    ]),
  )
}

/** So many rows are reported of at a time. */
const REPORT_BATCH_SIZE = 100

/** Rows in their order, each with its report; a long list is reported of piece by piece. */
export async function* attachShortReports<Row>(
  listed: AsyncIterable<Row>,
  reportedOf: (row: Row) => ShortReportSubject,
  reportsOf: (reported: readonly ShortReportSubject[]) => Promise<Map<number, ShortReport>>,
): AsyncGenerator<{ row: Row; report: ShortReport }> {
  let pendingRows: Row[] = []
  async function* reportedNow() {
    const reportedRows = pendingRows.map((row) => ({ row, of: reportedOf(row) }))
    pendingRows = []
    const reports = await reportsOf(reportedRows.map(({ of: subject }) => subject))
    for (const { row, of: subject } of reportedRows) {
      const rowReport = reports.get(subject.id)
      if (rowReport) yield { row, report: rowReport }
    }
  }
  for await (const row of listed) {
    pendingRows.push(row)
    if (pendingRows.length === REPORT_BATCH_SIZE) yield* reportedNow()
  }
  yield* reportedNow()
}
