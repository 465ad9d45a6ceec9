import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceContext } from '../context.ts'
import { makeEarlyReactionsDue } from '../features/events/record/early.ts'
import { makeRcsReportsDue } from '../features/inbound/rcs/rcs-inbox.ts'
import { makeSmsReportsDue } from '../features/inbound/sms/sms-ingest.ts'
import { makeSegmentComparisonsDue } from '../features/segments/members/watched.ts'
import { endLateWebhookLeases, makeWebhookDeliveriesDue } from '../features/webhooks/late-deliveries.ts'
import { makeRunsDue, releaseExpiredRunClaims } from '../features/workflows/engine/run-leases.ts'
import { releaseExpiredFirings } from '../features/workflows/tasks/task-firings.ts'
import { signalDueWork } from '../jobs/due-watch.ts'
import { makeLateJobsDue, purgeFutureCronRuns, purgeFutureWorkers } from '../jobs/late-jobs.ts'
import type { ClockState, ClockStepWatch } from '../lib/time/clock-steps.ts'
import { endLateFollowupLeases, makeFollowupsDue } from '../sending/record/followups.ts'
import { endLateClaims, makeMessagesDue } from '../sending/recover/late-messages.ts'

type LateWorkContext = Pick<ServiceContext, 'db' | 'log' | 'clock'>

/** Delays after a clock step at which late work is searched for: running work may still write times of the earlier clock. */
const CHECK_DELAYS_MS = [0, 1000, 10_000, 90_000]

/**
 * Makes due what waits for a time farther ahead than its own longest delay: such times were written before the clock went back. What
 * is to happen at a moment of its own, such as a campaign of next week, is left alone.
 */
export async function makeLateWorkDue({ db }: Pick<LateWorkContext, 'db'>, state: ClockState): Promise<void> {
  const { now } = state
  await makeMessagesDue(db, state)
  await makeFollowupsDue(db, now)
  await makeWebhookDeliveriesDue(db, now)
  await makeSmsReportsDue(db, now)
  await makeRcsReportsDue(db, now)
  await makeEarlyReactionsDue(db)
  await makeSegmentComparisonsDue(db, now)
  await makeRunsDue(db, state)
  await makeLateJobsDue(db)
  await purgeFutureCronRuns(db, now)
  signalDueWork(db)
}

/** Ends leases that are longer than any is. To be called when those who live have renewed theirs by the clock as it is now, or are done. */
export async function endLateLeases({ db }: Pick<LateWorkContext, 'db'>, now: number): Promise<void> {
  await endLateClaims(db, now)
  await endLateFollowupLeases(db, now)
  await endLateWebhookLeases(db, now)
  await releaseExpiredRunClaims(db, now)
  await releaseExpiredFirings(db, now)
  await purgeFutureWorkers(db)
}

/** Looks for late work at a start and whenever a clock was put back. Gives what ends it. */
export function startLateWorkWatch(parts: LateWorkContext, steps: ClockStepWatch): () => Promise<void> {
  const { log, clock } = parts
  let checksAbort = new AbortController()
  let lastCheck: Promise<void> = Promise.resolve()
  // A step of the database's clock begins the checks again, and must not hide that this machine's stepped before it.
  let hasMachineStepped = false

  async function runChecks(signal: AbortSignal): Promise<void> {
    for (const [checkIndex, delayMs] of CHECK_DELAYS_MS.entries()) {
      await delay(delayMs, undefined, { signal, ref: false })
      try {
        await makeLateWorkDue(parts, { now: clock.now(), hasStepped: hasMachineStepped })
        if (checkIndex === CHECK_DELAYS_MS.length - 1) await endLateLeases(parts, clock.now())
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'check for late work after a clock step failed')
      }
    }
  }
  const startChecks = (): void => {
    checksAbort.abort()
    checksAbort = new AbortController()
    const { signal } = checksAbort
    lastCheck = lastCheck.then(() => runChecks(signal)).catch(() => undefined)
  }
  startChecks()
  // What goes by the database's clock waits no longer than its rule says, whatever that did.
  steps.onStep((stepped, ms) => {
    if (ms >= 0) return
    hasMachineStepped ||= stepped === 'machine'
    startChecks()
  })
  return async () => {
    checksAbort.abort()
    await lastCheck
  }
}
