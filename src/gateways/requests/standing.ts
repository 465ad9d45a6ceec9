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
const requestBackoff: BackoffPolicy = { firstMs: 1000, maxMs: 300_000, jitter: FULL_JITTER }

/** Maximum number of consecutive refusals of credentials or agent; after that, requests pause for a while. */
const MAX_DENIED_REQUESTS = 20
const suspensionBackoff: BackoffPolicy = { firstMs: 300_000, maxMs: 3_600_000, jitter: NO_JITTER }

/** Status of the remote side for an agent. Times are of one monotonic clock. */
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
  return {
    circuit: createCircuitBreaker(),
    failedAt: 0,
    denied: rests > 0 ? MAX_DENIED_REQUESTS : 0,
    rests,
    restedAt: 0,
  }
}

/**
 * Start and end of a request, the wall-clock time at its end (milliseconds since 1970), and the number of earlier attempts for its
 * message.
 */
export interface RequestAttempt {
  beganAt: number
  now: number
  date: number
  attempts: number
  random?: () => number
}

/** It works: what follows is a first failure again. */
function recordSuccess(remoteStatus: RemoteStatus, { beganAt }: RequestAttempt): void {
  remoteStatus.denied = 0
  remoteStatus.rests = 0
  if (beganAt >= remoteStatus.failedAt) resetCircuitBreaker(remoteStatus.circuit)
}

/** Counts a refusal of credentials or agent. Answers for how long its message stays queued; undefined: the refusal is its end. */
function recordDenial(remoteStatus: RemoteStatus, attempt: RequestAttempt): number | undefined {
  remoteStatus.denied++
  if (remoteStatus.denied < MAX_DENIED_REQUESTS) return undefined
  const isFirst = remoteStatus.denied === MAX_DENIED_REQUESTS
  if (isFirst || attempt.beganAt >= remoteStatus.restedAt) {
    openCircuitBreaker(
      remoteStatus.circuit,
      computeBackoffDelay(suspensionBackoff, remoteStatus.rests),
      'credentials or agent refused',
      attempt.now,
    )
    remoteStatus.rests++
    remoteStatus.restedAt = attempt.now
  }
  return isFirst ? undefined : Math.max(0, remoteStatus.circuit.openUntil - attempt.now)
}

/** Counts that the far side does not work. Answers for how long the message waits. */
function recordFailure(remoteStatus: RemoteStatus, verdict: RequestPostponement, attempt: RequestAttempt): number {
  const { circuit } = remoteStatus
  const { beganAt, now, date, attempts, random = Math.random } = attempt
  const requestedDelayMs = parseRetryAfter(verdict.retryAfter, date)
  const isNewFailure = beganAt >= remoteStatus.failedAt
  const failures = isNewFailure ? circuit.failures : Math.max(0, circuit.failures - 1)
  const randomValue = random()
  const computeDelay = (failed: number) =>
    requestedDelayMs ?? computeBackoffDelay(requestBackoff, failed, () => randomValue)
  const pauseMs = computeDelay(failures)
  if (isNewFailure) {
    circuit.failures++
    remoteStatus.failedAt = now
  }
  // The reason is logged, so it must not include anything about one message.
  if (isNewFailure || requestedDelayMs !== undefined)
    openCircuitBreaker(circuit, pauseMs, verdict.code === '' ? 'no answer' : verdict.code, now)
  return Math.max(computeDelay(Math.max(failures, attempts)), circuitWaitMs(circuit, now))
}

/** Takes note of a verdict. Answers for how long its message waits until it is tried again; undefined: it has its outcome. */
export function recordRequestVerdict(
  remoteStatus: RemoteStatus,
  verdict: ReplyVerdict,
  attempt: RequestAttempt,
): number | undefined {
  if (verdict.what === 'settled') {
    recordSuccess(remoteStatus, attempt)
    return undefined
  }
  return verdict.what === 'denied' ? recordDenial(remoteStatus, attempt) : recordFailure(remoteStatus, verdict, attempt)
}

/** Returns true if it was refused so often that one request has to succeed before others are sent. */
export function isProbingRemote({ denied }: RemoteStatus): boolean {
  return denied >= MAX_DENIED_REQUESTS
}
