import { setTimeout as delay } from 'node:timers/promises'

/** Whether a promise resolves within so many milliseconds; its work goes on when it does not. Rejects when it rejects. */
export function isResolvedWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([work.then(() => true), late]).finally(() => timer.abort())
}
