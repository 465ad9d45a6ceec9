import type { ThreadLimit } from '../../lib/concurrency/thread-limit.ts'
import { sandboxLimits } from './limits.ts'
import type { SandboxThread } from './threads.ts'

/**
 * Watches a thread that may compute for `cpuMs` more. A run stops at its limit by itself, except in a slow native function: `onPassed` is
 * called once if a thread passes a limit without an answer. Processor time is first read when a run takes longer than most, and counts
 * from then on. Returns a function that ends the watch.
 */
export function watchSandboxThread(
  thread: SandboxThread,
  cpuMs: number,
  onPassed: (limit: ThreadLimit) => void,
): () => void {
  let finalTimer: NodeJS.Timeout | undefined
  let stopWatching: (() => void) | undefined
  const lateTimer = setTimeout(() => {
    // If this thread was busy, an answer that has arrived is read first.
    stopWatching = thread.watch(cpuMs + sandboxLimits.endMs, (limit) => (finalTimer = setTimeout(onPassed, 0, limit)))
  }, sandboxLimits.graceMs)
  return () => {
    clearTimeout(lateTimer)
    clearTimeout(finalTimer)
    stopWatching?.()
  }
}

/** Measures the time that a run waits for the host. */
export interface HostWaitTimer {
  begin(): void
  /** Does nothing without a begin. */
  end(): void
}

/** Calls `onOver` when all waits together have taken `wallMs` milliseconds. */
export function createHostWaitTimer(wallMs: number, onOver: () => void): HostWaitTimer {
  let remainingMs = wallMs
  let currentWait: { since: number; timer: NodeJS.Timeout } | undefined
  return {
    begin() {
      currentWait ??= { since: performance.now(), timer: setTimeout(onOver, Math.max(0, remainingMs)) }
    },
    end() {
      if (currentWait === undefined) return
      remainingMs -= performance.now() - currentWait.since
      clearTimeout(currentWait.timer)
      currentWait = undefined
    },
  }
}
