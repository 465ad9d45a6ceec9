import { setTimeout as delay } from 'node:timers/promises'

/**
 * Returns true if a promise resolves within this number of milliseconds; its work continues if it does not. Rejects if the promise
 * rejects.
 */
export function isResolvedWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timerAbort = new AbortController()
  const timeout = delay(ms, false, { signal: timerAbort.signal }).catch(() => false)
  return Promise.race([work.then(() => true), timeout]).finally(() => timerAbort.abort())
}
