import type { Worker } from 'node:worker_threads'

/** The threads that this process starts from now on. */
export interface Threads {
  /** How many were started. */
  started(): number
  /** Those that have not ended. */
  living(): Worker[]
}

/** Watches threads; those that ended have no id any more. */
export function watchThreads(): Threads {
  const threads: Worker[] = []
  process.on('worker', (thread: Worker) => threads.push(thread))
  return {
    started: () => threads.length,
    living: () => threads.filter(({ threadId }) => threadId !== -1),
  }
}
