import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Figures, readFigures } from '../../../sending/plan/sendings.ts'
import { countSubjects, type Measures } from '../../events/counts/subject-counts.ts'
import type { Counts } from '../../events/history/reactivities.ts'
import type { Channel } from '../../events/kinds/event-kinds.ts'
import { monitorOf } from '../resource/action-presenter.ts'
import type { ShortReport } from './short-report-schemas.ts'

export type Measure = 'activations' | 'opens' | 'clicks' | 'unsubscribes' | 'complaints' | 'replies' | 'bounces'

/** What reports count, whatever the channel. */
export const measures: Measures<Measure> = {
  activations: ['activations'],
  opens: ['hits/open', 'interactions/read'],
  clicks: ['hits/redirection', 'interactions/redirection'],
  unsubscribes: ['hits/unsubscribe', 'interactions/unsubscribe', 'responses/stop', 'optouts'],
  complaints: ['complaints'],
  replies: ['responses/other'],
  bounces: ['bounces'],
}

/** What a report is of: `sending` and `startedAt` null for what is sent on demand, or has not started. */
export interface Reported {
  id: number
  sending: number | null
  startedAt: Date | null
}

export const none: Counts = { total: 0, contacts: 0, robots: 0 }

/** Reactions of people and machines as reports show them. */
export function reactions({ total, robots, contacts }: Counts): ShortReport['opens'] {
  return { human: total, machine: robots, contacts }
}

function report(
  counts: Partial<Record<Measure, Counts>>,
  figures: Figures | undefined,
  startedAt: Date | null,
): ShortReport {
  const of = (measure: Measure): Counts => counts[measure] ?? none
  const monitor = figures ? monitorOf(figures, startedAt) : null
  return {
    audience: monitor?.recipients ?? null,
    sent: monitor?.sent ?? of('activations').total,
    refused: monitor?.refused ?? null,
    held: monitor?.held ?? null,
    cancelled: monitor?.cancelled ?? null,
    pending: monitor?.pending ?? null,
    opens: reactions(of('opens')),
    clicks: reactions(of('clicks')),
    unsubscribes: of('unsubscribes').total,
    complaints: of('complaints').total,
    replies: of('replies').total,
    bounces: of('bounces').total,
  }
}

/** Short reports of what was sent on some channels, by id. */
export async function shortReports(
  db: Db,
  { account, channels }: { account: AccountId; channels: readonly Channel[] },
  reported: readonly Reported[],
): Promise<Map<number, ShortReport>> {
  const subjects = reported.map(({ id }) => id)
  const [counts, figures] = await Promise.all([
    countSubjects(db, { account, channels, subjects }, measures),
    readFigures(
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
export async function* withReports<Row>(
  listed: AsyncIterable<Row>,
  reportedOf: (row: Row) => Reported,
  reportsOf: (reported: readonly Reported[]) => Promise<Map<number, ShortReport>>,
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
