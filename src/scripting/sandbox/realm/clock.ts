import { readThreadCpuMs } from '../../../lib/concurrency/thread-limit.ts'

/** Measures the processor time of a run against its limit. Waits do not count. */
export interface CpuClock {
  /** The run has its turn. */
  begin(): void
  /** It gives its turn up. */
  pause(): void
  /** Discards the CPU time measured so far. */
  forget(): void
  /** CPU of the turns so far, in milliseconds. */
  cpuMs(): number
  /** Milliseconds since the clock was made. */
  elapsedMs(): number
  /** True if the run has used more than its limit. */
  isOver(): boolean
}

/** Starts the clock of a run that may compute for `cpuMs` milliseconds of the processor time of this thread. */
export function startCpuClock(cpuMs: number): CpuClock {
  const started = performance.now()
  let spentMs = 0
  let turn = { cpu: 0, at: 0 }
  const cpuOfTurn = () => readThreadCpuMs() - turn.cpu

  return {
    begin() {
      turn = { cpu: readThreadCpuMs(), at: performance.now() }
    },
    pause() {
      spentMs += cpuOfTurn()
    },
    forget() {
      spentMs = 0
    },
    cpuMs: () => spentMs,
    elapsedMs: () => performance.now() - started,
    // A thread never computes for longer than the clock runs, and reading the clock is faster than reading its CPU time.
    isOver: () => spentMs + performance.now() - turn.at > cpuMs && spentMs + cpuOfTurn() > cpuMs,
  }
}
