import { computeBackoffDelay, FIFTH_JITTER } from '../../lib/time/backoff.ts'
import { isStillWaiting } from '../../lib/time/clock.ts'
import type { DestinationLimits } from './destination-table.ts'

/** A reduced rate doubles again in this time. */
const RATE_DOUBLING_MS = 10 * 60_000
/** Signs within this time count once: all connections of a destination get the same refusal together. */
const SIGNAL_WINDOW_MS = 10_000
const MIN_RATE_FACTOR = 1 / 64
/** The part of its limits that a destination gets after a suspension. */
const POST_PROBE_FACTOR = 1 / 4
/** Suspensions that follow each other within this time grow. */
const STRIKE_WINDOW_MS = 3_600_000

/** State of this sender's rate to a destination. Times are milliseconds since 1970. */
export interface DestinationPace {
  limits: DestinationLimits
  /** Number of senders that share the limits. */
  senders: number
  /** The part of the limits that was used at `at`; it has grown since. */
  factor: number
  at: number
  suspendedUntil: number
  /** Maximum duration of that suspension. */
  suspendedMs: number
  /** Suspensions in a row. */
  strikes: number
  /** Between a suspension and the first message that is answered after it. */
  probing: boolean
  /** Messages that may be sent now. */
  tokens: number
  countedAt: number
}

export function createDestinationPace(limits: DestinationLimits, senders: number, now: number): DestinationPace {
  const pace = { limits, senders, factor: 1, at: now, suspendedUntil: 0, suspendedMs: 0, strikes: 0, probing: false }
  return { ...pace, tokens: Math.max(1, limits.rate / senders), countedAt: now }
}

/** The part of its limits that a destination gets now, up to 1. */
export function getPaceFactor({ factor, at }: DestinationPace, now: number): number {
  return Math.min(1, factor * 2 ** (Math.max(0, now - at) / RATE_DOUBLING_MS))
}

/** Messages a second. */
export function getPaceRate(pace: DestinationPace, now: number): number {
  return (pace.limits.rate / pace.senders) * getPaceFactor(pace, now)
}

/** At least one; exactly one while a destination is tried again after a suspension. */
export function getPaceConnections(pace: DestinationPace, now: number): number {
  if (pace.probing) return 1
  return Math.max(1, Math.floor((pace.limits.connections / pace.senders) * getPaceFactor(pace, now)))
}

export function isPaceSuspended({ suspendedUntil, suspendedMs }: DestinationPace, now: number): boolean {
  return isStillWaiting(suspendedUntil, { now, longestMs: suspendedMs })
}

export function getPaceState(pace: DestinationPace, now: number): 'open' | 'slow' | 'suspended' {
  if (isPaceSuspended(pace, now)) return 'suspended'
  return pace.probing || getPaceFactor(pace, now) < 1 ? 'slow' : 'open'
}

/** Halves the rate. Signs that come together count once. */
export function slowDownPace(pace: DestinationPace, now: number): void {
  if (pace.factor < 1 && isStillWaiting(pace.at + SIGNAL_WINDOW_MS, { now, longestMs: SIGNAL_WINDOW_MS })) return
  pace.factor = Math.max(MIN_RATE_FACTOR, getPaceFactor(pace, now) / 2)
  pace.at = now
}

/** Suspends for `minutes`, or for the next back-off of the limits. After that, one message is sent as a probe. */
export function suspendPace(
  pace: DestinationPace,
  now: number,
  minutes?: number,
  random: () => number = Math.random,
): void {
  if (isPaceSuspended(pace, now)) return
  if (now - pace.suspendedUntil > STRIKE_WINDOW_MS) pace.strikes = 0
  const { backoff } = pace.limits
  // A failed probe waits longer than the first suspension.
  const backoffMinutes = minutes === undefined || pace.strikes > 0 ? backoff : [0]
  const delaysMs = backoffMinutes.map((step) => Math.max(minutes ?? 0, step) * 60_000)
  const delayMs = Math.round(computeBackoffDelay({ delaysMs, jitter: FIFTH_JITTER }, pace.strikes, random))
  // What is left of one from before the clock was put back is over.
  pace.suspendedUntil = Math.min(pace.suspendedUntil, now)
  suspendPaceUntil(pace, now + delayMs, delayMs)
  pace.strikes++
}

/** Suspends until a time, for so long at most; without that, as another sender found. */
export function suspendPaceUntil(pace: DestinationPace, until: number, longestMs = Number.POSITIVE_INFINITY): void {
  if (until <= pace.suspendedUntil) return
  pace.suspendedUntil = until
  pace.suspendedMs = longestMs
  pace.probing = true
}

/** The probe was answered: resumes at a reduced rate. */
export function resumePaceAfterProbe(pace: DestinationPace, now: number): void {
  if (!pace.probing || isPaceSuspended(pace, now)) return
  pace.probing = false
  pace.factor = POST_PROBE_FACTOR
  pace.at = now
}

/** Token bucket: holds up to a second's worth of messages. */
function spendToken(pace: DestinationPace, now: number): number {
  const rate = getPaceRate(pace, now)
  pace.tokens = Math.min(Math.max(1, rate), pace.tokens + (Math.max(0, now - pace.countedAt) / 1000) * rate)
  pace.countedAt = now
  return pace.tokens
}

/** Returns true if one more message may be sent now. */
export function hasPaceToken(pace: DestinationPace, now: number): boolean {
  return !isPaceSuspended(pace, now) && spendToken(pace, now) >= 1
}

/** One is sent. */
export function takePaceToken(pace: DestinationPace): void {
  pace.tokens--
}
