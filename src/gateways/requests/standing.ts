import {
  type Backoff,
  type Circuit,
  createCircuit,
  delayAfter,
  FULL_JITTER,
  NO_JITTER,
  openFor,
  readRetryAfter,
  resetFailures,
  waitOf,
} from '../../lib/time/backoff.ts'
import type { Postponement, Verdict } from './verdict.ts'

/** After a 429 without Retry-After, a 5xx, or no answer. */
const backoff: Backoff = { firstMs: 1000, maxMs: 300_000, jitter: FULL_JITTER }

/** After so many refusals of credentials or agent in a row nothing is tried for a while. */
const MAX_DENIED = 20
const rest: Backoff = { firstMs: 300_000, maxMs: 3_600_000, jitter: NO_JITTER }

/** How an agent stands with the far side. Times are of one clock that runs evenly. */
export interface Standing {
  circuit: Circuit
  /** Failures of requests that began before it are those of one failure. */
  failedAt: number
  /** Refusals of credentials or agent in a row. */
  denied: number
  rests: number
  restedAt: number
}

/** `rests`: after refused credentials, in a row, the last of which is over: one request has to show that it works again. */
export function createStanding(rests = 0): Standing {
  return { circuit: createCircuit(), failedAt: 0, denied: rests > 0 ? MAX_DENIED : 0, rests, restedAt: 0 }
}

/** When a request began and ended, the time of day then (milliseconds since 1970), and how often its message was tried before. */
export interface Attempt {
  beganAt: number
  now: number
  date: number
  attempts: number
  random?: () => number
}

/** It works: what follows is a first failure again. */
function settle(standing: Standing, { beganAt }: Attempt): void {
  standing.denied = 0
  standing.rests = 0
  if (beganAt >= standing.failedAt) resetFailures(standing.circuit)
}

/** Counts a refusal of credentials or agent. Answers for how long its message stays queued; undefined: the refusal is its end. */
function deny(standing: Standing, attempt: Attempt): number | undefined {
  standing.denied++
  if (standing.denied < MAX_DENIED) return undefined
  const isFirst = standing.denied === MAX_DENIED
  if (isFirst || attempt.beganAt >= standing.restedAt) {
    openFor(standing.circuit, delayAfter(rest, standing.rests), 'credentials or agent are refused', attempt.now)
    standing.rests++
    standing.restedAt = attempt.now
  }
  return isFirst ? undefined : Math.max(0, standing.circuit.openUntil - attempt.now)
}

/** Counts that the far side does not work. Answers for how long the message waits. */
function fail(standing: Standing, verdict: Postponement, attempt: Attempt): number {
  const { circuit } = standing
  const { beganAt, now, date, attempts, random = Math.random } = attempt
  const asked = readRetryAfter(verdict.retryAfter, date)
  const isNew = beganAt >= standing.failedAt
  const failures = isNew ? circuit.failures : Math.max(0, circuit.failures - 1)
  const drawn = random()
  const delayOf = (failed: number) => asked ?? delayAfter(backoff, failed, () => drawn)
  const pauseMs = delayOf(failures)
  if (isNew) {
    circuit.failures++
    standing.failedAt = now
  }
  // Nothing that was said about one message is told in the reason: it is logged.
  if (isNew || asked !== undefined) openFor(circuit, pauseMs, verdict.code === '' ? 'no answer' : verdict.code, now)
  return Math.max(delayOf(Math.max(failures, attempts)), waitOf(circuit, now))
}

/** Takes note of a verdict. Answers for how long its message waits until it is tried again; undefined: it has its outcome. */
export function note(standing: Standing, verdict: Verdict, attempt: Attempt): number | undefined {
  if (verdict.what === 'settled') {
    settle(standing, attempt)
    return undefined
  }
  return verdict.what === 'denied' ? deny(standing, attempt) : fail(standing, verdict, attempt)
}

/** Whether it was refused so often that one request has to show first that it works again. */
export function isProbing({ denied }: Standing): boolean {
  return denied >= MAX_DENIED
}
