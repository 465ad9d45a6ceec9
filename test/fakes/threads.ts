import type { Worker } from 'node:worker_threads'

/** The threads that this process starts from now on. */
export interface Threads {
  /** How many were started. */
  started(): number
  /** Those that have not ended. */
  living(): Worker[]
  /** Those of them that were not told to end: how long that takes is up to the machine. */
  working(): Worker[]
}

/** Watches threads; ended ones no longer have an id. */
export function watchThreads(): Threads {
  const threads: Worker[] = []
  const terminated = new Set<Worker>()
  process.on('worker', (thread: Worker) => {
    threads.push(thread)
    const { terminate } = thread
    thread.terminate = () => {
      terminated.add(thread)
      return terminate.call(thread)
    }
  })
  const living = () => threads.filter(({ threadId }) => threadId !== -1)
  return {
    started: () => threads.length,
    living,
    working: () => living().filter((thread) => !terminated.has(thread)),
  }
}
