import { openRcsFollowupStates, RCS_FOLLOWUP_KIND, type RcsFollowupState } from '../../../channels/rcs/followups.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { type FollowupKey, moveFollowups, storeFollowups } from '../../../sending/record/followups.ts'
import { findDeliveredRcsStamps } from '../../events/record/rcs-activations.ts'

/*
 * The steps of what follows a rich message. Reports and the clock take them by these functions, in the transactions of their
 * effects and before the events: whoever comes first decides.
 */

/** A message that something follows. */
export type RcsFollowupSend = Omit<FollowupKey, 'kind'>

/** A step from one of these states to another. */
interface FollowupStep {
  from: readonly RcsFollowupState[]
  to: RcsFollowupState
  /** Milliseconds; null: nothing more is to be done. */
  due: number | null
}

/** Takes a step; gives the stamps of the messages that took it. */
export function recordFollowupStep(
  tx: Db,
  sends: readonly RcsFollowupSend[],
  step: FollowupStep,
): Promise<Set<string>> {
  return moveFollowups(
    tx,
    sends.map(({ account, stamp }) => ({ account, stamp, kind: RCS_FOLLOWUP_KIND, ...step })),
  )
}

/** Messages arrived, or were read: nothing is to follow them any more. */
export async function closeFollowups(tx: Db, sends: readonly RcsFollowupSend[]): Promise<void> {
  await recordFollowupStep(tx, sends, { from: openRcsFollowupStates, to: 'delivered', due: null })
}

/** A step that each message takes once, also one of which nothing was to follow, unless it arrived. Gives those that took it. */
async function recordStep<Send extends RcsFollowupSend>(
  tx: Db,
  sends: readonly Send[],
  step: FollowupStep,
  now: number,
): Promise<Send[]> {
  if (sends.length === 0) return []
  const delivered = await findDeliveredRcsStamps(tx, sends)
  const undelivered = sends.filter(({ stamp }) => !delivered.has(stamp))
  await storeFollowups(
    tx,
    undelivered.map(({ account, stamp }) => ({ account, stamp, kind: RCS_FOLLOWUP_KIND, due: now, payload: {} })),
  )
  const movedStamps = await recordFollowupStep(tx, undelivered, step)
  return undelivered.filter(({ stamp }) => movedStamps.has(stamp))
}

/** Messages expired and were revoked: what is to follow them is due. Gives those that will not arrive by this report. */
export function expireFollowups<Send extends RcsFollowupSend>(
  tx: Db,
  sends: readonly Send[],
  now: number,
): Promise<Send[]> {
  return recordStep(tx, sends, { from: openRcsFollowupStates, to: 'fallback', due: now }, now)
}

/** Messages expired and could not be revoked: they are to be revoked, and reports to be waited for. */
export async function retryRevocations(tx: Db, sends: readonly RcsFollowupSend[], now: number): Promise<void> {
  await recordStep(tx, sends, { from: ['pending'], to: 'expiring', due: now }, now)
}
