import type {
  Closed,
  Deferred,
  DestinationState,
  GatewayOutcome,
  OutgoingMail,
  Refused,
  ShapingOrders,
} from '../gateway.ts'
import type { Delivery } from '../queue.ts'
import { connectionsOf as connectionsIn } from '../smtp/pool.ts'
import { SessionRefused } from '../smtp/reply.ts'
import { ruleFor } from './destinations.ts'
import { connectionsOf, isSuspended, probed, rateOf, slowDown, stateOf, suspend } from './pace.ts'
import type { Destination } from './site.ts'

/** What went back is asked for again within this time. */
const MAX_BACKLOG_MS = 3_600_000
/** How long what an operator holds is left alone before it is looked at again. */
const HELD_MS = 60_000
/** After a suspension not everything comes at once. */
const SPREAD_MS = 60_000

/** Connections to a destination that stand or are being opened. */
export function connectionsTo({ active }: Destination): number {
  let sum = 0
  for (const { pool } of active) sum += connectionsIn(pool)
  return sum
}

/** Without addresses of people, and in one line: it is shown. */
function redact(reply: string): string {
  return reply.replace(/<?[^\s<>@"']+@[^\s<>@"']+>?/g, '<…>').slice(0, 500)
}

/** Whether nothing of an account may go to a destination, and why. */
export function closedTo(
  { kind, pace }: Pick<Destination, 'kind' | 'pace'>,
  { isHeld }: Pick<ShapingOrders, 'isHeld'>,
  { account, now }: { account: number | undefined; now: number },
): Closed | undefined {
  if (account !== undefined && isHeld(account, kind.name))
    return { reason: `an operator holds ${kind.name}`, retryAfterMs: HELD_MS }
  if (!isSuspended(pace, now)) return undefined
  const retryAfterMs = Math.ceil(pace.suspendedUntil - now + Math.random() * SPREAD_MS)
  return { reason: `${kind.name} is left alone for a while`, retryAfterMs }
}

/** When the next message that goes back has its turn: one after the other, at the rate of the destination. */
export function nextTurn({ pace, backlog }: Destination, { isBulk = false }: OutgoingMail, now: number): number {
  const lane = isBulk ? 'bulk' : 'other'
  backlog[lane] = Math.max(now + 1000, backlog[lane]) + 1000 / rateOf(pace, now)
  const waitMs = backlog[lane] - now
  // Beyond that: spread over the second half.
  return Math.ceil(waitMs < MAX_BACKLOG_MS ? waitMs : MAX_BACKLOG_MS * (0.5 + 0.5 * Math.random()))
}

/** What the end of a connection says: in the words of the remote when it had any. */
function wordsOf(fault: Error): string {
  const { cause } = fault
  const source = cause instanceof Error ? cause : fault
  return source instanceof SessionRefused ? (source.reply ?? source.message) : source.message
}

/** Draws the consequences of a reply for the destination; says which rule it was. */
function weigh(destination: Destination, reply: string, now: number) {
  const rule = ruleFor(destination.kind, reply)
  if (rule?.verdict === 'slow') slowDown(destination.pace, now)
  if (rule?.verdict === 'suspend') suspend(destination.pace, now, rule.minutes)
  return rule
}

function remember(destination: Destination, reply: string, now: number): void {
  destination.lastRefusal = redact(reply)
  destination.lastRefusalAt = now
}

/** Something against this sender, with a word or without: a sign to use less; when it came to a probe, to wait again. */
function weighSign(destination: Destination, words: string, now: number): void {
  const { pace } = destination
  remember(destination, words, now)
  if (pace.probing) suspend(pace, now)
  else if (weigh(destination, words, now) === undefined) slowDown(pace, now)
}

/**
 * A connection could not be opened, or ended at once. Without a word, and while no other stands, it is a matter of its
 * host alone and not of the destination.
 */
export function weighFault(destination: Destination, fault: Error, isAlone: boolean, now: number): void {
  if (!isAlone || /^[45]\d\d /.test(wordsOf(fault))) weighSign(destination, wordsOf(fault), now)
}

/** A connection on which messages were judged was ended by the remote: as servers do; only what it says counts. */
export function weighEnd(destination: Destination, fault: Error, now: number): void {
  weigh(destination, wordsOf(fault), now)
}

/** The outcome of one message as it is to be told, and its consequences for the destination. */
export function judge(destination: Destination, outcome: GatewayOutcome, now: number): GatewayOutcome {
  const { pace, kind } = destination
  if (outcome.result === 'accepted') probed(pace, now)
  // What has no host in it was judged here.
  if ((outcome.result !== 'deferred' && outcome.result !== 'refused') || outcome.mta === '') return outcome
  if (outcome.code === undefined) {
    weighSign(destination, outcome.reply, now)
    return outcome.result === 'deferred' ? { ...outcome, destination: kind.name } : outcome
  }
  const rule = weigh(destination, outcome.reply, now)
  if (outcome.result === 'deferred' || rule?.verdict === 'suspend') remember(destination, outcome.reply, now)
  if (!isSuspended(pace, now)) probed(pace, now)
  if (outcome.result === 'refused') return outcome
  if (rule?.verdict === 'refuse') return forGood(outcome)
  const { retryAfterMs } = closedTo(destination, { isHeld: () => false }, { account: undefined, now }) ?? {}
  return { ...outcome, destination: kind.name, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** A refusal for now that is known to be for good. */
function forGood({ destination: _, retryAfterMs: __, enhanced = '4.0.0', ...same }: Deferred): Refused {
  return { ...same, result: 'refused', enhanced: enhanced.replace(/^4/, '5') }
}

/** The answer for a message that is not begun. */
export function returned(
  { message }: Delivery<OutgoingMail>,
  destination: string,
  { reason, retryAfterMs }: Closed,
): GatewayOutcome {
  return { id: message.id, result: 'returned', destination, reason, retryAfterMs }
}

export function describe(destination: Destination, now: number): DestinationState {
  const { kind, pace, lastRefusal, lastRefusalAt } = destination
  return {
    destination: kind.name,
    state: stateOf(pace, now),
    rate: rateOf(pace, now),
    connections: connectionsOf(pace, now),
    suspendedUntil: isSuspended(pace, now) ? pace.suspendedUntil : null,
    lastRefusal,
    lastRefusalAt,
  }
}
