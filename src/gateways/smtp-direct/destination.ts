import type {
  ClosedDestination,
  DeferredDelivery,
  DestinationState,
  GatewayOutcome,
  OutgoingMail,
  RefusedDelivery,
  ShapingOrders,
} from '../gateway.ts'
import type { QueuedDelivery } from '../queue.ts'
import { countSmtpConnections } from '../smtp/pool.ts'
import { SmtpSessionRefused } from '../smtp/reply.ts'
import { findReplyRule } from './destinations.ts'
import {
  getPaceConnections,
  getPaceRate,
  getPaceState,
  isPaceSuspended,
  resumePaceAfterProbe,
  slowDownPace,
  suspendPace,
} from './pace.ts'
import type { MailDestination } from './site.ts'

/** Returned messages are asked for again within this time. */
const MAX_BACKLOG_MS = 3_600_000
/** Delay before a message that an operator put on hold is retried. */
const HOLD_RETRY_MS = 60_000
/** Spreads the messages that return after a suspension. */
const RETURN_SPREAD_MS = 60_000

/** Connections to a destination that are open or being opened. */
export function countDestinationConnections({ active }: MailDestination): number {
  let totalCount = 0
  for (const { pool } of active) totalCount += countSmtpConnections(pool)
  return totalCount
}

/** In one line and without mail addresses, as it is shown to operators. */
function redactReply(reply: string): string {
  return reply.replace(/<?(?<![^\s<>@"'])[^\s<>@"']+@[^\s<>@"']+>?/g, '<…>').slice(0, 500)
}

/** Why nothing of an account may be sent to a destination; undefined: it may. */
export function findDestinationClosure(
  { kind, pace }: Pick<MailDestination, 'kind' | 'pace'>,
  { isHeld }: Pick<ShapingOrders, 'isHeld'>,
  { account, now }: { account: number | undefined; now: number },
): ClosedDestination | undefined {
  if (account !== undefined && isHeld(account, kind.name))
    return { reason: `an operator holds ${kind.name}`, retryAfterMs: HOLD_RETRY_MS }
  if (!isPaceSuspended(pace, now)) return undefined
  const retryAfterMs = Math.ceil(pace.suspendedUntil - now + Math.random() * RETURN_SPREAD_MS)
  return { reason: `${kind.name} is suspended`, retryAfterMs }
}

/** Reserves the due time of the next returned message: one after the other, at the rate of the destination. */
export function reserveDestinationTurn(
  { pace, backlog }: MailDestination,
  { isBulk = false }: OutgoingMail,
  now: number,
): number {
  const backlogLane = isBulk ? 'bulk' : 'other'
  // The clock was put back.
  if (now < backlog.at) Object.assign(backlog, { bulk: 0, other: 0 })
  backlog.at = now
  backlog[backlogLane] = Math.max(now + 1000, backlog[backlogLane]) + 1000 / getPaceRate(pace, now)
  const waitMs = backlog[backlogLane] - now
  // Beyond the longest backlog: spread over its second half.
  return Math.ceil(waitMs < MAX_BACKLOG_MS ? waitMs : MAX_BACKLOG_MS * (0.5 + 0.5 * Math.random()))
}

/** The reason of the end of a connection: the reply of the remote when there was one. */
function describeEnd(fault: Error): string {
  const { cause } = fault
  const faultSource = cause instanceof Error ? cause : fault
  return faultSource instanceof SmtpSessionRefused ? (faultSource.reply ?? faultSource.message) : faultSource.message
}

/** Applies the rule that a reply matches to the destination; answers the rule. */
function applyRule(destination: MailDestination, reply: string, now: number) {
  const rule = findReplyRule(destination.kind, reply)
  if (rule?.verdict === 'slow') slowDownPace(destination.pace, now)
  if (rule?.verdict === 'suspend') suspendPace(destination.pace, now, rule.minutes)
  return rule
}

function recordRefusal(destination: MailDestination, reply: string, now: number): void {
  destination.lastRefusal = redactReply(reply)
  destination.lastRefusalAt = now
}

/** A refusal of this sender, with a reply or without: slows the destination down; of a probe: suspends it again. */
function applyRefusal(destination: MailDestination, reply: string, now: number): void {
  const { pace } = destination
  recordRefusal(destination, reply, now)
  if (pace.probing) suspendPace(pace, now)
  else if (applyRule(destination, reply, now) === undefined) slowDownPace(pace, now)
}

/**
 * A connection could not be opened, or ended at once. Without a reply, and while no other is open, only its host counts
 * as failed, not the destination.
 */
export function recordConnectionFault(destination: MailDestination, fault: Error, isAlone: boolean, now: number): void {
  if (!isAlone || /^[45]\d\d /.test(describeEnd(fault))) applyRefusal(destination, describeEnd(fault), now)
}

/** The remote ended a connection after it had answered messages, as servers do: only its reply counts. */
export function recordConnectionEnd(destination: MailDestination, fault: Error, now: number): void {
  applyRule(destination, describeEnd(fault), now)
}

/** Applies the outcome of one message to the destination, and answers it as it is reported. */
export function applyDeliveryOutcome(
  destination: MailDestination,
  outcome: GatewayOutcome,
  now: number,
): GatewayOutcome {
  const { pace, kind } = destination
  if (outcome.result === 'accepted') resumePaceAfterProbe(pace, now)
  // Without a host it was refused here.
  if ((outcome.result !== 'deferred' && outcome.result !== 'refused') || outcome.mta === '') return outcome
  if (outcome.code === undefined) {
    applyRefusal(destination, outcome.reply, now)
    return outcome.result === 'deferred' ? { ...outcome, destination: kind.name } : outcome
  }
  const rule = applyRule(destination, outcome.reply, now)
  if (outcome.result === 'deferred' || rule?.verdict === 'suspend') recordRefusal(destination, outcome.reply, now)
  if (!isPaceSuspended(pace, now)) resumePaceAfterProbe(pace, now)
  if (outcome.result === 'refused') return outcome
  if (rule?.verdict === 'refuse') return toPermanentRefusal(outcome)
  const { retryAfterMs } =
    findDestinationClosure(destination, { isHeld: () => false }, { account: undefined, now }) ?? {}
  return { ...outcome, destination: kind.name, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** A temporary refusal that is known to be permanent. */
function toPermanentRefusal({
  destination: _,
  retryAfterMs: __,
  enhanced = '4.0.0',
  ...commonOutcome
}: DeferredDelivery): RefusedDelivery {
  return { ...commonOutcome, result: 'refused', enhanced: enhanced.replace(/^4/, '5') }
}

/** The outcome of a message that is not sent now. */
export function buildReturnedOutcome(
  { message }: QueuedDelivery<OutgoingMail>,
  destination: string,
  { reason, retryAfterMs }: ClosedDestination,
): GatewayOutcome {
  return { id: message.id, result: 'returned', destination, reason, retryAfterMs }
}

export function toDestinationState(destination: MailDestination, now: number): DestinationState {
  const { kind, pace, lastRefusal, lastRefusalAt } = destination
  return {
    destination: kind.name,
    state: getPaceState(pace, now),
    rate: getPaceRate(pace, now),
    connections: getPaceConnections(pace, now),
    suspendedUntil: isPaceSuspended(pace, now) ? pace.suspendedUntil : null,
    lastRefusal,
    lastRefusalAt,
  }
}
