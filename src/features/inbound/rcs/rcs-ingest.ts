import type { Logger } from 'pino'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import { recordTaskFailure, recordTaskSuccess } from '../../../jobs/failures.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { closeFollowups, expireFollowups, type RcsFollowupSend, retryRevocations } from '../../actions/rcs/followups.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { readStopWords } from '../../events/settings/event-settings.ts'
import { ingestDueReports } from '../ingest-all.ts'
import {
  createRcsStopMatcher,
  type RcsStopMatcher,
  toRcsExpiryBounce,
  toRcsReportEvent,
  toRcsSignal,
} from './rcs-events.ts'
import {
  claimRcsReports,
  delayRcsReport,
  deleteRcsReports,
  hasDueRcsReports,
  type PendingRcsReport,
  postponeFirstRcsReport,
  postponeRcsReports,
} from './rcs-inbox.ts'
import { type MatchedRcsReport, matchRcsReports } from './rcs-matches.ts'

/** Dependencies of the ingestion. */
export interface RcsIngestContext {
  db: Db
  clock: Clock
  log: Logger
}

const BATCH_SIZE = 200

function isOptChoice(pendingReport: PendingRcsReport, isStop: RcsStopMatcher): boolean {
  const type = toRcsSignal(pendingReport, isStop)?.type
  return type === 'unsubscribe' || type === 'subscribe'
}

const toFollowupSends = ({
  one: pendingReport,
  match: { send },
}: MatchedRcsReport): (RcsFollowupSend & MatchedRcsReport['match'] & { at: number })[] =>
  send ? [{ account: send.account, stamp: send.stamp.id, send, contacts: [], at: pendingReport.report.at }] : []

/** Takes the steps that reports decide, first those that a message arrived; gives the bounces of those that expired. */
async function applyFollowupSteps(tx: Db, matched: readonly MatchedRcsReport[], now: number): Promise<NewEvent[]> {
  const {
    arrived: arrivedReports = [],
    revoked: revokedReports = [],
    late: lateReports = [],
  } = Object.groupBy(matched, ({ one: { report } }) => {
    if (report.kind === 'delivered' || report.kind === 'read') return 'arrived'
    if (report.kind !== 'expired') return 'said'
    return report.revoked ? 'revoked' : 'late'
  })
  const arrivals = arrivedReports.flatMap(toFollowupSends)
  await closeFollowups(tx, arrivals)
  const arrivedStamps = new Set(arrivals.map(({ stamp }) => stamp))
  const pickOtherSends = (list: readonly MatchedRcsReport[]) =>
    list.flatMap(toFollowupSends).filter(({ stamp }) => !arrivedStamps.has(stamp))
  await retryRevocations(tx, pickOtherSends(lateReports), now)
  const expiredSends = await expireFollowups(tx, pickOtherSends(revokedReports), now)
  return expiredSends.flatMap(({ send, at }) => (send ? [toRcsExpiryBounce(send, at)] : []))
}

async function ingestBatch({ db, clock }: RcsIngestContext, limit: number): Promise<number> {
  const now = clock.now()
  if (!(await hasDueRcsReports(db, now))) return 0
  const ingestedReports = await inRetriedTransaction(db, async (tx) => {
    const claimedReports = await claimRcsReports(tx, now, limit)
    if (claimedReports.length === 0) return []
    const stopWords = await readStopWords(
      tx,
      claimedReports.map(({ account }) => account),
    )
    const isStop = createRcsStopMatcher(stopWords)
    const { matched: matchedReports, early: earlyReports } = await matchRcsReports(tx, claimedReports, (candidate) =>
      isOptChoice(candidate, isStop),
    )
    const bounces = await applyFollowupSteps(tx, matchedReports, now)
    await deleteRcsReports(
      tx,
      matchedReports.map(({ one: candidate }) => candidate.id),
    )
    await postponeRcsReports(
      tx,
      earlyReports.map(({ id }) => id),
      now,
    )
    await recordEvents(tx, [
      ...matchedReports.flatMap((candidate) => toRcsReportEvent(candidate, isStop) ?? []),
      ...bounces,
    ])
    return claimedReports
  })
  for (const { id } of ingestedReports) await recordTaskSuccess(db, toFailureUnit(id))
  return ingestedReports.length
}

const toFailureUnit = (id: number) => ({ task: 'ingest RCS reports', subject: `report ${id}` })

/** Postpones the first report, for a minute or longer: it blocks those behind it. */
async function postponeFirstReport({ db, clock }: RcsIngestContext, error: unknown): Promise<void> {
  const now = clock.now()
  const id = await postponeFirstRcsReport(db, now)
  if (id !== undefined) await delayRcsReport(db, id, now + (await recordTaskFailure(db, toFailureUnit(id), error)))
}

/**
 * Records what was reported of RCS as events, each once, with their effects, until none is due; several processes may do
 * so. One that cannot be recorded is postponed. Returns how many were processed.
 */
export function ingestRcsReports(context: RcsIngestContext): Promise<number> {
  return ingestDueReports({
    batchSize: BATCH_SIZE,
    ingest: (limit) => ingestBatch(context, limit),
    postponeFirst: (error) => postponeFirstReport(context, error),
  })
}
