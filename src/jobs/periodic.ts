import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../database/errors.ts'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../lib/time/backoff.ts'
import type { DueWorkCondition, DueWorkWatch } from './due-watch.ts'
import { recordTaskFailure, recordTaskSuccess } from './failures.ts'

/** While a task fails, the pause between two runs is doubled up to this. */
const MAX_PAUSE_MS = 10_000

/** A task that has found work goes on so long without asking whether there is more. */
const BUSY_PERIOD_MS = 2000
/** A task is run so often whatever its condition says. */
const DEFAULT_REST_MS = 30_000

export interface PeriodicTask {
  name: string
  /** Milliseconds between the end of a run and the next one. */
  ms: number
  /** The condition under which there may be work; absent means always. */
  due?: DueWorkCondition
  /** The longest rest while nothing is due, in milliseconds. */
  restMs?: number
  /** One run; a long one ends early when the signal is aborted. */
  work(signal: AbortSignal): Promise<unknown>
}

/** Runs a task periodically until stopped; a failure is noted, and does not stop it. */
export function startPeriodicTask(
  { name, ms, due: dueCondition, restMs = DEFAULT_REST_MS, work }: PeriodicTask,
  { db, log, watch }: { db: Db; log: Logger; watch: DueWorkWatch },
): () => Promise<void> {
  const stopAbort = new AbortController()
  const { signal } = stopAbort
  if (dueCondition) watch.add(name, dueCondition)
  let workFoundAt = performance.now()
  const backoff: BackoffPolicy = { firstMs: 2 * ms, maxMs: Math.max(ms, MAX_PAUSE_MS), jitter: NO_JITTER }
  const taskLoop = (async () => {
    for (let failures = 0; !signal.aborted; ) {
      let pauseMs = ms
      try {
        if (dueCondition && performance.now() - workFoundAt > BUSY_PERIOD_MS) {
          const isDue = await watch.until(name, { signal, mostMs: restMs })
          if (signal.aborted) return
          if (isDue) workFoundAt = performance.now()
        }
        await work(signal)
        failures = 0
        await recordTaskSuccess(db, { task: name })
      } catch (error) {
        pauseMs = computeBackoffDelay(backoff, failures++)
        if (isDatabaseUnavailable(error)) log.error({ err: error, task: name }, 'periodic task failed')
        else
          await recordTaskFailure(db, { task: name }, error, pauseMs).catch((away) =>
            log.error({ err: away, task: name }, 'failure of a periodic task not recorded'),
          )
      }
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  })()
  return async () => {
    stopAbort.abort()
    await taskLoop
  }
}
