import {
  type BackoffPolicy,
  type CircuitBreaker,
  circuitWaitMs,
  computeBackoffDelay,
  createCircuitBreaker,
  FULL_JITTER,
  NO_JITTER,
  openCircuitBreaker,
  parseRetryAfter,
  resetCircuitBreaker,
} from '../../lib/time/backoff.ts'
import type { ReplyVerdict, RequestPostponement } from './verdict.ts'

/** After a 429 without Retry-After, a 5xx, or no answer. */
const backoff: BackoffPolicy = { firstMs: 1000, maxMs: 300_000, jitter: FULL_JITTER }

/** After so many refusals of credentials or agent in a row nothing is tried for a while. */
const MAX_DENIED = 20
const rest: BackoffPolicy = { firstMs: 300_000, maxMs: 3_600_000, jitter: NO_JITTER }

/** How an agent stands with the far side. Times are of one clock that runs evenly. */
export interface RemoteStatus {
  circuit: CircuitBreaker
  /** Failures of requests that began before it are those of one failure. */
  failedAt: number
  /** Refusals of credentials or agent in a row. */
  denied: number
  rests: number
  restedAt: number
}

/** `rests`: after refused credentials, in a row, the last of which is over: one request has to show that it works again. */
export function createRemoteStatus(rests = 0): RemoteStatus {
  return { circuit: createCircuitBreaker(), failedAt: 0, denied: rests > 0 ? MAX_DENIED : 0, rests, restedAt: 0 }
}

/** When a request began and ended, the time of day then (milliseconds since 1970), and how often its message was tried before. */
export interface RequestAttempt {
  beganAt: number
  now: number
  date: number
  attempts: number
  random?: () => number
}

/** It works: what follows is a first failure again. */
function settle(standing: RemoteStatus, { beganAt }: RequestAttempt): void {
  standing.denied = 0
  standing.rests = 0
  if (beganAt >= standing.failedAt) resetCircuitBreaker(standing.circuit)
}

/** Counts a refusal of credentials or agent. Answers for how long its message stays queued; undefined: the refusal is its end. */
function deny(standing: RemoteStatus, attempt: RequestAttempt): number | undefined {
  standing.denied++
  if (standing.denied < MAX_DENIED) return undefined
  const isFirst = standing.denied === MAX_DENIED
  if (isFirst || attempt.beganAt >= standing.restedAt) {
    openCircuitBreaker(
      standing.circuit,
      computeBackoffDelay(rest, standing.rests),
      'credentials or agent are refused',
      attempt.now,
    )
    standing.rests++
    standing.restedAt = attempt.now
  }
  return isFirst ? undefined : Math.max(0, standing.circuit.openUntil - attempt.now)
}

/** Counts that the far side does not work. Answers for how long the message waits. */
function fail(standing: RemoteStatus, verdict: RequestPostponement, attempt: RequestAttempt): number {
  const { circuit } = standing
  const { beganAt, now, date, attempts, random = Math.random } = attempt
  const asked = parseRetryAfter(verdict.retryAfter, date)
  const isNew = beganAt >= standing.failedAt
  const failures = isNew ? circuit.failures : Math.max(0, circuit.failures - 1)
  const drawn = random()
  const delayOf = (failed: number) => asked ?? computeBackoffDelay(backoff, failed, () => drawn)
  const pauseMs = delayOf(failures)
  if (isNew) {
    circuit.failures++
    standing.failedAt = now
  }
  // Nothing that was said about one message is told in the reason: it is logged.
  if (isNew || asked !== undefined)
    openCircuitBreaker(circuit, pauseMs, verdict.code === '' ? 'no answer' : verdict.code, now)
  return Math.max(delayOf(Math.max(failures, attempts)), circuitWaitMs(circuit, now))
}

/** Takes note of a verdict. Answers for how long its message waits until it is tried again; undefined: it has its outcome. */
export function recordRequestVerdict(
  standing: RemoteStatus,
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): number | undefined {
  if (verdict.what === 'settled') {
    settle(standing, attempt)
    return undefined
  }
  return verdict.what === 'denied' ? deny(standing, attempt) : fail(standing, verdict, attempt)
}

/** Whether it was refused so often that one request has to show first that it works again. */
export function isProbingRemote({ denied }: RemoteStatus): boolean {
  return denied >= MAX_DENIED
}
