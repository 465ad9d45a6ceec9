import { limits } from './limits.ts'
import type { Thread } from './threads.ts'

/**
 * Watches a thread that may compute for `cpuMs` more, and until `wallEnd` on the clock of `performance.now()`, which may be infinite. A run stops
 * at its limits by itself, but not within a native function that takes long: `onPassed` is called once for a thread that has passed a limit
 * without an answer. Processor time is asked for only once a run has taken longer than most do, and counts from then on. The answer ends the watch.
 */
export function guardThread(
  thread: Thread,
  cpuMs: number,
  wallEnd: number,
  onPassed: (limit: 'cpu' | 'wall') => void,
): () => void {
  let last: NodeJS.Timeout | undefined
  let unwatch: (() => void) | undefined
  const pass = (limit: 'cpu' | 'wall'): void => {
    // Where this thread was busy, an answer that has come is read first.
    last ??= setTimeout(onPassed, 0, limit)
  }
  const wallMs = Math.max(0, wallEnd - performance.now()) + limits.graceMs
  const wall = Number.isFinite(wallMs) ? setTimeout(pass, wallMs, 'wall') : undefined
  const late = setTimeout(() => {
    unwatch = thread.watch(cpuMs + limits.endMs, pass)
  }, limits.graceMs)
  return () => {
    for (const timer of [wall, late, last]) clearTimeout(timer)
    unwatch?.()
  }
}
