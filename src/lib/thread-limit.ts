import type { Worker } from 'node:worker_threads'

/** What ended a thread's work: its processor time, or a thread that nothing is heard of any more, which blames no work. */
export type ThreadLimit = 'cpu' | 'wall'

/** However busy the machine is, work that took little processor time by then is not what holds its thread. */
const LAST_STOP_MS = 60_000

async function threadCpuMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}

/**
 * Calls `onPassed` once when a thread has computed for `cpuMs` milliseconds of processor time from now on, or after a minute without an
 * end. The answer ends the watch. A thread that ends meanwhile is no longer watched.
 */
export function watchThread(worker: Worker, cpuMs: number, onPassed: (limit: ThreadLimit) => void): () => void {
  const lastStop = performance.now() + LAST_STOP_MS
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const pass = (limit: ThreadLimit): void => {
    if (!isOver) onPassed(limit)
    isOver = true
  }
  const end = (): void => {
    isOver = true
    clearTimeout(timer)
  }
  const look = async (begun: number): Promise<void> => {
    if (isOver) return
    if (performance.now() >= lastStop) return pass('wall')
    // A thread that does not answer is asked no second time; the last stop ends it.
    timer = setTimeout(() => pass('wall'), lastStop - performance.now())
    const left = cpuMs - ((await threadCpuMs(worker)) - begun)
    clearTimeout(timer)
    if (isOver) return
    if (left <= 0) return pass('cpu')
    // No thread computes longer than time goes by.
    timer = setTimeout(() => watch(begun), Math.min(left, Math.max(lastStop - performance.now(), 0)))
  }
  // A thread that has ended does not answer, and needs no last stop.
  const watch = (begun: number): void => void look(begun).catch(end)
  threadCpuMs(worker).then((begun) => {
    if (!isOver) timer = setTimeout(() => watch(begun), cpuMs)
  }, end)
  return end
}
