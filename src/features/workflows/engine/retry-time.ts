import { createHash } from 'node:crypto'
import { HOUR_MS, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { StoredRun } from '../run-stepper/run.ts'
import type { NodeFailureBlock } from './ready-definition.ts'

/** The longest wait that a far side may ask for. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS
const JITTER_RATIO = 0.1

/**
 * Computes when a node is retried (milliseconds): `delay × factor^n`, at most `max`, ±10 %; not before the time that the remote server
 * requests.
 */
export function computeRetryTime(
  { delay, factor, max }: NodeFailureBlock['retry'],
  { id, node, visit, attempt }: Pick<StoredRun, 'id' | 'node' | 'visit' | 'attempt'>,
  { now, afterMs = 0 }: { now: number; afterMs?: number | undefined },
): number {
  const retryDelayMs = Math.min(timeSpanLengthMs(delay) * factor ** (attempt - 1), timeSpanLengthMs(max))
  // The same whenever the step is repeated, and in a simulation.
  const digest = createHash('sha256').update(`${id}:${node}:${visit}:${attempt}`).digest()
  const jittered = retryDelayMs * (1 - JITTER_RATIO + (2 * JITTER_RATIO * digest.readUInt32BE(0)) / 2 ** 32)
  return now + Math.max(jittered, Math.min(afterMs, MAX_RETRY_AFTER_MS))
}
