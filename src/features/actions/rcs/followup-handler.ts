import { classifyRcsRefusal } from '../../../channels/rcs/classify-rcs-refusal.ts'
import {
  RCS_FOLLOWUP_KIND,
  type RcsFallbackReason,
  type RcsFollowupPayload,
  type RcsFollowupState,
} from '../../../channels/rcs/followups.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Followup, FollowupHandler, FollowupHandlers } from '../../../sending/record/followups.ts'
import { createRcsBounceEvent } from '../../events/delivery-reports/rcs-reports.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { findDeliveredRcsStamps, findRcsSends } from '../../events/record/rcs-activations.ts'
import type { AnySend } from '../../events/record/record.ts'
import { queueSmsFallbacks } from './fallbacks.ts'
import { recordFollowupStep } from './followups.ts'
import { type RcsRevocationDependencies, revokeRcsSends } from './revocations.ts'

/** Follow-up of a rich message, as read from its row. */
interface DueFollowup extends Followup {
  state: RcsFollowupState
  payload: RcsFollowupPayload
}

/** Dependencies of the steps, in addition to the database. */
export interface RcsFollowupDependencies extends RcsRevocationDependencies {
  clock: Clock
}

/** For so long after the revocation a report may be under way. */
const REPORT_GRACE_MS = { delayed: 10_000, expired: 60_000 }
/** A provider that does not answer is asked again for so long. */
const REVOKE_RETRY_MS = 5 * 60_000
/** Name of the provider in events, and its reason for a failed revocation. */
const PROVIDER_NAME = 'google-rbm'
const REVOKE_FAILED_REASON = 'TTL_EXPIRATION_REVOKE_FAILED'

function resolveFallbackReason({ state, payload }: DueFollowup): RcsFallbackReason {
  return state === 'delayed' ? 'delay' : (payload.reason ?? 'expired')
}

/** Takes a step of rows that are in several states, each from its own; gives those that took it. */
async function recordStepsByState(
  tx: Db,
  rows: readonly DueFollowup[],
  step: { to: RcsFollowupState; due: number | null },
): Promise<DueFollowup[]> {
  const recordedRows: DueFollowup[] = []
  // Three states at most.
  for (const [state, stateRows] of Map.groupBy(rows, (row) => row.state)) {
    const movedStamps = await recordFollowupStep(tx, stateRows, { from: [state], ...step })
    recordedRows.push(...stateRows.filter(({ stamp }) => movedStamps.has(stamp)))
  }
  return recordedRows
}

/** The bounce of a message that expired, and that nobody reported to have arrived. `time` in milliseconds. */
function buildExpiryBounce(send: AnySend, time: number): NewEvent {
  const diagnostic = 'expired, and could not be revoked; no delivery was reported'
  return createRcsBounceEvent(send, {
    time,
    analysis: classifyRcsRefusal('4.4.7', REVOKE_FAILED_REASON),
    code: REVOKE_FAILED_REASON,
    diagnostic,
    mta: PROVIDER_NAME,
  })
}

/**
 * Ends what will not arrive: its SMS is queued in the transaction that takes the step, once. What was reported to have
 * arrived before the step was taken is delivered.
 */
async function completeLate(db: Db, rows: readonly DueFollowup[], now: number): Promise<void> {
  if (rows.length === 0) return
  await inRetriedTransaction(db, async (tx) => {
    const delivered = await findDeliveredRcsStamps(tx, rows)
    const { arrived: arrivedRows = [], late: lateRows = [] } = Object.groupBy(rows, ({ stamp }) =>
      delivered.has(stamp) ? 'arrived' : 'late',
    )
    await recordStepsByState(tx, arrivedRows, { to: 'delivered', due: null })
    const completedRows = await recordStepsByState(tx, lateRows, { to: 'done', due: null })
    const unarrived = completedRows.flatMap((row) =>
      row.payload.sms
        ? [{ account: row.account, stamp: row.stamp, sms: row.payload.sms, reason: resolveFallbackReason(row) }]
        : [],
    )
    await queueSmsFallbacks(tx, unarrived, now)
    const expiredSends = await findRcsSends(
      tx,
      completedRows.filter(({ state }) => state === 'expired'),
    )
    await recordEvents(
      tx,
      expiredSends.flatMap((send) => (send ? [buildExpiryBounce(send, now)] : [])),
    )
  })
}

/** Has what is late or has expired taken back; then a report may still be under way, which is waited for. */
async function revokeLateMessages(
  db: Db,
  rows: readonly DueFollowup[],
  dependencies: RcsFollowupDependencies,
): Promise<void> {
  if (rows.length === 0) return
  const sends = (await findRcsSends(db, rows)).filter((send) => send !== undefined)
  const dealtWith = await revokeRcsSends(db, sends, dependencies)
  const knownStamps = new Set(sends.map(({ stamp }) => stamp.id))
  const now = dependencies.clock.now()
  const isOver = ({ stamp, due: dueAt }: DueFollowup) =>
    dealtWith.has(stamp) || !knownStamps.has(stamp) || now - dueAt.getTime() > REVOKE_RETRY_MS
  const finishedRows = rows.filter(isOver)
  const { pending = [], expiring = [] } = Object.groupBy(finishedRows, ({ state }) =>
    state === 'pending' ? 'pending' : 'expiring',
  )
  await recordFollowupStep(db, pending, { from: ['pending'], to: 'delayed', due: now + REPORT_GRACE_MS.delayed })
  await recordFollowupStep(db, expiring, { from: ['expiring'], to: 'expired', due: now + REPORT_GRACE_MS.expired })
}

/**
 * Handles the follow-ups of rich messages. A message is revoked when its time is over; if no report arrives meanwhile, its SMS is sent.
 * Messages that the provider cannot be asked about now remain unchanged and due.
 */
export function createRcsFollowupHandlers(dependencies: RcsFollowupDependencies): FollowupHandlers {
  const handleFollowups: FollowupHandler = async (db, followups) => {
    const dueFollowups = followups as readonly DueFollowup[]
    const isToRevoke = ({ state }: DueFollowup) => state === 'pending' || state === 'expiring'
    await completeLate(
      db,
      dueFollowups.filter((row) => !isToRevoke(row)),
      dependencies.clock.now(),
    )
    await revokeLateMessages(db, dueFollowups.filter(isToRevoke), dependencies)
  }
  return { [RCS_FOLLOWUP_KIND]: handleFollowups }
}
