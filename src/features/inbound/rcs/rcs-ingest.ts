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

function isChoice(one: PendingRcsReport, isStop: RcsStopMatcher): boolean {
  const type = toRcsSignal(one, isStop)?.type
  return type === 'unsubscribe' || type === 'subscribe'
}

const followed = ({
  one,
  match: { send },
}: MatchedRcsReport): (RcsFollowupSend & MatchedRcsReport['match'] & { at: number })[] =>
  send ? [{ account: send.account, stamp: send.stamp.id, send, contacts: [], at: one.report.at }] : []

/** Takes the steps that reports decide, first those that a message arrived; gives the bounces of those that expired. */
async function takeSteps(tx: Db, matched: readonly MatchedRcsReport[], now: number): Promise<NewEvent[]> {
  const {
    arrived = [],
    revoked = [],
    late = [],
  } = Object.groupBy(matched, ({ one: { report } }) => {
    if (report.kind === 'delivered' || report.kind === 'read') return 'arrived'
    if (report.kind !== 'expired') return 'said'
    return report.revoked ? 'revoked' : 'late'
  })
  const arrivals = arrived.flatMap(followed)
  await closeFollowups(tx, arrivals)
  const stamps = new Set(arrivals.map(({ stamp }) => stamp))
  const others = (list: readonly MatchedRcsReport[]) => list.flatMap(followed).filter(({ stamp }) => !stamps.has(stamp))
  await retryRevocations(tx, others(late), now)
  const expired = await expireFollowups(tx, others(revoked), now)
  return expired.flatMap(({ send, at }) => (send ? [toRcsExpiryBounce(send, at)] : []))
}

async function ingestSome({ db, clock }: RcsIngestContext, limit: number): Promise<number> {
  const now = clock.now()
  if (!(await hasDueRcsReports(db, now))) return 0
  const taken = await inRetriedTransaction(db, async (tx) => {
    const waiting = await claimRcsReports(tx, now, limit)
    if (waiting.length === 0) return []
    const words = await readStopWords(
      tx,
      waiting.map(({ account }) => account),
    )
    const isStop = createRcsStopMatcher(words)
    const { matched, early } = await matchRcsReports(tx, waiting, (one) => isChoice(one, isStop))
    const bounces = await takeSteps(tx, matched, now)
    await deleteRcsReports(
      tx,
      matched.map(({ one }) => one.id),
    )
    await postponeRcsReports(
      tx,
      early.map(({ id }) => id),
      now,
    )
    await recordEvents(tx, [...matched.flatMap((one) => toRcsReportEvent(one, isStop) ?? []), ...bounces])
    return waiting
  })
  for (const { id } of taken) await recordTaskSuccess(db, unitOf(id))
  return taken.length
}

const unitOf = (id: number) => ({ task: 'ingest RCS reports', subject: `report ${id}` })

/** Postpones the first report, for a minute or longer: it blocks those behind it. */
async function postponeFirst({ db, clock }: RcsIngestContext, error: unknown): Promise<void> {
  const now = clock.now()
  const id = await postponeFirstRcsReport(db, now)
  if (id !== undefined) await delayRcsReport(db, id, now + (await recordTaskFailure(db, unitOf(id), error)))
}

/**
 * Records what was reported of RCS as events, each once, with their effects, until none is due; several processes may do
 * so. One that cannot be recorded is postponed. Returns how many were processed.
 */
export function ingestRcsReports(context: RcsIngestContext): Promise<number> {
  return ingestDueReports({
    batchSize: BATCH_SIZE,
    ingest: (limit) => ingestSome(context, limit),
    postponeFirst: (error) => postponeFirst(context, error),
  })
}
