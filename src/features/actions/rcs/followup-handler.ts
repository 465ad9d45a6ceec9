import { classifyRcsRefusal } from '../../../channels/rcs/bounces.ts'
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

/** What follows a rich message, as its row was read. */
interface Due extends Followup {
  state: RcsFollowupState
  payload: RcsFollowupPayload
}

/** What steps need beside the database. */
export interface RcsFollowupDependencies extends RcsRevocationDependencies {
  clock: Clock
}

/** For so long after the revocation a report may be under way. */
const REPORT_MS = { delayed: 10_000, expired: 60_000 }
/** A provider that does not answer is asked again for so long. */
const REVOKE_MS = 5 * 60_000
/** What the provider is called in events, and its word for what it could not do. */
const PROVIDER = 'google-rbm'
const REVOKE_FAILED = 'TTL_EXPIRATION_REVOKE_FAILED'

function reasonOf({ state, payload }: Due): RcsFallbackReason {
  return state === 'delayed' ? 'delay' : (payload.reason ?? 'expired')
}

/** Takes a step of rows that are in several states, each from its own; gives those that took it. */
async function stepFrom(
  tx: Db,
  rows: readonly Due[],
  step: { to: RcsFollowupState; due: number | null },
): Promise<Due[]> {
  const taken: Due[] = []
  // Three states at most.
  for (const [state, own] of Map.groupBy(rows, (row) => row.state)) {
    const moved = await recordFollowupStep(tx, own, { from: [state], ...step })
    taken.push(...own.filter(({ stamp }) => moved.has(stamp)))
  }
  return taken
}

/** The bounce of a message that expired, and that nobody reported to have arrived. `time` in milliseconds. */
function expiryOf(send: AnySend, time: number): NewEvent {
  const diagnostic = 'expired, and could not be revoked; no delivery was reported'
  return createRcsBounceEvent(send, {
    time,
    analysis: classifyRcsRefusal('4.4.7', REVOKE_FAILED),
    code: REVOKE_FAILED,
    diagnostic,
    mta: PROVIDER,
  })
}

/**
 * Ends what will not arrive: its SMS is queued in the transaction that takes the step, once. What was reported to have
 * arrived before the step was taken is delivered.
 */
async function endLate(db: Db, rows: readonly Due[], now: number): Promise<void> {
  if (rows.length === 0) return
  await inRetriedTransaction(db, async (tx) => {
    const delivered = await findDeliveredRcsStamps(tx, rows)
    const { arrived = [], late = [] } = Object.groupBy(rows, ({ stamp }) => (delivered.has(stamp) ? 'arrived' : 'late'))
    await stepFrom(tx, arrived, { to: 'delivered', due: null })
    const ended = await stepFrom(tx, late, { to: 'done', due: null })
    const unarrived = ended.flatMap((row) =>
      row.payload.sms ? [{ account: row.account, stamp: row.stamp, sms: row.payload.sms, reason: reasonOf(row) }] : [],
    )
    await queueSmsFallbacks(tx, unarrived, now)
    const expired = await findRcsSends(
      tx,
      ended.filter(({ state }) => state === 'expired'),
    )
    await recordEvents(
      tx,
      expired.flatMap((send) => (send ? [expiryOf(send, now)] : [])),
    )
  })
}

/** Has what is late or has expired taken back; then a report may still be under way, which is waited for. */
async function revokeLate(db: Db, rows: readonly Due[], dependencies: RcsFollowupDependencies): Promise<void> {
  if (rows.length === 0) return
  const sends = (await findRcsSends(db, rows)).filter((send) => send !== undefined)
  const dealtWith = await revokeRcsSends(db, sends, dependencies)
  const known = new Set(sends.map(({ stamp }) => stamp.id))
  const now = dependencies.clock.now()
  const isOver = ({ stamp, due }: Due) => dealtWith.has(stamp) || !known.has(stamp) || now - due.getTime() > REVOKE_MS
  const over = rows.filter(isOver)
  const { pending = [], expiring = [] } = Object.groupBy(over, ({ state }) =>
    state === 'pending' ? 'pending' : 'expiring',
  )
  await recordFollowupStep(db, pending, { from: ['pending'], to: 'delayed', due: now + REPORT_MS.delayed })
  await recordFollowupStep(db, expiring, { from: ['expiring'], to: 'expired', due: now + REPORT_MS.expired })
}

/**
 * Does what follows rich messages (rcs.md 6.3, 6.4). One whose time is over is revoked; when nothing is reported meanwhile, its SMS goes
 * out. Messages that the provider cannot be asked about now stay as they are, and are due again.
 */
export function createRcsFollowupHandlers(dependencies: RcsFollowupDependencies): FollowupHandlers {
  const handler: FollowupHandler = async (db, followups) => {
    const due = followups as readonly Due[]
    const isToRevoke = ({ state }: Due) => state === 'pending' || state === 'expiring'
    await endLate(
      db,
      due.filter((row) => !isToRevoke(row)),
      dependencies.clock.now(),
    )
    await revokeLate(db, due.filter(isToRevoke), dependencies)
  }
  return { [RCS_FOLLOWUP_KIND]: handler }
}
