import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import type { DeliveryRefusal, EndedDelivery, NewFollowup } from '../channel.ts'
import type { OutboxMessage } from '../message.ts'
import type { ContentVersionSource } from '../version-source.ts'
import type { RcsVersionContent } from './content/content-schemas.ts'
import { rcsPeriodToMs } from './content/periods.ts'

/*
 * What follows a rich message once it was handed over (rcs.md 6.3, 6.4): one row of `followups` of this kind. A step is taken by
 * `moveFollowups`, in one statement, so that a report and the clock never both decide.
 */

/** The kind of the row. */
export const RCS_FOLLOWUP_KIND = 'rcs'

/**
 * `pending`: nothing was reported. `delayed`: it is late, was revoked, and a report may be under way. `expiring`: it has
 * expired, RBM could not revoke it, and it is to be revoked. `expired`: it was, and a report may be under way. `fallback`: it
 * will not arrive, and its SMS is due.
 *
 * The last two are final: `delivered`; `done`: it will not arrive, and its SMS is in the outbox, where it has one.
 */
export type RcsFollowupState = 'pending' | 'delayed' | 'expiring' | 'expired' | 'fallback' | 'delivered' | 'done'

/** The states in which it is not yet known what becomes of the message. */
export const openRcsFollowupStates: readonly RcsFollowupState[] = ['pending', 'delayed', 'expiring', 'expired']

/** Why an SMS goes out in place of a rich message. */
export type RcsFallbackReason = 'unreachable' | 'refused' | 'expired' | 'delay'

/** Queue options of an SMS. */
export interface RcsFallbackSms {
  sending: number
  lane: OutboxLane
  depth: number
  /** Milliseconds: how long it may wait, which is as long as the rich message might. */
  waitMs: number
  /** It goes to what the contact has in the field then; else to the address of the rich message. */
  isToContact: boolean
}

/** Payload of the row, in addition to the recorded data of the message. */
export interface RcsFollowupPayload {
  /** Absent if there is no SMS. */
  sms?: RcsFallbackSms
  /** Why it is due, where that is known from the beginning. */
  reason?: RcsFallbackReason
}

const FALLBACK_REASONS: Readonly<Record<string, RcsFallbackReason>> = { '5.3.3': 'unreachable', '4.4.7': 'expired' }

function getFallbackReason({ enhanced }: DeliveryRefusal): RcsFallbackReason {
  return FALLBACK_REASONS[enhanced ?? ''] ?? 'refused'
}

function selectLane({ kind }: OutboxMessage, { settings }: ContentVersionSource): OutboxLane {
  if (kind === 'test' || settings.priority) return outboxLanes.urgent
  return kind === 'campaign' ? outboxLanes.bulk : outboxLanes.transactional
}

/**
 * Builds the follow-up of a rich message of a version with a fallback: its SMS, at once if the message was refused, otherwise if it does
 * not arrive.
 */
export function buildRcsFollowup(
  message: OutboxMessage,
  { refusal, at }: EndedDelivery,
  source: ContentVersionSource,
): NewFollowup | undefined {
  const { fallback } = source.content as RcsVersionContent
  if (fallback === null) return undefined
  const sms = {
    sending: message.sending,
    lane: selectLane(message, source),
    depth: message.depth,
    waitMs: Math.max(0, message.expiresAt.getTime() - message.stamp.time),
    isToContact: message.address === null,
  }
  const kind = RCS_FOLLOWUP_KIND
  if (refusal !== null) {
    const payload: RcsFollowupPayload = { sms, reason: getFallbackReason(refusal) }
    return { kind, due: at, state: 'fallback' satisfies RcsFollowupState, payload }
  }
  const payload: RcsFollowupPayload = { sms }
  return { kind, due: fallback.after ? at + rcsPeriodToMs(fallback.after) : null, payload }
}
