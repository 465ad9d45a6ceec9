import { setTimeout as delay } from 'node:timers/promises'

/** Whether something is done within so many milliseconds; it goes on when not. Rejects when it does. */
export function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([work.then(() => true), late]).finally(() => timer.abort())
}
