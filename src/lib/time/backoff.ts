/**
 * The time for which a remote that failed is left alone: `firstMs`, doubled by each further failure up to `maxMs`, or the listed delays,
 * of which the last repeats.
 */
export type BackoffPolicy = ({ firstMs: number; maxMs: number } | { delaysMs: readonly number[] }) & {
  /** The delay is multiplied by a random factor from the first to the second, so that clients do not return together. */
  jitter: readonly [from: number, to: number]
}

/** Without a random part. */
export const NO_JITTER = [1, 1] as const
/** A fifth either way. */
export const FIFTH_JITTER = [0.8, 1.2] as const
/** From half of the delay to the whole. */
export const HALF_JITTER = [0.5, 1] as const
/** From nothing to the whole delay. */
export const FULL_JITTER = [0, 1] as const

/** The delay in milliseconds after a failure. `failures`: those in a row before it; `random` gives 0 up to 1. */
export function computeBackoffDelay(
  backoff: BackoffPolicy,
  failures: number,
  random: () => number = Math.random,
): number {
  const [minFactor, maxFactor] = backoff.jitter
  const delayMs =
    'delaysMs' in backoff
      ? (backoff.delaysMs[Math.min(failures, backoff.delaysMs.length - 1)] ?? 0)
      : Math.min(backoff.maxMs, backoff.firstMs * 2 ** failures)
  return delayMs * (minFactor + (maxFactor - minFactor) * random())
}

/** No remote is left alone for longer because it says so, in milliseconds. */
export const MAX_RETRY_AFTER_MS = 3_600_000

/**
 * A Retry-After header (RFC 9110, 10.2.3), seconds or a date, in milliseconds from `now`: from 0 to an hour. Undefined if it is missing or
 * unreadable.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const waitMs = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS)
}

/** The state that decides if a remote may be tried. Times are of any one clock, in milliseconds. */
export interface CircuitBreaker {
  /** Failures in a row. */
  failures: number
  /** Nothing is tried before this time. */
  openUntil: number
  /** The last failure. */
  lastFault: string
}

export function createCircuitBreaker(): CircuitBreaker {
  return { failures: 0, openUntil: 0, lastFault: '' }
}

/** Counts one more failure, and gives the delay that follows it. The circuit stays as it is: see `openCircuitBreaker`. */
export function countCircuitFailure(
  circuit: CircuitBreaker,
  backoff: BackoffPolicy,
  random: () => number = Math.random,
): number {
  const delayMs = computeBackoffDelay(backoff, circuit.failures, random)
  circuit.failures++
  return delayMs
}

/** Opens the circuit for so long from `now`, or leaves it open for longer. */
export function openCircuitBreaker(circuit: CircuitBreaker, delayMs: number, fault: string, now: number): void {
  circuit.openUntil = Math.max(circuit.openUntil, now + delayMs)
  circuit.lastFault = fault
}

/** The remote was of use: the next failure is a first one. */
export function resetCircuitBreaker(circuit: CircuitBreaker): void {
  circuit.failures = 0
}

/** Differences of times with fractions are off by less than this: 3 s must not come out as 3,001 ms. */
const ROUNDING_TOLERANCE_MS = 1e-6

/** Milliseconds until the remote may be tried, rounded up; 0 when it may be now. */
export function circuitWaitMs({ openUntil }: CircuitBreaker, now: number): number {
  return Math.max(0, Math.ceil(openUntil - now - ROUNDING_TOLERANCE_MS))
}
