import type { Worker } from 'node:worker_threads'

/** The limit that ended a thread's work: its processor time, or the clock when the thread no longer answers, which blames no work. */
export type ThreadLimit = 'cpu' | 'wall'

/** However busy the machine is, work that took little processor time by then is not what holds its thread. */
export const THREAD_WALL_LIMIT_MS = 60_000

/** The processor time of the calling thread, in milliseconds. */
export function readThreadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Counts the processor time of work that waits at times, in milliseconds. */
export interface WorkCpuMeter {
  spentMs(): number
  /** Adds the processor time that another thread spent on it. */
  add(cpuMs: number): void
  /** Begins a wait: until `resume`, this thread computes for other work. */
  pause(): void
  /** Ends a wait; counting goes on when no other wait is open. */
  resume(): void
  /** Awaits a promise as a wait. */
  wait<T>(promise: Promise<T>): Promise<T>
}

/** Starts counting. Work must continue at once after a wait, so that no other work is counted. */
export function startWorkCpuMeter(): WorkCpuMeter {
  let [spentCpuMs, resumedAtMs, openWaits] = [0, readThreadCpuMs(), 0]
  const readTurnMs = () => (openWaits === 0 ? readThreadCpuMs() - resumedAtMs : 0)
  const meter: WorkCpuMeter = {
    spentMs: () => spentCpuMs + readTurnMs(),
    add: (cpuMs) => void (spentCpuMs += cpuMs),
    pause() {
      spentCpuMs += readTurnMs()
      openWaits++
    },
    resume() {
      if (--openWaits === 0) resumedAtMs = readThreadCpuMs()
    },
    async wait(promise) {
      meter.pause()
      try {
        return await promise
      } finally {
        meter.resume()
      }
    },
  }
  return meter
}

async function readWorkerCpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}

/**
 * Calls `onPassed` once when a thread has computed for `cpuMs` milliseconds of processor time from now on, or after a minute without an
 * end. The answer ends the watch. A thread that ends meanwhile is no longer watched.
 */
export function watchThreadCpu(worker: Worker, cpuMs: number, onPassed: (limit: ThreadLimit) => void): () => void {
  const wallDeadline = performance.now() + THREAD_WALL_LIMIT_MS
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const endWatch = (): void => {
    isOver = true
    clearTimeout(timer)
  }
  const reportLimit = (limit: ThreadLimit): void => {
    if (!isOver) onPassed(limit)
    endWatch()
  }
  const untilStop = (): number => Math.max(0, wallDeadline - performance.now())
  /** A thread within a native function may not answer: the last stop ends the wait. */
  const readCpuMs = async (): Promise<number> => {
    timer = setTimeout(() => reportLimit('wall'), untilStop())
    const usedMs = await readWorkerCpuMs(worker)
    clearTimeout(timer)
    return usedMs
  }
  const watchUntilLimit = async (): Promise<void> => {
    const usedAtStartMs = await readCpuMs()
    for (let remainingMs = cpuMs; !isOver; remainingMs = cpuMs - ((await readCpuMs()) - usedAtStartMs)) {
      if (remainingMs <= 0) return reportLimit('cpu')
      if (untilStop() === 0) return reportLimit('wall')
      // No thread computes longer than time goes by.
      await new Promise((resolve) => (timer = setTimeout(resolve, Math.min(remainingMs, untilStop()))))
    }
  }
  // A thread that has ended does not answer, and needs no last stop.
  watchUntilLimit().catch(endWatch)
  return endWatch
}
