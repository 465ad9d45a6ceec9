/** Sent by the runner to a worker: the next file, or null when no file is left. */
export type Order = { file: string; isAlone: boolean } | { file: null }

/** One test that has ended; suites count too when they fail themselves. */
export interface EndedTest {
  /** The titles of its suites and its own. */
  titles: string[]
  isSuite: boolean
  outcome: 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo'
  /** The reason of a skip, where there is one. */
  reason?: string | undefined
  /** The error as node prints it. */
  error?: string | undefined
  /** Line and column in its file. */
  position?: string | undefined
}

/** Sent by a worker to the runner. */
export type Report =
  | { type: 'ended'; test: EndedTest }
  /** All of the file has been reported. `cpuMs`: processor time of the worker for it; `rssMb`: what the worker holds. */
  | { type: 'done'; cpuMs: number; rssMb: number; leaks: string[] }
